// Command tile-opt reads Tile IR, or the IR of any level below, runs passes on it and prints the result. It is the
// workbench for debugging and writing passes; tile-opt --help lists what it can do.
package main

import (
	"context"
	"os"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	_ "github.com/tilewright/tilewright/passes/all"
)

func main() {
	cli.Program(false, func(_ context.Context) int {
		return opttool.TileOpt().Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	})
}
