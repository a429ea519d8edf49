package suite

import (
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/cmd/tile-translate/translatetool"
	_ "github.com/tilewright/tilewright/passes/all"
	"github.com/tilewright/tilewright/tests/lit"
)

// TestSuite runs every file below this folder.
func TestSuite(t *testing.T) {
	t.Parallel()
	s := lit.Suite{
		Root:       ".",
		Extensions: []string{".mlir"},
		Package:    "./tests/suite",
		Tools: map[string]lit.Tool{"tile-opt": opttool.TileOpt().Main, "tile-translate": (&translatetool.Tool{}).Main,
			"ptx-counts": ptxCounts, "plans": planTool},
	}
	s.Run(t)
}
