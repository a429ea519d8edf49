package fallback

import (
	"context"
	"io"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/cmd/tilec/compiletool"
	"github.com/tilewright/tilewright/tests/lit"
)

// TestSuite runs the files below testdata.
func TestSuite(t *testing.T) {
	t.Parallel()
	s := lit.Suite{
		Root:    "testdata",
		Package: "./tests/fallback",
		Tools:   map[string]lit.Tool{"tile-opt": opttool.TileOpt().Main, "tile-run": tileRun, "tilec": tilec},
	}
	s.Run(t)
}

func tileRun(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return runtool.Main(context.Background(), args, stdin, stdout, stderr)
}

func tilec(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return compiletool.Main(context.Background(), "tilec", args, stdin, stdout, stderr)
}
