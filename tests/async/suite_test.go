package async

import (
	"testing"

	"github.com/tilewright/tilewright/tests/kernelsuite"
)

// TestKernels runs every .mlir file below this folder.
func TestKernels(t *testing.T) {
	t.Parallel()
	kernelsuite.Run(t, "./tests/async", ".")
}
