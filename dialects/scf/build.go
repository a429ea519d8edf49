package scf

import "github.com/tilewright/tilewright/ir"

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
	st := b.NewState(For, b.Loc)
	st.Operands = append([]ir.Value{lower, upper, step}, inits...)
	arguments := []ir.Type{lower.Type()}
	for _, v := range inits {
		st.Types = append(st.Types, v.Type())
		arguments = append(arguments, v.Type())
	}
	for _, a := range attrs {
		st.SetAttr(a.Name, a.Value)
	}
	st.AddRegion().AddBlock(arguments...)
	return b.Insert(st)
}

// CreateForLike makes a loop with the attributes of another one.
func CreateForLike(b *ir.Builder, old ir.Op, lower, upper, step ir.Value, inits []ir.Value) ir.Op {
	loop := CreateFor(b, lower, upper, step, inits, old.InherentAttrs()...)
	loop.SetDiscardableAttrs(old.DiscardableAttrs())
	return loop
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
