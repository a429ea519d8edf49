// Command tile-run runs Tile IR kernels without a GPU, on the interpreter or as PTX in the emulator. It compares what
// they compute with what is expected. tile-run --help lists what it can do, and tile-run --demo shows it.
package main

import (
	"context"
	"os"

	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/internal/tooling/cli"
)

func main() {
	cli.Program(true, func(ctx context.Context) int {
		return runtool.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	})
}
