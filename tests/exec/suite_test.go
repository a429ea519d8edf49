package exec

import (
	"testing"

	"github.com/tilewright/tilewright/tests/kernelsuite"
)

// TestKernels runs the .mlir files of these folders.
func TestKernels(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"alloca", "atomic_sums", "bounds", "half_bytes", "reported_defects"} {
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			kernelsuite.Run(t, "./tests/exec", folder)
		})
	}
}
