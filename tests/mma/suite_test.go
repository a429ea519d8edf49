package mma

import (
	"testing"

	"github.com/tilewright/tilewright/tests/kernelsuite"
)

// TestKernels runs every .mlir file of short_k.
func TestKernels(t *testing.T) {
	t.Parallel()
	kernelsuite.Run(t, "./tests/mma", "short_k")
}
