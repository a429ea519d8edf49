// Package tests holds the tests that run whole tools: FileCheck-style suites, numeric cases on every engine, and the judges.
package tests

import (
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	_ "github.com/tilewright/tilewright/passes/all"
	"github.com/tilewright/tilewright/tests/lit"
)

// TestSuite runs every file under suite.
func TestSuite(t *testing.T) {
	t.Parallel()
	s := lit.Suite{
		Root:       "suite",
		Extensions: []string{".mlir"},
		Package:    "./tests",
		Tools:      map[string]lit.Tool{"tile-opt": opttool.TileOpt().Main, "ptx-counts": ptxCounts, "plans": planTool},
	}
	s.Run(t)
}
