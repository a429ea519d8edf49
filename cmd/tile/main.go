// Command tile says whether a kernel is right (tile judge), checks the synchronization of PTX (tile check), estimates how
// long a launch takes (tile time), chooses among configurations (tile tune), and says what is installed (tile doctor).
package main

import (
	"context"
	"os"

	"github.com/tilewright/tilewright/cmd/tile/tiletool"
	"github.com/tilewright/tilewright/internal/tooling/cli"
)

func main() {
	cli.Program(true, func(ctx context.Context) int {
		return tiletool.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	})
}
