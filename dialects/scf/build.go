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
