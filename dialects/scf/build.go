package scf

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// Less returns the predicate of arith.cmpi by which a for compares its counter with its upper bound.
func Less(loop ir.Op) string {
	if loop.HasUnitAttr("unsigned") {
		return "ult"
	}
	return "slt"
}

// CreateIf makes an if whose regions have a block each, which the caller ends with yields.
func CreateIf(b *ir.Builder, condition ir.Value, results []ir.Type) ir.Op {
	st := b.NewState(If, b.Loc)
	st.Operands, st.Types = []ir.Value{condition}, results
	for range 2 {
		st.AddRegion().AddBlock()
	}
	return b.Insert(st)
}

// CreateFor makes a loop whose body has one block with the counter and the loop-carried values, which the caller ends
// with a continue.
func CreateFor(b *ir.Builder, lower, upper, step ir.Value, inits []ir.Value, attrs ...ir.NamedAttr) ir.Op {
	return createLoop(b, For, []ir.Value{lower, upper, step}, inits, attrs)
}

// CreateLoopLike makes a loop of the kind of another one, with its attributes. Only a for has bounds.
func CreateLoopLike(b *ir.Builder, old ir.Op, bounds, inits []ir.Value) ir.Op {
	loop := createLoop(b, old.Def(), bounds, inits, old.InherentAttrs())
	loop.SetDiscardableAttrs(old.DiscardableAttrs())
	return loop
}

func createLoop(b *ir.Builder, def *ir.OpDef, bounds, inits []ir.Value, attrs []ir.NamedAttr) ir.Op {
	st := b.NewState(def, b.Loc)
	st.Operands, st.Types = slices.Concat(bounds, inits), ir.TypesOf(inits)
	for _, a := range attrs {
		st.SetAttr(a.Name, a.Value)
	}
	body := st.AddRegion().AddBlock()
	if len(bounds) > 0 {
		body.AddArg(bounds[0].Type())
	}
	for _, t := range st.Types {
		body.AddArg(t)
	}
	return b.Insert(st)
}

// Else returns the block of the else branch of an if without results, which is made where there is none. It yields.
func Else(op ir.Op) ir.Block {
	r := op.Region(1)
	if r.Empty() {
		ir.BuilderAtEnd(r.AddBlock()).WithLoc(op.Loc()).Create(Yield, nil, nil)
	}
	return r.First()
}

// Carry lets a loop or an if hand on more values, which start as given. It calls block with each of its blocks, and what
// the values are where the block starts. Whoever ends a block, or an iteration, appends what they are there to the
// operands of the terminator. The result is what the values are after the operation, which another one replaces.
func Carry(op ir.Op, values []ir.Value, block func(made ir.Op, b ir.Block, values []ir.Value) error) (after []ir.Value, err error) {
	n, branches, inits := op.NumResults(), op.Is(If), values
	if branches {
		inits = nil
	}
	made := ir.Extend(op, inits, ir.TypesOf(values))
	op.Erase()
	if branches {
		Else(made)
	}
	for b := range made.Blocks() {
		at := values
		if !branches {
			at = nil
			for _, v := range values {
				at = append(at, b.AddArg(v.Type()))
			}
		}
		if err := block(made, b, at); err != nil {
			return nil, err
		}
	}
	return made.Results()[n:], nil
}
