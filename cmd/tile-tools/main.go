// Command tile-tools is all programs as one, which the Python wheel carries.
package main

import (
	"context"
	"os"

	"github.com/tilewright/tilewright/cmd/tile-tools/multitool"
	"github.com/tilewright/tilewright/internal/tooling/cli"
)

func main() {
	cli.Program(multitool.Patient(os.Args[0], os.Args[1:]), func(ctx context.Context) int {
		return multitool.Main(ctx, os.Args[0], os.Args[1:], os.Stdout, os.Stderr)
	})
}
