package opttool

import (
	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// TileOpt returns tile-opt: the tool for the IR of all levels, with the passes that the program links.
func TileOpt() *Tool {
	return &Tool{
		Name:         "tile-opt",
		Dialects:     tileir.Dialects(),
		Syntax:       func(*ir.Context) asm.ParseOptions { return tileir.Syntax() },
		Wrap:         tileir.Wrap,
		Target:       tileir.Target,
		Flags:        HintFlags,
		IsBytecode:   bytecode.Is,
		ReadBytecode: func(ctx *ir.Context, _ string, data []byte) (ir.Op, error) { return bytecode.Read(ctx, data) },
	}
}
