// Command tile-view shows what becomes of a kernel in a browser, and compiles again as the file or the flags change;
// tile-view --help lists its flags.
package main

import (
	"context"
	"os"

	"github.com/tilewright/tilewright/cmd/tile-view/viewtool"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	_ "github.com/tilewright/tilewright/passes/all"
)

func main() {
	cli.Program(true, func(ctx context.Context) int {
		return viewtool.Main(ctx, os.Args[1:], os.Stdout, os.Stderr)
	})
}
