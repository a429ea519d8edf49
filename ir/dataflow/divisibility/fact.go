package divisibility

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// A Step is by how much elements change when an index bit is set. It is a two's complement number of the width of the
// elements, sign-extended. When it is not Linear, nothing is known.
type Step struct {
	By     int64
	Linear bool
}

// A Fact is what is known of the elements of a value. It is not changed once made. The zero Fact stands for a value
// that is neither integers nor pointers.
type Fact struct {
	// Width is that of the elements in bits; addresses count bytes.
	Width int
	// Exp is the exponent of a power of two that divides all elements at which the linear index bits are zero. It is
	// Width when they are zero.
	Exp int
	// Steps has an entry for each index bit; it is empty for a scalar and for a shape whose sizes are not powers of
	// two.
	Steps []Step
}

// linear returns a step reduced to a width.
func linear(by int64, width int) Step {
	shift := 64 - width
	return Step{by << shift >> shift, true}
}

// exponent returns the exponent of the largest power of two that divides v, at most width.
func exponent(v uint64, width int) int { return min(bits.TrailingZeros64(v), width) }

// Unknown returns the fact of a value of which nothing is known.
func Unknown(t ir.Type) Fact {
	width := widthOf(t)
	if width == 0 {
		return Fact{}
	}
	return Fact{Width: width, Steps: make([]Step, indexBits(t))}
}

// Equal returns the fact of elements that are all equal and divisible by 2^exp.
func Equal(t ir.Type, exp int) Fact {
	f := Unknown(t)
	f.Exp = min(exp, f.Width)
	for i := range f.Steps {
		f.Steps[i].Linear = true
	}
	return f
}

// Addressed is implemented by the pointer types of dialects.
type Addressed interface {
	ir.Type
	// AddressBits returns how wide an address is.
	AddressBits() int
	// PointeeBytes returns by how many bytes the address of an element grows from one to the next; 0: it cannot be
	// told.
	PointeeBytes() int
}

func widthOf(t ir.Type) int {
	switch e := ir.ElementType(t).(type) {
	case *ir.IntegerType:
		return e.Width
	case *ir.IndexType:
		return 64
	case Addressed:
		return e.AddressBits()
	}
	return 0
}

// maxIndexBits is beyond all tiles; shapes of more elements have no index bits.
const maxIndexBits = 48

// indexBits returns how many index bits a type has.
func indexBits(t ir.Type) int {
	shape, _ := ir.ShapeOf(t)
	n := 0
	for _, size := range shape {
		k, ok := log2(size)
		if !ok || n+k > maxIndexBits {
			return 0
		}
		n += k
	}
	return n
}

// log2 returns the exponent of a power of two.
func log2(size int64) (int, bool) {
	if size < 1 || size&(size-1) != 0 {
		return 0, false
	}
	return bits.TrailingZeros64(uint64(size)), true
}

// dimBits returns the index bits of a dimension, from the lowest on: lo to hi.
func dimBits(shape []int64, dim int) (lo, hi int) {
	for d := len(shape) - 1; d > dim; d-- {
		n, _ := log2(shape[d])
		lo += n
	}
	n, _ := log2(shape[dim])
	return lo, lo + n
}

// IsZero reports whether the elements at which the linear index bits are zero are zero.
func (f Fact) IsZero() bool { return f.Width > 0 && f.Exp == f.Width }

// Exponent returns the exponent of the largest power of two that is known to divide every element; the width, if all
// are zero.
func (f Fact) Exponent() int {
	exp := f.Exp
	for _, s := range f.Steps {
		if s.Linear {
			exp = min(exp, exponent(uint64(s.By), f.Width))
		}
	}
	return exp
}

// MaxDivisor is what Divisor returns for zero, which everything divides.
const MaxDivisor = int64(1) << 62

// Divisor returns the largest power of two that is known to divide every element, at most MaxDivisor.
func (f Fact) Divisor() int64 {
	exp := f.Exponent()
	if exp == f.Width || exp > 62 {
		return MaxDivisor
	}
	return 1 << exp
}

// without returns the fact that is left when the index bits for which drop holds are no longer linear.
func (f Fact) without(drop func(i int) bool) Fact {
	var steps []Step
	exp := f.Exp
	for i, s := range f.Steps {
		if !s.Linear || !drop(i) {
			continue
		}
		if steps == nil {
			steps = slices.Clone(f.Steps)
		}
		steps[i] = Step{}
		exp = min(exp, exponent(uint64(s.By), f.Width))
	}
	if steps == nil {
		return f
	}
	return Fact{f.Width, exp, steps}
}

// Join returns what holds for both.
func Join(a, b Fact) Fact {
	if a.Width != b.Width || len(a.Steps) != len(b.Steps) {
		return Fact{}
	}
	x := a.without(func(i int) bool { return a.Steps[i] != b.Steps[i] })
	y := b.without(func(i int) bool { return a.Steps[i] != b.Steps[i] })
	x.Exp = min(x.Exp, y.Exp)
	return x
}

func equal(a, b Fact) bool {
	return a.Width == b.Width && a.Exp == b.Exp && slices.Equal(a.Steps, b.Steps)
}

// A Run describes the elements along a dimension in aligned groups of Len. Inside a group they grow by Step from one
// to the next, and 2^Exp divides the first of each group. Step is 0 for equal elements, and when Len is 1.
type Run struct {
	Len  int64
	Step int64
	Exp  int
}

// Along returns the longest run along a dimension of a value of the given shape.
func (f Fact) Along(shape []int64, dim int) Run {
	r := Run{Len: 1}
	if len(f.Steps) == 0 {
		r.Exp = f.Exp
		return r
	}
	lo, hi := dimBits(shape, dim)
	n := lo
	for n < hi && f.Steps[n].Linear && f.Steps[n] == linear(f.Steps[lo].By<<(n-lo), f.Width) {
		n++
	}
	if n > lo {
		r.Len, r.Step = 1<<(n-lo), f.Steps[lo].By
	}
	r.Exp = f.without(func(i int) bool { return i < lo || i >= n }).Exp
	return r
}

// Describe spells the fact of a value of type t: the divisor of all elements, and the runs along the dimensions that
// have some.
func (f Fact) Describe(t ir.Type) string {
	if f.Width == 0 {
		return "nothing"
	}
	var sb strings.Builder
	sb.WriteString("div " + power(f.Exponent(), f.Width))
	shape, _ := ir.ShapeOf(t)
	for dim := range shape {
		r := f.Along(shape, dim)
		switch {
		case r.Len == 1:
		case r.Step == 0:
			fmt.Fprintf(&sb, ", dim %d: %d equal", dim, r.Len)
		default:
			fmt.Fprintf(&sb, ", dim %d: %d by %d from div %s", dim, r.Len, r.Step, power(r.Exp, f.Width))
		}
	}
	return sb.String()
}

// power spells a power of two; that of zero as 0.
func power(exp, width int) string {
	if exp == width {
		return "0"
	}
	return fmt.Sprint(uint64(1) << exp)
}
