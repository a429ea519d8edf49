package conversion

import (
	"github.com/tilewright/tilewright/ir"
)

// lookup returns what is known about a value of the input that op uses.
func (s *state) lookup(v ir.Value, op ir.Op) (*entry, error) {
	e := s.values[v]
	if e == nil {
		return nil, op.Errorf("uses a value that is not defined before it")
	}
	return e, nil
}

// converted returns what v was converted to, for use by op.
func (s *state) converted(v ir.Value, op ir.Op) ([]ir.Value, error) {
	e, err := s.lookup(v, op)
	if err != nil {
		return nil, err
	}
	if e.done {
		return e.converted, nil
	}
	want, ok := s.conv.Types.ConvertValue(v)
	if !ok {
		return nil, op.Errorf("uses a value of type '%s', which cannot be converted", ir.TypeString(v.Type()))
	}
	hook := Materializer(nil)
	if s.conv.Types != nil {
		hook = s.conv.Types.target
	}
	vs, err := s.materialize(e, hook, want, []ir.Value{e.original}, op)
	if err != nil {
		return nil, err
	}
	e.converted, e.done = vs, true
	return vs, nil
}

// old returns a value of the type that v has, for use by op, which is kept.
func (s *state) old(v ir.Value, op ir.Op) (ir.Value, error) {
	e, err := s.lookup(v, op)
	if err != nil {
		return ir.Value{}, err
	}
	if !e.original.IsNil() {
		return e.original, nil
	}
	hook := Materializer(nil)
	if s.conv.Types != nil {
		hook = s.conv.Types.source
	}
	vs, err := s.materialize(e, hook, []ir.Type{v.Type()}, e.converted, op)
	if err != nil {
		return ir.Value{}, err
	}
	e.original = vs[0]
	return e.original, nil
}

// materialize makes values of the types want where the values have are defined.
func (s *state) materialize(e *entry, hook Materializer, want []ir.Type, have []ir.Value, user ir.Op) ([]ir.Value, error) {
	b := ir.BuilderAtStart(e.block)
	if !e.after.IsNil() {
		b = ir.BuilderAfter(e.after)
	} else if first := lastDefinition(e.block, have); !first.IsNil() {
		b = ir.BuilderAfter(first)
	}
	b.Loc = e.loc
	if hook != nil {
		if vs := hook(b, want, have); vs != nil {
			if !haveTypes(vs, want) {
				panic("conversion: a materialisation hook made a value of another type than it was asked for")
			}
			return vs, nil
		}
	}
	if s.conv.Cast == nil {
		return nil, user.Errorf("needs a conversion from %s to %s, which nothing makes", typeList(typesOf(have)), typeList(want))
	}
	op := b.Create(s.conv.Cast, have, want)
	s.casts = append(s.casts, op)
	return op.Results(), nil
}

// lastDefinition returns the last operation of block that defines one of vs, or a zero Op.
func lastDefinition(block ir.Block, vs []ir.Value) (last ir.Op) {
	for _, v := range vs {
		if def := v.DefiningOp(); !def.IsNil() && def.Block() == block && (last.IsNil() || last.IsBeforeInBlock(def)) {
			last = def
		}
	}
	return last
}

// throughCast handles an unrealized cast of the input whose operands were converted to just what its result is converted to.
func (s *state) throughCast(op ir.Op, to ir.Block) bool {
	if op.NumResults() != 1 {
		return false
	}
	want, ok := s.conv.Types.ConvertValue(op.Result(0))
	if !ok {
		return false
	}
	var have []ir.Value
	for _, v := range op.Operands() {
		e := s.values[v]
		switch {
		case e == nil:
			return false
		case e.done:
			have = append(have, e.converted...)
		default:
			have = append(have, e.original)
		}
	}
	if !haveTypes(have, want) {
		return false
	}
	e := &entry{block: to, after: to.Last(), loc: op.Loc()}
	s.values[op.Result(0)] = e
	s.set(e, op.Result(0), have)
	return true
}

// finish erases casts that nobody uses. In a full conversion those that remain are errors.
func (s *state) finish() error {
	for i := len(s.casts) - 1; i >= 0; i-- {
		if op := s.casts[i]; !op.Erased() && !op.HasUses() {
			op.Erase()
		}
	}
	if s.conv.Partial {
		return nil
	}
	for _, op := range s.casts {
		if op.Erased() {
			continue
		}
		err := ir.Errorf(op.Loc(), "failed to legalize unresolved materialization from %s to %s that remained live after conversion",
			typeList(typesOf(op.Operands())), typeList(op.ResultTypes()))
		for _, v := range op.Results() {
			for u := range v.Uses() {
				return err.Note(u.Owner().Loc(), "see existing live user here: '%s'", u.Owner().Name())
			}
		}
		return err
	}
	return nil
}

func typeList(ts []ir.Type) string {
	out := "("
	for i, t := range ts {
		if i > 0 {
			out += ", "
		}
		out += "'" + ir.TypeString(t) + "'"
	}
	return out + ")"
}

// Reconcile erases unrealized casts inside root that undo each other: the results of a cast whose operands are all results of another
// cast, in order, become the operands of that one if the types are the same. It reports how many casts remain.
func Reconcile(root ir.Op, cast *ir.OpDef) (remaining int) {
	var casts []ir.Op
	root.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(cast) {
			casts = append(casts, op)
		}
		return ir.Advance
	})
	for _, op := range casts {
		if from := castSource(op, cast); from != nil && haveTypes(from, op.ResultTypes()) {
			for i, v := range op.Results() {
				v.ReplaceAllUsesWith(from[i])
			}
		}
	}
	for i := len(casts) - 1; i >= 0; i-- {
		if casts[i].HasUses() {
			remaining++
		} else {
			casts[i].Erase()
		}
	}
	return remaining
}

// castSource returns the operands of the cast that made the operands of op, when it is one and made just those; else the operands of op.
func castSource(op ir.Op, cast *ir.OpDef) []ir.Value {
	operands := op.Operands()
	if len(operands) == 0 {
		return operands
	}
	from := operands[0].DefiningOp()
	if from.IsNil() || !from.Is(cast) || from.NumResults() != len(operands) {
		return operands
	}
	for i, v := range operands {
		if v != from.Result(i) {
			return operands
		}
	}
	return from.Operands()
}
