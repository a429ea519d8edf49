package divisibility

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// The facts of operations that make tiles or move their elements; t is the type of the result.

// Count returns the fact of the numbers 0, 1, 2, ... in row-major order.
func Count(t ir.Type) Fact {
	f := Unknown(t)
	// There can be more elements than numbers of the width: 1 << i would then be 0. The verifier rejects such an iota;
	// other rows may not.
	if n := len(f.Steps); n > 0 && n <= f.Width {
		f.Exp = f.Width
		for i := range f.Steps {
			f.Steps[i] = linear(1<<i, f.Width)
		}
	}
	return f
}

// Repeat returns the fact of a tile that repeats the elements of a value of type from along dimensions of size one,
// or of a scalar everywhere.
func Repeat(f Fact, from, t ir.Type) Fact {
	out := Unknown(t)
	out.Exp = f.Exponent()
	src, _ := ir.ShapeOf(from)
	dst, _ := ir.ShapeOf(t)
	if len(src) != 0 && len(src) != len(dst) || len(f.Steps) != indexBits(from) || len(out.Steps) == 0 {
		return out
	}
	out.Exp = f.Exp
	for d, size := range dst {
		lo, hi := dimBits(dst, d)
		if len(src) == 0 || src[d] != size {
			for i := lo; i < hi; i++ {
				out.Steps[i].Linear = true
			}
			continue
		}
		at, _ := dimBits(src, d)
		copy(out.Steps[lo:hi], f.Steps[at:])
	}
	return out
}

// Reshape returns the fact of the same elements in row-major order with another shape.
func Reshape(f Fact, t ir.Type) Fact {
	if len(f.Steps) == indexBits(t) {
		return f
	}
	out := Unknown(t)
	out.Exp = f.Exponent()
	return out
}

// Permute returns the fact of the elements with other dimensions: dimension i of the result is dimension perm[i] of
// the operand.
func Permute(f Fact, from, t ir.Type, perm []int64) Fact {
	out := Unknown(t)
	out.Exp = f.Exponent()
	src, _ := ir.ShapeOf(from)
	dst, _ := ir.ShapeOf(t)
	if len(f.Steps) != len(out.Steps) || len(perm) != len(dst) || len(f.Steps) == 0 {
		return out
	}
	out.Exp = f.Exp
	for d, p := range perm {
		if p < 0 || int(p) >= len(src) || src[p] != dst[d] {
			return Unknown(t)
		}
		lo, hi := dimBits(dst, d)
		at, _ := dimBits(src, int(p))
		copy(out.Steps[lo:hi], f.Steps[at:])
	}
	return out
}

// Concatenate returns the fact of two tiles one after the other along a dimension.
func Concatenate(a, b Fact, from, t ir.Type, dim int) Fact {
	out := Unknown(t)
	joined := Join(a, b)
	out.Exp = min(a.Exponent(), b.Exponent())
	src, _ := ir.ShapeOf(from)
	dst, _ := ir.ShapeOf(t)
	if joined.Width == 0 || len(out.Steps) != len(joined.Steps)+1 || dim < 0 || dim >= len(src) || dst[dim] != 2*src[dim] {
		return out
	}
	_, at := dimBits(src, dim) // the bit that tells the operands apart
	out.Exp = joined.Exp
	copy(out.Steps, joined.Steps[:at])
	copy(out.Steps[at+1:], joined.Steps[at:])
	return out
}

// Part returns the fact of a subtile of a tile that is split into subtiles of the shape of t.
func Part(f Fact, from, t ir.Type) Fact {
	out := Unknown(t)
	src, _ := ir.ShapeOf(from)
	dst, _ := ir.ShapeOf(t)
	out.Exp = f.Exponent()
	if len(f.Steps) == 0 || len(src) != len(dst) {
		return out
	}
	var kept []int
	for d := range dst {
		lo, hi := dimBits(dst, d)
		at, _ := dimBits(src, d)
		for i := lo; i < hi; i++ {
			out.Steps[i] = f.Steps[at+i-lo]
			kept = append(kept, at+i-lo)
		}
	}
	out.Exp = f.only(kept).Exp
	return out
}

