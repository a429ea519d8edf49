package kernelsuite

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	_ "github.com/tilewright/tilewright/passes/all"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/engine/npy"
	"github.com/tilewright/tilewright/tests/lit"
)

// Run runs the .mlir files below a folder of the package pkg, in whose folder the test runs: in the short tier every
// second one.
func Run(t *testing.T, pkg, root string) {
	t.Helper()
	s := lit.Suite{
		Root:    root,
		Package: pkg,
		Every:   2,
		Tools: map[string]lit.Tool{
			"tile-opt":   opttool.TileOpt().Main,
			"tile-run":   tileRun,
			"run-tileas": tool(runTileAS),
			"assemble":   tool(assemble),
			"print-npy":  tool(printArray),
		},
	}
	s.Run(t)
}

// tileRun is tile-run with the further arguments of launches that ParseArg reads.
func tileRun(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	dir, err := os.MkdirTemp("", "tile-run")
	if err == nil {
		defer os.RemoveAll(dir)
		args, err = written(args, dir)
	}
	if err != nil {
		fmt.Fprintln(stderr, "error:", err)
		return 1
	}
	return runtool.Main(context.Background(), args, stdin, stdout, stderr)
}

// tool makes a tool of a function that returns what is wrong.
func tool(run func(args []string, stdout, stderr io.Writer) error) lit.Tool {
	return func(args []string, _ io.Reader, stdout, stderr io.Writer) int {
		if err := run(args, stdout, stderr); err != nil {
			fmt.Fprintln(stderr, "error:", err)
			return 1
		}
		return 0
	}
}

func printArray(args []string, stdout, _ io.Writer) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: print-npy FILE")
	}
	a, err := npy.ReadFile(args[0])
	if err != nil {
		return err
	}
	b, err := launch.NewBuffer(a, 0)
	if err != nil {
		return err
	}
	printBuffer(stdout, b)
	return nil
}

// perRow is how many elements a line of printed numbers has.
const perRow = 16

func printBuffer(w io.Writer, b *launch.Buffer) {
	for i := 0; i < b.Len(); i += perRow {
		var row []string
		for j := i; j < min(i+perRow, b.Len()); j++ {
			row = append(row, b.DType.FormatValue(b.DType.Load(b.Data, j)))
		}
		fmt.Fprintln(w, strings.Join(row, " "))
	}
}
