package alias

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
)

// A form describes an integer, read as signed, or an address: terms + c + x modulo 2^64, with lo <= x <= hi. The terms
// are multiples of scalars, and x is the spread. A tensor has a form if each of its elements has.
type form struct {
	terms  []term
	c      uint64
	lo, hi int64
	none   bool // it is no such sum, or one of its numbers is beyond the limit
}

type term struct {
	v ir.Value
	k uint64
}

// limit bounds spreads and differences, so that sums of a few of them are exact in 64 bits.
const limit = 1 << 60

func small(x int64) bool { return -limit <= x && x <= limit }

// total returns a + b. If a number is beyond the limit, there is no form.
func (f *form) total(a, b int64) int64 {
	f.none = f.none || !small(a) || !small(b) || !small(a+b)
	return a + b
}

// product returns a * b, likewise.
func (f *form) product(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	// The division detects a product that has wrapped around into the limits.
	p := a * b
	f.none = f.none || !small(a) || !small(b) || p/b != a || !small(p)
	return p
}

// maxTerms is how many terms a form may have. Addresses of real kernels have a handful.
const maxTerms = 16

// factor returns the multiple of a value.
func (f form) factor(v ir.Value) uint64 {
	for _, t := range f.terms {
		if t.v == v {
			return t.k
		}
	}
	return 0
}

// plus returns f + k*g, where k is 1 or -1.
func (f form) plus(g form, k int64) form {
	g = g.times(k)
	out := form{terms: slices.Clone(f.terms), c: f.c + g.c, none: f.none || g.none}
	for _, t := range g.terms {
		if i := slices.IndexFunc(out.terms, func(u term) bool { return u.v == t.v }); i < 0 {
			out.terms = append(out.terms, t)
		} else if out.terms[i].k += t.k; out.terms[i].k == 0 {
			out.terms = slices.Delete(out.terms, i, i+1)
		}
	}
	out.lo, out.hi = out.total(f.lo, g.lo), out.total(f.hi, g.hi)
	out.none = out.none || len(out.terms) > maxTerms
	return out
}

// times returns f * k.
func (f form) times(k int64) form {
	out := form{c: f.c * uint64(k), none: f.none}
	lo, hi := out.product(f.lo, k), out.product(f.hi, k)
	out.lo, out.hi = min(lo, hi), max(lo, hi)
	for _, t := range f.terms {
		if t.k *= uint64(k); t.k != 0 {
			out.terms = append(out.terms, t)
		}
	}
	return out
}

// widen adds k times an integer in a range to the spread.
func (f *form) widen(r intrange.Range, k int64) {
	a, b := f.product(r.SMin, k), f.product(r.SMax, k)
	f.lo, f.hi = f.total(f.lo, min(a, b)), f.total(f.hi, max(a, b))
	f.none = f.none || !r.IsInt()
}

// maxExpanded bounds the operations that one address is expanded into, and maxDepth the depth. Beyond, a value is a
// term of its own.
const (
	maxExpanded = 128
	maxDepth    = 32
)

type expander struct {
	ranges *intrange.Ranges
	budget int
}

// value returns the form of an integer, read as signed, or of an address.
func (e *expander) value(v ir.Value, depth int) (f form) {
	if k, ok := constant(v); ok {
		return form{c: uint64(k)}
	}
	def := v.DefiningOp()
	if e.budget--; !def.IsNil() && e.budget > 0 && depth < maxDepth && v.Index() == 0 {
		if f := e.operation(def, v, depth+1); !f.none {
			return f
		}
	}
	if len(tile.Shape(v.Type())) == 0 {
		return form{terms: []term{{v, 1}}}
	}
	f.widen(e.ranges.Of(v), 1)
	return f
}

// operation expands the result v of an operation, if it is one of the known sums.
func (e *expander) operation(op ir.Op, v ir.Value, depth int) form {
	switch {
	case op.Is(arith.AddI), op.Is(arith.SubI):
		sign := int64(1)
		if op.Is(arith.SubI) {
			sign = -1
		}
		if e.exact(op, v) {
			return e.value(op.Operand(0), depth).plus(e.value(op.Operand(1), depth), sign)
		}
	case op.Is(arith.MulI):
		for i := range 2 {
			if k, ok := constant(op.Operand(i)); ok && e.exact(op, v) {
				return e.value(op.Operand(1-i), depth).times(k)
			}
		}
	case op.Is(arith.ExtSI):
		return e.value(op.Operand(0), depth)
	// Forms are of signed integers; zero extension preserves non-negative ones only.
	case op.Is(arith.ExtUI):
		if e.ranges.Of(op.Operand(0)).NonNegative() {
			return e.value(op.Operand(0), depth)
		}
	}
	return e.shared(op, v, depth)
}

// constant returns the value of a constant, or of all its elements.
func constant(v ir.Value) (int64, bool) {
	if k := ir.ConstantValue(v); k != nil {
		if r := intrange.OfConstant(v.Type(), k); r.IsInt() && r.SMin == r.SMax {
			return r.SMin, true
		}
	}
	return 0, false
}

// exact reports whether an operation's result, read as signed, is the exact sum, difference or product of its
// operands. In 64 bits it always is, since addresses wrap too. Else no-wrap flags promise it, or the ranges of the
// operands prove it.
func (e *expander) exact(op ir.Op, v ir.Value) bool {
	width := ir.BitWidth(ir.ElementType(v.Type()))
	if width == 64 || arith.Promises(op).Signed {
		return true
	}
	a, b := e.ranges.Of(op.Operand(0)), e.ranges.Of(op.Operand(1))
	if !a.IsInt() || !b.IsInt() {
		return false
	}
	wraps := a.W.MulWraps
	switch {
	case op.Is(arith.AddI):
		wraps = a.W.AddWraps
	case op.Is(arith.SubI):
		wraps = a.W.SubWraps
	}
	for _, x := range []int64{a.SMin, a.SMax} { // where no two ends wrap, nothing between them does
		for _, y := range []int64{b.SMin, b.SMax} {
			if wraps(uint64(x)&a.W.Mask(), uint64(y)&a.W.Mask()).Signed {
				return false
			}
		}
	}
	return true
}

// shared expands operations of the tile levels.
func (e *expander) shared(op ir.Op, v ir.Value, depth int) form {
	row, ok := tile.Linear.Of(op)
	if !ok {
		return form{none: true}
	}
	switch row {
	case tile.SameElements:
		return e.value(op.Operand(0), depth)
	case tile.Counting:
		n := v.Type().(*ir.TensorType).NumElements()
		r := e.ranges.Of(v)
		return form{hi: n - 1, none: r.SMin < 0 || r.SMax != n-1} // a counter of a narrow type may wrap
	case tile.MovedBy:
		if pt := ir.ElementType(v.Type()).(*tile.PtrType); !tile.IsHalf(pt.Pointee) {
			base, off := e.value(op.Operand(0), depth), e.value(op.Operand(1), depth)
			return base.plus(off.times(int64(tile.ElementBytes(pt.Pointee))), 1)
		}
	}
	return form{none: true}
}
