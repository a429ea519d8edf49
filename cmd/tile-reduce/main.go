// Command tile-reduce shrinks a module while a program of the user finds it interesting; tile-reduce --help lists its
// flags.
package main

import (
	"context"
	"os"

	"github.com/tilewright/tilewright/cmd/tile-reduce/reducetool"
	"github.com/tilewright/tilewright/internal/tooling/cli"
)

func main() {
	cli.Program(true, func(ctx context.Context) int {
		return reducetool.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	})
}
