package canonical

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
	"github.com/tilewright/tilewright/ir/rewrite"
)

func attachTruth() {
	cudatile.CmpI.Attach(rewrite.Canonicalizers.Is([]rewrite.Pattern{{Name: "comparison-of-truth", Rewrite: comparisonOfTruth}}))
	cudatile.TruncI.Attach(rewrite.Canonicalizers.Is([]rewrite.Pattern{{Name: "truncation-of-truth", Rewrite: truncationOfTruth}}))
}

// comparisonOfTruth: a number that is 1 where a condition holds and else 0, compared with 0 or 1, is the condition or
// its negation.
//
//	cmpi not_equal (exti %c unsigned), 0                                     ->      %c
//	cmpi not_equal (andi (exti %c unsigned), (broadcast (exti %d unsigned))), 0   ->      andi %c, (broadcast %d)
//
// The front end of CUDA Tile C++ keeps each bool as a byte, combines the bytes, and asks whether the result is 0
// where it is a mask. As i8 they hide from those who look at masks what they compare.
func comparisonOfTruth(op ir.Op, rw *rewrite.Rewriter) bool {
	k, ok := constfold.Splat(ir.ConstantValue(op.Operand(1)))
	predicate := cudatile.PredicateOf(op)
	if !ok || k > 1 || predicate != cudatile.Equal && predicate != cudatile.NotEqual || cudatile.IsInt(cudatile.ElemOf(op.Operand(0).Type()), 1) {
		return false
	}
	t := truths{rw: rw, left: truthOps}
	if !t.holds(op.Operand(0)) {
		return false
	}
	cond := t.of(op.Operand(0))
	if (predicate == cudatile.Equal) == (k == 0) {
		cond = not(rw, cond)
	}
	rw.Replace(op, cond)
	return true
}

// truncationOfTruth: 1 and 0 are so in fewer bits.
//
//	trunci (exti %c unsigned : i1 -> i32) : i32 -> i8      ->      exti %c unsigned : i1 -> i8
func truncationOfTruth(op ir.Op, rw *rewrite.Rewriter) bool {
	inner := op.Operand(0).DefiningOp()
	if inner.IsNil() || !isTruthExtended(inner) || cudatile.IsInt(cudatile.ElemOf(op.Result(0).Type()), 1) {
		return false
	}
	rw.ReplaceWithNew(op, cudatile.ExtI, []ir.Value{inner.Operand(0)}, op.ResultTypes(), ir.NamedAttr{Name: "signedness", Value: cudatile.Unsigned.Attr(op.Context())})
	return true
}

func isTruthExtended(op ir.Op) bool {
	return op.Is(cudatile.ExtI) && cudatile.IsInt(cudatile.ElemOf(op.Operand(0).Type()), 1) && cudatile.SignednessOf(op) == cudatile.Unsigned
}

// truthOps bounds the operations that are looked at below one comparison: shared operands are looked at once for each
// use.
const truthOps = 32

// truths makes conditions of numbers that are 0 or 1.
type truths struct {
	rw   *rewrite.Rewriter
	left int
}

// holds reports whether a number can be made a condition. Nothing is made before all of it can.
func (t *truths) holds(v ir.Value) bool {
	if t.left--; t.left < 0 {
		return false
	}
	if k, ok := constfold.Splat(ir.ConstantValue(v)); ok {
		return k <= 1
	}
	op := v.DefiningOp()
	switch {
	case op.IsNil():
		return false
	case isTruthExtended(op):
		return true
	case op.Is(cudatile.Broadcast), op.Is(cudatile.Reshape), op.Is(cudatile.Permute):
		return t.holds(op.Operand(0))
	case op.Is(cudatile.ExtI):
		return cudatile.SignednessOf(op) == cudatile.Unsigned && t.holds(op.Operand(0))
	}
	if inverted, ok := inverse(op); ok {
		return t.holds(inverted)
	}
	return (op.Is(cudatile.AndI) || op.Is(cudatile.OrI) || op.Is(cudatile.XorI)) && t.holds(op.Operand(0)) && t.holds(op.Operand(1))
}

// inverse returns x of andi (xori x, -1), 1, which is how that front end writes the negation of a byte.
func inverse(op ir.Op) (ir.Value, bool) {
	if !op.Is(cudatile.AndI) {
		return ir.Value{}, false
	}
	one, ok := constfold.Splat(ir.ConstantValue(op.Operand(1)))
	xor := op.Operand(0).DefiningOp()
	if !ok || one != 1 || xor.IsNil() || !xor.Is(cudatile.XorI) {
		return ir.Value{}, false
	}
	// The lowest bit alone counts: whatever the others are turned by, the 1 is all that is left of them.
	bits, ok := constfold.Splat(ir.ConstantValue(xor.Operand(1)))
	return xor.Operand(0), ok && bits&1 == 1
}

// of makes the condition of a number that holds.
func (t *truths) of(v ir.Value) ir.Value {
	to := v.Type().(*cudatile.TileType).With(t.rw.Context().Int(1))
	if k, ok := constfold.Splat(ir.ConstantValue(v)); ok {
		return splatAtStart(t.rw, to, k)
	}
	op := v.DefiningOp()
	switch {
	case isTruthExtended(op):
		return op.Operand(0)
	case op.Is(cudatile.ExtI):
		return t.of(op.Operand(0))
	}
	if inverted, ok := inverse(op); ok {
		return not(t.rw, t.of(inverted))
	}
	operands := make([]ir.Value, op.NumOperands())
	for i := range operands {
		operands[i] = t.of(op.Operand(i))
	}
	// The attributes say how to permute; what they promise of wrapping, which only arithmetic has, is not among them.
	return t.rw.Create(op.Def(), operands, []ir.Type{to}, op.InherentAttrs()...).Result(0)
}
