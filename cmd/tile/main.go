// Command tile answers questions about an installation: tile doctor says what is there, what will be used, and why.
package main

import (
	"context"
	"os"

	"github.com/tilewright/tilewright/cmd/tile/doctor"
	"github.com/tilewright/tilewright/internal/tooling/cli"
)

func main() {
	cli.Program(true, func(ctx context.Context) int {
		return doctor.Main(ctx, os.Args[1:], os.Stdout, os.Stderr)
	})
}
