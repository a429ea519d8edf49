package versionloops

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// A form describes the elements of a value as a sum of a multiple of the counter, multiples of outer scalars, and
// a number between lo and hi. Only that number may differ between elements. It is exact over the integers,
// without wrapping. Where wrapping matters, former notes what must fit.
//
//	splat(%i * 64) + range(64)     by = 64, lo = 0, hi = 63
type form struct {
	by     int64
	terms  []term
	lo, hi int64
}

// A term is a multiple of a scalar from outside of the loop, of 32 bits at most.
type term struct {
	v ir.Value
	k int64
}

// A former finds forms in a loop.
type former struct {
	v    *version
	left int // operations that may still be looked at: a value that uses itself twice, again and again, has too many
	fits []fit
}

// A fit is a form that must be a signed number of so many bits for the program to compute it without wrapping.
type fit struct {
	form
	width int
}

const (
	// maxForm is how many operations are looked at, and maxTerms how many scalars a sum has.
	maxForm, maxTerms = 64, 4
	// maxElement bounds the offsets of elements, and constant multipliers: their products with numbers of 32 bits
	// are then far from 2^63.
	maxElement = 1 << 26
)

// of returns the form of a scalar or of the elements of a tensor.
func (f *former) of(x ir.Value) (form, bool) {
	f.left--
	def := x.DefiningOp()
	width := ir.BitWidth(ir.ElementType(x.Type()))
	_, isTensor := x.Type().(*ir.TensorType)
	switch {
	case f.left < 0 || width > 64:
		return form{}, false
	case x == f.v.loop.Body().Arg(0):
		return form{by: 1}, width <= 32 && !f.v.loop.HasUnitAttr("unsigned")
	case !isTensor && f.v.outside(x) && (def.IsNil() || !def.Is(arith.ExtSI)):
		if k, ok := ir.ConstantValue(x).(*ir.IntegerAttr); ok {
			return constant(k)
		}
		return form{terms: []term{{x, 1}}}, width <= 32
	case def.IsNil():
		return form{}, false
	}
	if k := ir.ConstantOf(def); k != nil {
		return constant(k)
	}
	return f.computed(def, width)
}

// constant returns the form of a constant all of whose elements are one number.
func constant(k ir.Attribute) (form, bool) {
	if n, ok := k.(*ir.IntegerAttr); ok {
		return form{lo: n.Value, hi: n.Value}, small(n.Value)
	}
	d, ok := k.(*ir.DenseElementsAttr)
	if !ok {
		return form{}, false
	}
	t := ir.ElementType(d.Type())
	if _, isInt := t.(*ir.IntegerType); !isInt || !d.IsSplat(t) {
		return form{}, false
	}
	shift := 64 - ir.BitWidth(t)
	n := int64(d.Bits(t, 0)<<shift) >> shift
	return form{lo: n, hi: n}, small(n)
}

func small(n int64) bool { return -maxElement <= n && n <= maxElement }

func (f *former) computed(def ir.Op, width int) (form, bool) {
	kind, linear := tile.Linear.Of(def)
	switch {
	case linear && kind == tile.Counting:
		return form{hi: tile.Shape(def.Result(0).Type())[0] - 1}, true
	case linear && kind == tile.SameElements && ir.BitWidth(ir.ElementType(def.Operand(0).Type())) == width && isInt(def.Operand(0)):
		return f.of(def.Operand(0))
	case def.Is(arith.ExtSI):
		x, ok := f.of(def.Operand(0))
		// The program extends a wrapped number, the form does not wrap. They agree only if the number fits.
		if ok && !x.plain() {
			f.fits = append(f.fits, fit{x, ir.BitWidth(ir.ElementType(def.Operand(0).Type()))})
		}
		return x, ok
	case def.Is(arith.AddI), def.Is(arith.SubI):
		x, okX := f.of(def.Operand(0))
		y, okY := f.of(def.Operand(1))
		if !okX || !okY {
			return form{}, false
		}
		if def.Is(arith.SubI) {
			y = y.times(-1)
		}
		return x.plus(y)
	case def.Is(arith.MulI):
		for i := range 2 {
			k, ok := f.of(def.Operand(i))
			if !ok || k.by != 0 || len(k.terms) > 0 || k.lo != k.hi {
				continue
			}
			x, ok := f.of(def.Operand(1 - i))
			if !ok || !x.bounded(k.lo) {
				return form{}, false
			}
			return x.times(k.lo), true
		}
	}
	return form{}, false
}

func isInt(x ir.Value) bool {
	_, ok := ir.ElementType(x.Type()).(*ir.IntegerType)
	return ok
}

// plain reports whether a form is one scalar from outside, which fits by its type.
func (x form) plain() bool {
	return x.by == 0 && x.lo == 0 && x.hi == 0 && len(x.terms) == 1 && x.terms[0].k == 1
}

// same reports whether two forms differ only in the offsets of their elements.
func (x form) same(y form) bool { return x.by == y.by && slices.Equal(x.terms, y.terms) }

// bounded reports whether k times a form has small numbers only.
func (x form) bounded(k int64) bool {
	fits := func(n int64) bool { return small(n) && small(k) && small(n*k) }
	for _, t := range x.terms {
		if !fits(t.k) {
			return false
		}
	}
	return fits(x.by) && fits(x.lo) && fits(x.hi)
}

func (x form) times(k int64) form {
	out := form{by: x.by * k, lo: min(x.lo*k, x.hi*k), hi: max(x.lo*k, x.hi*k)}
	for _, t := range x.terms {
		out.terms = append(out.terms, term{t.v, t.k * k})
	}
	return out
}

func (x form) plus(y form) (form, bool) {
	out := form{by: x.by + y.by, lo: x.lo + y.lo, hi: x.hi + y.hi}
	out.terms = append(append(out.terms, x.terms...), y.terms...)
	return out, out.bounded(1) && len(out.terms) <= maxTerms
}
