package pipelining

import (
	"bytes"
	"testing"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/passes/schedule"
)

// A conversion inside warps takes shared memory if it takes many shuffles, and none if it takes few: the room for stages
// of loops and what tileas-materialize-convert-layout does are one decision.
func TestScratchInsideWarps(t *testing.T) {
	t.Parallel()
	const text = `
#fragment = #nv_tileas.layout<"{shape = [32, 256], register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 32], [0, 64], [0, 128]], block = []}">
#columns = #nv_tileas.layout<"{shape = [32, 256], register = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [0, 64], [0, 128]], block = []}">
#few = #nv_tileas.layout<"{shape = [32, 1], register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">
#turned = #nv_tileas.layout<"{shape = [32, 1], register = [], lane = [[2, 0], [1, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">
nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %x = arith.constant dense<1.000000e+00> : tensor<32x256xf32> as tensor<32x256xf32, #fragment>
  %many = nv_tileas.convert_layout %x : tensor<32x256xf32, #fragment> -> tensor<32x256xf32, #columns>
  %y = arith.constant dense<1.000000e+00> : tensor<32x1xf32> as tensor<32x1xf32, #few>
  %few = nv_tileas.convert_layout %y : tensor<32x1xf32, #few> -> tensor<32x1xf32, #turned>
  nv_tileas.return
}`
	var scratch []int
	for op := range kerneltest.Read(t, new(bytes.Buffer), "conversions.mlir", []byte(text)).All() {
		if op.Is(tileas.ConvertLayout) {
			scratch = append(scratch, schedule.Scratch(op))
		}
	}
	if len(scratch) != 2 || scratch[0] != 32*256*4 || scratch[1] != 0 {
		t.Errorf("conversions take %d bytes of shared memory, expected 32768 and 0", scratch)
	}
}
