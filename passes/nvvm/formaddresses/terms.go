package formaddresses

import (
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
)

// A term of an address is a multiple of a number of 64 bits, or of one or the product of two of 32 bits that are
// extended.
type term struct {
	k      int64
	v      ir.Value   // of 64 bits
	x      []ir.Value // of 32 bits, in place of v
	signed bool       // how x are extended
	scaled bool       // a factor of the product was a multiple itself
	summed bool       // it was a term of a sum that was multiplied
}

// A factor is a multiple of a number of 32 bits that is extended.
type factor struct {
	k                int64
	x                ir.Value
	signed, unsigned bool // which extensions are the same
}

// mostScale bounds the constants of factors and terms, so that they do not overflow.
const mostScale = math.MaxInt32

// expand appends the terms of k times a number. A sum that others use too is one term.
func (f *former) expand(out []term, v ir.Value, k int64) []term {
	def := v.DefiningOp()
	if x, ok := f.factorOf(v); ok && k*x.k <= mostScale {
		return append(out, term{k: k * x.k, x: []ir.Value{x.x}, signed: x.signed})
	}
	switch {
	case def.IsNil():
	case def.Is(arith.AddI) && v.HasOneUse():
		n := len(out)
		out = f.expand(f.expand(out, def.Operand(0), k), def.Operand(1), k)
		for i := range out[n:] {
			out[n+i].summed = k != 1
		}
		return out
	case def.Is(arith.MulI) || def.Is(arith.ShLI):
		if c, ok := constantFactor(def); ok && k*c <= mostScale && v.HasOneUse() {
			return f.expand(out, def.Operand(0), k*c)
		}
		if t, ok := f.product(def); ok && k*t.k <= mostScale {
			t.k *= k
			return append(out, t)
		}
	}
	return append(out, term{k: k, v: v})
}

// product returns the term of a multiplication of two extended numbers.
func (f *former) product(def ir.Op) (term, bool) {
	if !def.Is(arith.MulI) {
		return term{}, false
	}
	x, ok := f.factorOf(def.Operand(0))
	y, also := f.factorOf(def.Operand(1))
	signed := x.signed && y.signed
	if !ok || !also || !signed && !(x.unsigned && y.unsigned) || x.k*y.k > mostScale {
		return term{}, false
	}
	return term{k: x.k * y.k, x: []ir.Value{x.x, y.x}, signed: signed, scaled: x.k*y.k != 1}, true
}

// factorOf takes a number apart into a constant and what is extended.
func (f *former) factorOf(v ir.Value) (factor, bool) {
	def := v.DefiningOp()
	switch {
	case def.IsNil():
	case def.Is(arith.ExtSI), def.Is(arith.ExtUI):
		x := def.Operand(0)
		if ir.BitWidth(x.Type()) != 32 || ir.BitWidth(v.Type()) != 64 {
			break
		}
		positive := f.in.Of(x).SMin >= 0
		return factor{1, x, def.Is(arith.ExtSI) || positive, def.Is(arith.ExtUI) || positive}, true
	case def.Is(arith.MulI), def.Is(arith.ShLI):
		c, ok := constantFactor(def)
		x, also := f.factorOf(def.Operand(0))
		if x.k *= c; ok && also && x.k <= mostScale {
			return x, true
		}
	}
	return factor{}, false
}

// constantFactor returns the positive constant that an operation multiplies by.
func constantFactor(op ir.Op) (int64, bool) {
	c, ok := ir.ConstantValue(op.Operand(1)).(*ir.IntegerAttr)
	switch {
	case !ok || op.Is(arith.ShLI) && c.Unsigned() > 30:
		return 0, false
	case op.Is(arith.ShLI):
		return 1 << c.Value, true
	}
	return c.Value, c.Value > 0 && c.Value <= mostScale
}

// room returns which number of a product can be multiplied by its constant in 32 bits; -1: none.
func (f *former) room(t term) int {
	for i, x := range t.x {
		r := f.in.Of(x)
		if t.signed && r.SMin >= math.MinInt32/t.k && r.SMax <= math.MaxInt32/t.k {
			return i
		}
		if !t.signed && r.UMax <= uint64(math.MaxUint32/t.k) {
			return i
		}
	}
	return -1
}

// single reports whether one multiplication and addition adds a term to an address.
func (f *former) single(t term) bool {
	return t.k == 1 || len(t.x) == 1 || len(t.x) == 2 && f.room(t) >= 0
}

// A plan says what is added to a base: some terms, and a multiple of the sum of others.
type plan struct {
	terms, elements []term
	by              int64
}

// plan returns how to add terms; ok is false where the form that they have is as good.
func (f *former) plan(terms []term) (p plan, ok bool) {
	scaled, summed := false, false
	for _, t := range terms {
		scaled, summed = scaled || t.scaled, summed || t.summed
		if !f.single(t) && p.by == 0 {
			p.by = t.k
		}
	}
	if p.by == 0 {
		p.terms = terms
		return p, scaled || summed
	}
	for _, t := range terms {
		if t.k%p.by != 0 {
			p.terms = append(p.terms, t)
		} else {
			t.k /= p.by
			p.elements = append(p.elements, t)
		}
	}
	for _, t := range append(append([]term(nil), p.terms...), p.elements...) {
		if !f.single(t) {
			return plan{}, false
		}
	}
	return p, scaled
}