// Constant returns the fact of a constant of integers.
func Constant(t ir.Type, a ir.Attribute) Fact {
	out := Unknown(t)
	dense, ok := a.(*ir.DenseElementsAttr)
	if !ok || out.Width == 0 {
		if n, ok := a.(*ir.IntegerAttr); ok && out.Width > 0 {
			return Equal(t, exponent(uint64(n.Value), out.Width))
		}
		return out
	}
	elem := ir.ElementType(t)
	size := max(1, ir.DenseElemBytes(elem))
	n := len(dense.Data) / size
	if n == 1 {
		return Equal(t, exponent(dense.Bits(elem, 0), out.Width))
	}
	if n != 1<<len(out.Steps) || n > maxElements {
		return out
	}
	at := func(i int) int64 { return linear(int64(dense.Bits(elem, i)), out.Width).By }
	base := n - 1 // the index bits that are not linear
	for k := range out.Steps {
		bit := 1 << k
		step := linear(at(bit)-at(0), out.Width)
		// Every pair must agree: the first one alone would take 0, 1, 2, 7 for numbers that count up.
		same := true
		for i := range n {
			if i&bit == 0 && linear(at(i|bit)-at(i), out.Width) != step {
				same = false
				break
			}
		}
		if same {
			out.Steps[k] = step
			base &^= bit
		}
	}
	out.Exp = out.Width
	for i := range n {
		if i&^base == 0 {
			out.Exp = min(out.Exp, exponent(uint64(at(i)), out.Width))
		}
	}
	return out
}

// Choose is the Infer of a select: its first operand is the condition.
func Choose(_ ir.Op, in []Operand) []Fact {
	if in[1].Width == 0 || len(in[0].Steps) != len(in[1].Steps) {
		return []Fact{{}}
	}
	return []Fact{choose(in)}
}

// maxElements is how many elements of a constant are looked at.
const maxElements = 1 << 12

// Address returns the fact of addresses that are advanced by a number of elements of a size in bytes, offsets being
// signed.
func Address(ptr, offset Operand, t ir.Type) Fact {
	p, ok := ir.ElementType(t).(Addressed)
	if !ok || len(ptr.Steps) != len(offset.Steps) || ptr.Width == 0 || offset.Width == 0 {
		return Unknown(t)
	}
	size := p.PointeeBytes()
	if size <= 0 {
		return Unknown(t)
	}
	return combine(ptr.Fact, Scale(Extend(offset, ptr.Width), int64(size)), 1)
}

// DivisibleBy returns the fact with the promise that d divides every element.
// At most width - 1, because the width itself means zero, which no promise of a divisor says.
func (f Fact) DivisibleBy(d uint64) Fact {
	f.Exp = max(f.Exp, exponent(d, f.Width-1))
	return f
}

// Grouped returns the fact of a value of type t with a promise about the groups of so many elements along a dimension.
// The elements of a group count up by step, and d divides the first one.
func (f Fact) Grouped(t ir.Type, d uint64, every int64, dim int, step int64) Fact {
	shape, _ := ir.ShapeOf(t)
	if len(f.Steps) == 0 || every < 1 || dim < 0 || dim >= len(shape) {
		return f
	}
	n := exponent(uint64(every), 62) // groups of 2^n are aligned
	exp := exponent(d, f.Width-1)
	if every != 1<<n { // they start inside of the groups as well
		exp = min(exp, n+exponent(uint64(step), f.Width))
	}
	lo, hi := dimBits(shape, dim)
	f.Steps = slices.Clone(f.Steps)
	for i := lo; i < min(hi, lo+n); i++ {
		f.Steps[i] = linear(step<<(i-lo), f.Width)
	}
	f.Exp = max(f.Exp, exp)
	return f
}

// SameWithin returns the fact of a value of type t with the promise that along a dimension the elements of each group
// of a number are equal.
func (f Fact) SameWithin(t ir.Type, group int64, dim int) Fact {
	if group < 1 {
		return f
	}
	every := int64(1) << exponent(uint64(group), 62)
	return f.Grouped(t, 1, every, dim, 0)
}
