package ops

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/canonical"
	"github.com/tilewright/tilewright/dialects/cudatile/facts"
	"github.com/tilewright/tilewright/dialects/cudatile/syntax"
	"github.com/tilewright/tilewright/ir"
)

// Dialect is cuda_tile, with its operations.
var Dialect = cudatile.Bare

func init() {
	Dialect.Types, Dialect.Attrs = typeDocs, attrDocs
	Dialect.Directives = map[string]ir.Directive{"MemoryAttributes": syntax.MemoryAttributes}
	Dialect.Materialize = materialize
	for def, terminator := range map[*ir.OpDef]*ir.OpDef{cudatile.For: cudatile.Continue, cudatile.Loop: cudatile.Continue, cudatile.If: cudatile.Yield} {
		def.Attach(ir.ImpliedTerminator.Is(func(r ir.Region) bool { return syntax.HidesTerminator(r, terminator) }))
	}
	canonical.Attach()
	facts.Attach()
}

// materialize builds the constant of a folded value.
func materialize(b *ir.Builder, value ir.Attribute, t ir.Type, loc ir.Location) ir.Op {
	a, ok := value.(*ir.DenseElementsAttr)
	if !ok || a.Type() != t || !numberTile.Check(t) {
		return ir.Op{}
	}
	st := b.NewState(cudatile.Constant, loc)
	st.SetAttr("value", a)
	st.Types = []ir.Type{t}
	return b.Insert(st)
}
