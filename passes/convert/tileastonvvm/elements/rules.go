package elements

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// Elementwise returns the rule of operations that need no row, since a thread does for each element what they say.
func Elementwise(op ir.Op) core.Rule {
	if _, ok := arith.Elementwise.Of(op); ok {
		return elementwise
	}
	return nil
}

// Rules lower what moves nothing between threads and touches no memory.
var Rules = map[*ir.OpDef]core.Rule{
	arith.Constant:     constant,
	tileas.Level.Splat: splat, tileas.Level.Unsplat: unsplat,
	tileas.Level.Reshape: (*core.Lowering).Same, tileas.Level.Permute: (*core.Lowering).Same, tileas.Level.PtrToPtr: (*core.Lowering).Same,
	tileas.Level.Broadcast: broadcast, tileas.Level.Range: makeRange,
	tileas.Level.AddPtr: addPtr, tileas.Level.PtrToInt: addresses, tileas.Level.IntToPtr: addresses,
	tileas.Level.Extract: extract, tileas.Level.Insert: insertPart, tileas.Level.Cat: cat,
	tileas.Level.Pack: packBytes, tileas.Level.Unpack: unpackBytes,
	tileas.Level.MakeToken: core.Nothing, tileas.Level.JoinTokens: core.Nothing,
}
