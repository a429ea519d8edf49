// Command tile says whether a kernel is right (tile judge), and what is installed (tile doctor).
package main

import (
	"context"
	"os"

	"github.com/tilewright/tilewright/cmd/tile/doctor"
	"github.com/tilewright/tilewright/cmd/tile/judge"
	"github.com/tilewright/tilewright/internal/tooling/cli"
)

func main() {
	cli.Program(true, func(ctx context.Context) int {
		if len(os.Args) > 1 && os.Args[1] == "judge" {
			return judge.Main(ctx, os.Args[2:], os.Stdin, os.Stdout, os.Stderr)
		}
		return doctor.Main(ctx, os.Args[1:], os.Stdout, os.Stderr)
	})
}
