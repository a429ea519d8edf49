package nest

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// A Values rematerializes values of the outer body for another iteration.
type Values struct {
	Nest     *Nest
	Body     ir.Block // the current body of the outer loop
	Builder  *ir.Builder
	Argument func(i int) ir.Value // the arguments of the body in that iteration
	made     map[ir.Value]ir.Value
}

// Of returns a value as it is in that iteration.
func (w *Values) Of(v ir.Value) ir.Value {
	if v.Block() != w.Body && !w.Nest.guarded(v) {
		return v
	}
	if v.IsBlockArg() {
		return w.Argument(v.Index())
	}
	return rematerialize(w.Builder, &w.made, v, w.Of)
}

// rematerialize clones the operation of a value, with its operands mapped by of.
func rematerialize(b *ir.Builder, made *map[ir.Value]ir.Value, v ir.Value, of func(ir.Value) ir.Value) ir.Value {
	if *made == nil {
		*made = make(map[ir.Value]ir.Value)
	}
	if w, ok := (*made)[v]; ok {
		return w
	}
	op := v.DefiningOp()
	for i, r := range b.CloneWith(op, of).Results() {
		(*made)[op.Result(i)] = r
	}
	return (*made)[v]
}

// Handed returns the values made so far that the iteration also uses elsewhere, and that it gets from the fill.
// Constants are not worth a register.
func (w *Values) Handed() (out []ir.Value) {
	elsewhere := func(user ir.Op) bool { return !w.Nest.remade[user] }
	for op := range w.Nest.Outer.Body().Ops() {
		out = append(out, ir.Filter(op.Results(), func(r ir.Value) bool {
			return !w.made[r].IsNil() && op.NumOperands() > 0 && r.UsedBy(elsewhere)
		})...)
	}
	return out
}

// HandOver replaces values by those that the fill hands over, and erases their unused definitions.
func (n *Nest) HandOver(values, handed []ir.Value) {
	for i, v := range values {
		v.ReplaceUsesIf(handed[i], func(u ir.Use) bool { return !n.remade[u.Owner()] })
	}
	// From uses to definitions: erasing one may leave the next without uses.
	for _, op := range slices.Backward(slices.Collect(n.Outer.Body().Ops())) {
		if n.remade[op] && !op.HasUses() {
			op.Erase()
		}
	}
}

// Takes reports whether the next fill depends on a loop-carried value of the outer loop.
func (n *Nest) Takes(i int) bool { return n.carried[i] }

// Early returns a value of this iteration, rematerialized if its definition comes after the inner loop.
func (n *Nest) Early(b *ir.Builder, v ir.Value) ir.Value {
	if op := v.DefiningOp(); op.IsNil() || !n.late[op] {
		return v
	}
	return rematerialize(b, &n.early, v, func(u ir.Value) ir.Value { return n.Early(b, u) })
}
