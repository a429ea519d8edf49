// Command tile-opt reads Tile IR, or the IR of any level below, runs passes on it and prints the result. It is the workbench
// for debugging and writing passes; tile-opt --help lists what it can do.
package main

import (
	"os"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/ir"
	_ "github.com/tilewright/tilewright/passes/all"
	"github.com/tilewright/tilewright/pipeline/opttool"
)

func main() {
	os.Exit(tool().Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func tool() *opttool.Tool {
	t := opttool.TileOpt()
	t.IsBytecode = bytecode.Is
	t.ReadBytecode = func(ctx *ir.Context, _ string, data []byte) (ir.Op, error) { return bytecode.Read(ctx, data) }
	return t
}
