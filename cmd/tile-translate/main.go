// Command tile-translate converts between Tile IR bytecode and text, and shows what a bytecode file holds;
// tile-translate --help lists what it can do.
package main

import (
	"context"
	"os"

	"github.com/tilewright/tilewright/cmd/tile-translate/translatetool"
	"github.com/tilewright/tilewright/internal/tooling/cli"
)

func main() {
	cli.Program(false, func(_ context.Context) int {
		return translatetool.MainAs(os.Args[0], os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	})
}
