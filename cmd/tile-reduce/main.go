// Command tile-reduce shrinks a module while a program of the user finds it interesting; tile-reduce --help lists its flags.
package main

import (
	"context"
	"os"
	"os/signal"

	"github.com/tilewright/tilewright/cmd/tile-reduce/reducetool"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(reducetool.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
