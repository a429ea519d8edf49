package nest

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// Values makes values of the outer body once more, for another iteration.
type Values struct {
	Nest     *Nest
	Body     ir.Block // of the outer loop, as it is by now
	Builder  *ir.Builder
	Argument func(i int) ir.Value // of the body, in that iteration
	made     map[ir.Value]ir.Value
}

// Of returns what a value is in that iteration.
func (w *Values) Of(v ir.Value) ir.Value {
	if v.Block() != w.Body && !w.Nest.guarded(v) {
		return v
	}
	if v.IsBlockArg() {
		return w.Argument(v.Index())
	}
	return again(w.Builder, &w.made, v, w.Of)
}

// again makes the operation of a value once more, of inputs as they are elsewhere.
func again(b *ir.Builder, made *map[ir.Value]ir.Value, v ir.Value, of func(ir.Value) ir.Value) ir.Value {
	if *made == nil {
		*made = make(map[ir.Value]ir.Value)
	}
	if w, ok := (*made)[v]; ok {
		return w
	}
	op, m := v.DefiningOp(), ir.NewMapping()
	for _, u := range Inputs(op) {
		m.Values[u] = of(u)
	}
	for i, r := range b.Clone(op, m).Results() {
		(*made)[op.Result(i)] = r
	}
	return (*made)[v]
}

// Handed returns the values that the next iteration has from its fill: those that are made for it anyway and that something else uses too. Constants are not worth a register.
func (n *Nest) Handed() (out []ir.Value) {
	for op := range n.Outer.Body().Ops() {
		if !n.again[op] || op.NumOperands() == 0 {
			continue
		}
		for _, r := range op.Results() {
			for u := range r.Uses() {
				if !n.again[u.Owner()] {
					out = append(out, r)
					break
				}
			}
		}
	}
	return out
}

// HandOver lets what has a value from its fill take that instead, and erases what made it.
func (n *Nest) HandOver(values, handed []ir.Value) {
	for i, v := range values {
		v.ReplaceUsesIf(handed[i], func(u ir.Use) bool { return !n.again[u.Owner()] })
	}
	var ops []ir.Op
	for op := range n.Outer.Body().Ops() {
		if n.again[op] {
			ops = append(ops, op)
		}
	}
	for _, op := range slices.Backward(ops) {
		if !slices.ContainsFunc(op.Results(), ir.Value.HasUses) {
			op.Erase()
		}
	}
}

// Takes reports whether the fill of the next iteration rests on a value that the loop around carries.
func (n *Nest) Takes(i int) bool { return n.carried[i] }

// Early returns a value of this iteration, in front of the operations that make it if they stand behind the loop inside.
func (n *Nest) Early(b *ir.Builder, v ir.Value) ir.Value {
	if op := v.DefiningOp(); op.IsNil() || !n.late[op] {
		return v
	}
	return again(b, &n.early, v, func(u ir.Value) ir.Value { return n.Early(b, u) })
}
