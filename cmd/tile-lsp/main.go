// Command tile-lsp is a language server for the text of Tile IR; tile-lsp --help says how editors start it.
package main

import (
	"context"
	"os"

	"github.com/tilewright/tilewright/cmd/tile-lsp/lsptool"
	"github.com/tilewright/tilewright/internal/tooling/cli"
)

func main() {
	cli.Program(true, func(ctx context.Context) int {
		return lsptool.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	})
}
