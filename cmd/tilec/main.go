// Command tilec compiles Tile IR kernels to PTX or cubins, or to the IR of a level on the way; tilec --help lists
// what it can do. Under the name tileiras it stands in for NVIDIA's assembler of that name.
package main

import (
	"context"
	"os"

	"github.com/tilewright/tilewright/cmd/tilec/compiletool"
	"github.com/tilewright/tilewright/internal/tooling/cli"
)

func main() {
	cli.Program(true, func(ctx context.Context) int {
		return compiletool.Main(ctx, os.Args[0], os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	})
}
