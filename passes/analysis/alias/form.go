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
}

type term struct {
	v ir.Value
	k uint64
}

// limit bounds spreads and differences, so that sums of a few of them are exact in 64 bits.
const limit = 1 << 60

func small(x int64) bool { return -limit <= x && x <= limit }

func total(a, b int64) (int64, bool) { return a + b, small(a) && small(b) && small(a+b) }

func product(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	// The division detects a product that has wrapped around into the limits.
	p := a * b
	return p, small(a) && small(b) && p/b == a && small(p)
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
func (f form) plus(g form, k int64) (form, bool) {
	g, ok := g.times(k)
	if !ok {
		return f, false
	}
	out := form{terms: slices.Clone(f.terms), c: f.c + g.c}
	for _, t := range g.terms {
		if i := slices.IndexFunc(out.terms, func(u term) bool { return u.v == t.v }); i < 0 {
			out.terms = append(out.terms, t)
		} else if out.terms[i].k += t.k; out.terms[i].k == 0 {
			out.terms = slices.Delete(out.terms, i, i+1)
		}
	}
	var okLo, okHi bool
	out.lo, okLo = total(f.lo, g.lo)
	out.hi, okHi = total(f.hi, g.hi)
	return out, okLo && okHi && len(out.terms) <= maxTerms
}

// times returns f * k.
func (f form) times(k int64) (form, bool) {
	lo, okLo := product(f.lo, k)
	hi, okHi := product(f.hi, k)
	out := form{c: f.c * uint64(k), lo: min(lo, hi), hi: max(lo, hi)}
	for _, t := range f.terms {
		if t.k *= uint64(k); t.k != 0 {
			out.terms = append(out.terms, t)
		}
	}
	return out, okLo && okHi
}

// widen adds k times an integer in a range to the spread.
func (f *form) widen(r intrange.Range, k int64) bool {
	if !r.IsInt() {
		return false
	}
	a, okA := product(r.SMin, k)
	b, okB := product(r.SMax, k)
	var okLo, okHi bool
	f.lo, okLo = total(f.lo, min(a, b))
	f.hi, okHi = total(f.hi, max(a, b))
	return okA && okB && okLo && okHi
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

// value returns the form of an integer, read as signed, or of an address; false if it has none.
func (e *expander) value(v ir.Value, depth int) (form, bool) {
	if k, ok := constant(v); ok {
		return form{c: uint64(k)}, true
	}
	def := v.DefiningOp()
	if e.budget--; !def.IsNil() && e.budget > 0 && depth < maxDepth && v.Index() == 0 {
		if f, ok := e.operation(def, v, depth+1); ok {
			return f, true
		}
	}
	if len(tile.Shape(v.Type())) == 0 {
		return form{terms: []term{{v, 1}}}, true
	}
	var f form
	return f, f.widen(e.ranges.Of(v), 1)
}

// operation expands the result v of an operation; false if it is none of the known sums.
func (e *expander) operation(op ir.Op, v ir.Value, depth int) (form, bool) {
	switch {
	case op.Is(arith.AddI), op.Is(arith.SubI):
		return e.sum(op, v, depth)
	case op.Is(arith.MulI):
		for i := range 2 {
			if k, ok := constant(op.Operand(i)); ok && e.exact(op, v) {
				f, ok := e.value(op.Operand(1-i), depth)
				if ok {
					f, ok = f.times(k)
				}
				return f, ok
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

// sum expands an addition or subtraction.
func (e *expander) sum(op ir.Op, v ir.Value, depth int) (form, bool) {
	if !e.exact(op, v) {
		return form{}, false
	}
	a, okA := e.value(op.Operand(0), depth)
	b, okB := e.value(op.Operand(1), depth)
	if !okA || !okB {
		return form{}, false
	}
	if op.Is(arith.SubI) {
		return a.plus(b, -1)
	}
	return a.plus(b, 1)
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
func (e *expander) shared(op ir.Op, v ir.Value, depth int) (form, bool) {
	row, ok := tile.Linear.Of(op)
	if !ok {
		return form{}, false
	}
	switch row {
	case tile.SameElements:
		return e.value(op.Operand(0), depth)
	case tile.Counting:
		n := v.Type().(*ir.TensorType).NumElements()
		r := e.ranges.Of(v)
		return form{hi: n - 1}, r.SMin >= 0 && r.SMax == n-1 // a counter of a narrow type may wrap
	case tile.MovedBy:
		pt := ir.ElementType(v.Type()).(*tile.PtrType)
		if tile.IsHalf(pt.Pointee) {
			return form{}, false
		}
		base, okBase := e.value(op.Operand(0), depth)
		off, okOff := e.value(op.Operand(1), depth)
		if okOff {
			off, okOff = off.times(int64(tile.ElementBytes(pt.Pointee)))
		}
		if okBase && okOff {
			return base.plus(off, 1)
		}
	}
	return form{}, false
}
