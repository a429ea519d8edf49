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

// TestBatches runs every .mlir file of batches: MMAs of a batch with one right operand.
func TestBatches(t *testing.T) {
	t.Parallel()
	kernelsuite.Run(t, "./tests/mma", "batches")
}
