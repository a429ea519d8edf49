package maskloads

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// joinBounds compares an index once with the smaller of a scalar and a constant, where a mask compares it with both.
//
//	%a = cmpi ult, %x, splat %n                             %least = minui %n, 16
//	%b = cmpi ult, %x, 16                                   %mask = cmpi ult, %x, splat %least
//	%mask = andi %a, %b
func joinBounds(r *passes.Run, access ir.Op) {
	for again := true; again; {
		again = false
		uses := bounds(access.OperandNamed("mask"))
		for _, u := range uses {
			cmp := u.Value().DefiningOp()
			if source(cmp.Operand(1)) == cmp.Operand(1) {
				continue // no scalar
			}
			i := slices.IndexFunc(uses, func(other ir.Use) bool { return constantBound(cmp, other.Value().DefiningOp()) })
			if i >= 0 && r.May("join-bounds", cmp) {
				join(u, uses[i])
				r.Add(numJoined, 1)
				again = true
				break
			}
		}
	}
}

// bounds returns the uses of unsigned comparisons in a conjunction of which nothing else reads a part.
func bounds(v ir.Value) []ir.Use {
	op := v.DefiningOp()
	if op.IsNil() || !op.Is(arith.AndI) || !v.HasOneUse() {
		return nil
	}
	var uses []ir.Use
	for i := range 2 {
		if def := op.Operand(i).DefiningOp(); !def.IsNil() && def.Is(arith.CmpI) && def.StringAttr(arith.AttrPredicate) == "ult" {
			uses = append(uses, op.OperandUse(i))
		}
		uses = append(uses, bounds(op.Operand(i))...)
	}
	return uses
}

// constantBound reports whether a comparison is of the same index as another one, with a constant. That one may extend
// the index: the sign keeps the order of what is below a number that is not negative.
func constantBound(cmp, other ir.Op) bool {
	n, ok := constant(other.Operand(1))
	x := cmp.Operand(0)
	if def := x.DefiningOp(); !def.IsNil() && def.Is(arith.ExtSI) && x != other.Operand(0) {
		x = def.Operand(0)
	}
	return ok && n >= 0 && x == other.Operand(0) && cmp != other
}

// join replaces two conjuncts by one.
func join(u, constantly ir.Use) {
	cmp := u.Value().DefiningOp()
	b := ir.BuilderBefore(cmp)
	b.SetLocOf(cmp)
	n := source(cmp.Operand(1))
	k, _ := constant(constantly.Value().DefiningOp().Operand(1))
	least := b.Create(arith.MinUI, []ir.Value{n, arith.NewInt(b, n.Type(), k)}, []ir.Type{n.Type()}).Result(0)
	limit := b.Create(tileaa.Level.Splat, []ir.Value{least}, []ir.Type{cmp.Operand(1).Type()}).Result(0)
	u.Set(arith.NewCmpI(b, "ult", cmp.Operand(0), limit))
	and := constantly.Owner()
	and.Result(0).ReplaceAllUsesWith(and.Operand(1 - constantly.Index()))
	and.Erase()
}
