package tests

import "testing"

// TestShortDotOfBytes: a product of f8 along a K of 16 with a sum in f16, which has an instruction of its own, on every engine.
func TestShortDotOfBytes(t *testing.T) {
	t.Parallel()
	scheduled{gpu: "sm_89", out: 32 * 32, passes: "tileas-legalize-dot,tileas-assign-layouts,tileas-legalize-atomics,tileas-legalize-reduce,tileas-materialize-convert-layout", text: `
  %n32 = arith.constant 32 : i64
  %l = arith.constant dense<1.5> : tensor<32x16xf8E5M2>
  %r = arith.constant dense<2.0> : tensor<16x32xf8E5M2>
  %c = arith.constant dense<1.0> : tensor<32x32xf16>
  %d = nv_tileas.dot %l, %r, %c : tensor<32x16xf8E5M2>, tensor<16x32xf8E5M2> -> tensor<32x32xf16>
  %i = arith.fptosi %d : tensor<32x32xf16> to tensor<32x32xi32>
  %done = nv_tileas.tiled_store %i, %q[%at, %zero] sizes [%n32, %n32] strides [%n32, %unit] {bounds = array<i1: true, true>} : tensor<32x32xi32>, !nv_tileas.ptr<i32>`,
		want: func(int) uint64 { return 49 }}.runsAlike(t)
}
