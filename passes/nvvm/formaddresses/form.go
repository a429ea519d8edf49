package formaddresses

import (
	"math/bits"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/analysis/loops"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
)

// mostTerms bounds the terms of an address that is taken apart.
const mostTerms = 8

// form rewrites the sum that ends in an address.
func (f *former) form(op ir.Op) {
	var terms []term
	base, chain := op, []ir.Op{op}
	for {
		terms = f.expand(terms, base.Operand(1), 1)
		before := base.Operand(0).DefiningOp()
		if before.IsNil() || before.Block() != op.Block() || !before.Is(nvvm.PtrAdd) || !inner(before) {
			break
		}
		base = before
		chain = append(chain, base)
	}
	p, ok := f.plan(terms)
	if !ok || len(terms) > mostTerms || f.splitsByLoop(op.Block(), terms) || f.nest.UsedDeeper(op) || !f.may("form", op) {
		return
	}
	b := builder{scalar.Before(op), f, op.Block()}
	op.Result(0).ReplaceAllUsesWith(b.address(base.Operand(0), p))
	f.gone = append(f.gone, chain...)
	f.formed++
}

// splitsByLoop reports whether some terms change in the innermost loop of a block, and others do not.
func (f *former) splitsByLoop(at ir.Block, terms []term) bool {
	l := f.nest.Innermost(at)
	return l != nil && slices.ContainsFunc(terms, func(t term) bool { return !f.changes(l, t) })
}

func (f *former) changes(l *loops.Loop, t term) bool {
	return t.v.IsNil() && slices.ContainsFunc(t.x, func(x ir.Value) bool { return f.nest.Contains(l, x.Block()) }) ||
		!t.v.IsNil() && f.nest.Contains(l, t.v.Block())
}

// A builder writes the terms of an address. What several addresses need is written once.
type builder struct {
	scalar.Builder
	f  *former
	at ir.Block
}

// address adds to a base what a plan says. Single numbers come before products: threads share these, and ptxas adds a
// parameter to either.
func (b builder) address(base ir.Value, p plan) ir.Value {
	for _, v := range b.values(p.terms) {
		base = b.Create(nvvm.PtrAdd, []ir.Value{base, v}, []ir.Type{base.Type()}).Result(0)
	}
	if len(p.elements) == 0 {
		return base
	}
	values := b.values(p.elements)
	sum := values[0]
	for _, v := range values[1:] {
		sum = b.Op(arith.AddI, sum, v)
	}
	return b.Create(nvvm.PtrAdd, []ir.Value{base, b.times(sum, p.by)}, []ir.Type{base.Type()}).Result(0)
}

func (b builder) values(terms []term) (out []ir.Value) {
	terms = slices.Clone(terms)
	slices.SortStableFunc(terms, func(s, t term) int { return len(s.x)/2 - len(t.x)/2 })
	for _, t := range terms {
		out = append(out, b.value(t))
	}
	return out
}

// value computes a term.
func (b builder) value(t term) ir.Value {
	switch len(t.x) {
	case 0:
		return b.times(t.v, t.k)
	case 1:
		if t.k == 1 {
			return b.extended(t.x[0], t.signed)
		}
		return b.once(made{what: nvvm.MulWide, of: t.x[0], by: t.k, signed: t.signed}, func() ir.Value {
			return b.times(b.extended(t.x[0], t.signed), t.k)
		})
	}
	x := slices.Clone(t.x)
	if t.k != 1 {
		i := b.f.room(t)
		x[i] = b.multiple(x[i], t.k, t.signed)
	}
	u, v := b.extended(x[0], t.signed), b.extended(x[1], t.signed)
	return b.once(made{what: arith.MulI, of: u, with: v}, func() ir.Value { return b.Op(arith.MulI, u, v) })
}

// times multiplies a number of 64 bits by a constant.
func (b builder) times(v ir.Value, k int64) ir.Value {
	if k == 1 {
		return v
	}
	return b.once(made{what: arith.MulI, of: v, by: k}, func() ir.Value { return b.Op(arith.MulI, v, b.Int(v.Type(), k)) })
}

// multiple multiplies a number of 32 bits by a constant for which there is room.
func (b builder) multiple(v ir.Value, k int64, signed bool) ir.Value {
	return b.once(made{what: arith.MulI, of: v, by: k}, func() ir.Value {
		def, by := arith.MulI, k
		if bits.OnesCount64(uint64(k)) == 1 {
			def, by = arith.ShLI, int64(bits.TrailingZeros64(uint64(k)))
		}
		promise := arith.Promise(b.Context(), numeric.Wraps{Signed: signed, Unsigned: !signed})
		return b.Create(def, []ir.Value{v, b.Int(v.Type(), by)}, []ir.Type{v.Type()}, promise...).Result(0)
	})
}

func (b builder) extended(v ir.Value, signed bool) ir.Value {
	def := arith.ExtUI
	if signed {
		def = arith.ExtSI
	}
	return b.once(made{what: def, of: v}, func() ir.Value { return b.Cast(def, v, b.Context().Int(64)) })
}

// once returns what an earlier address has made.
func (b builder) once(key made, make func() ir.Value) ir.Value {
	v, ok := b.f.made[key]
	if !ok || !b.f.dom.BlockDominates(v.Block(), b.at) {
		v = make()
		b.f.made[key] = v
	}
	return v
}
