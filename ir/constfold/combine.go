package constfold

import "github.com/tilewright/tilewright/ir"

// Combiner returns the element-wise operation by which the body of a reduction of one value combines two elements. The
// body must consist of that operation on both arguments, in either order, and a terminator that yields its result.
func Combiner(body ir.Block) (Spec, bool) {
	op := body.First()
	if op.IsNil() || body.NumArgs() != 2 || op.NumOperands() != 2 || op.NumResults() != 1 || op.Next() != body.Last() {
		return Spec{}, false
	}
	a, b, end := op.Operand(0), op.Operand(1), body.Last()
	if a == b || a.Block() != body || b.Block() != body || !a.IsBlockArg() || !b.IsBlockArg() {
		return Spec{}, false
	}
	if !end.HasTrait(ir.Terminator) || end.NumOperands() != 1 || end.Operand(0) != op.Result(0) {
		return Spec{}, false
	}
	computes, ok := Computes.Of(op)
	if !ok {
		return Spec{}, false
	}
	return computes(op)
}
