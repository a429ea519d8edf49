// Command tile-run runs Tile IR kernels without a GPU, on the interpreter or as PTX in the emulator, and compares what they compute with
// what is expected; tile-run --help lists what it can do, tile-run --demo shows it.
package main

import (
	"context"
	"os"
	"os/signal"

	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := runtool.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}
