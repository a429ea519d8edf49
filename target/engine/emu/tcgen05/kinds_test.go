package tcgen05_test

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/tier"
)

var tensorCases = []tensorCase{
	// Narrow elements, in shared and in TMEM.
	{inst: "kind::f8f6f4", m: 128, n: 24, k: 32, a: "e2m3", b: "e3m2", d: "f32"},
	{inst: "kind::f8f6f4", m: 64, n: 8, k: 32, a: "e2m1", b: "e5m2", d: "f32", swizzleA: 32, swizzleB: 64},
	{inst: "kind::f8f6f4", m: 128, n: 256, k: 32, a: "e4m3", b: "e2m1", d: "f16", swizzleB: 128},
	{inst: "kind::f8f6f4", m: 128, n: 16, k: 32, a: "e2m1", b: "e2m3", d: "f32", inTensor: true},
	{inst: "kind::f8f6f4", m: 64, n: 16, k: 32, a: "e3m2", b: "e4m3", d: "f32", inTensor: true, lane: 16, negate: 1},
	{inst: "kind::f8f6f4", m: 128, n: 32, k: 32, a: "e5m2", b: "e4m3", d: "f32", transA: true, transB: true, swizzleA: 128, swizzleB: 32},
	// Others in the layouts of descriptors.
	{inst: "kind::f16", m: 128, n: 40, k: 16, a: "f16", b: "f16", d: "f16", swizzleA: 64, transB: true, swizzleB: 64},
	{inst: "kind::f16.collector::a::fill", m: 64, n: 256, k: 16, a: "bf16", b: "f16", d: "f32", transA: true, divide: 3, negate: 3},
	{inst: "kind::tf32", m: 128, n: 64, k: 8, a: "tf32", b: "tf32", d: "f32", transA: true, swizzleA: 129, transB: true, swizzleB: 129},
	{inst: "kind::tf32.ashift", m: 128, n: 16, k: 8, a: "tf32", b: "tf32", d: "f32", inTensor: true, ashift: true, negate: 2},
	{inst: "kind::i8", m: 128, n: 48, k: 32, a: "s8", b: "u8", d: "s32", disable: []uint32{0, 5, 0xffffffff, 1 << 31}, saturate: true},
	{inst: "kind::f16", m: 64, n: 40, k: 16, a: "f16", b: "f16", d: "f32", flipB: 7 << 49}, // a base offset counts only with swizzling
	// Block scaling.
	{inst: "kind::mxf8f6f4.block_scale", m: 128, n: 8, k: 32, a: "e4m3", b: "e5m2", d: "f32", vectors: 1, idA: 3, idB: 1},
	{inst: "kind::mxf8f6f4.block_scale.scale_vec::1X", m: 128, n: 256, k: 32, a: "e2m3", b: "e2m1", d: "f32", vectors: 1, idA: 2, swizzleB: 128},
	{inst: "kind::mxf8f6f4.block_scale.block32", m: 128, n: 64, k: 32, a: "e3m2", b: "e3m2", d: "f32", vectors: 1, inTensor: true, discard: true},
	{inst: "kind::mxf4.block_scale", m: 128, n: 128, k: 64, a: "e2m1", b: "e2m1", d: "f32", vectors: 2, idA: 2, swizzleA: 32},
	{inst: "kind::mxf4.block_scale.scale_vec::2X", m: 128, n: 40, k: 64, a: "e2m1", b: "e2m1", d: "f32", vectors: 2, idB: 2, inTensor: true, negate: 2},
	{inst: "kind::mxf4nvf4.block_scale.scale_vec::2X", m: 128, n: 72, k: 64, a: "e2m1", b: "e2m1", d: "f32", vectors: 2},
	{inst: "kind::mxf4nvf4.block_scale.scale_vec::4X", m: 128, n: 256, k: 64, a: "e2m1", b: "e2m1", d: "f32", vectors: 4, fine: true},
	{inst: "kind::mxf4nvf4.block_scale.block16", m: 128, n: 16, k: 64, a: "e2m1", b: "e2m1", d: "f32", vectors: 4},
	// Sparse.
	{inst: "kind::f16", m: 128, n: 16, k: 16, a: "f16", b: "f16", d: "f32", sparse: true, selector: 1},
	{inst: "kind::f16", m: 64, n: 24, k: 16, a: "bf16", b: "bf16", d: "f32", sparse: true, lane: 16, swizzleB: 64, inTensor: true},
	{inst: "kind::tf32", m: 128, n: 32, k: 8, a: "tf32", b: "tf32", d: "f32", sparse: true, swizzleB: 128},
	{inst: "kind::tf32", m: 64, n: 8, k: 8, a: "tf32", b: "tf32", d: "f32", sparse: true, selector: 1},
	{inst: "kind::f8f6f4", m: 128, n: 256, k: 32, a: "e2m1", b: "e4m3", d: "f16", sparse: true, swizzleB: 64},
	{inst: "kind::i8", m: 64, n: 32, k: 32, a: "u8", b: "s8", d: "s32", sparse: true, transB: true},
	{inst: "kind::mxf8f6f4.block_scale", m: 128, n: 24, k: 32, a: "e2m3", b: "e4m3", d: "f32", sparse: true, vectors: 1, idB: 2},
	{inst: "kind::mxf4.block_scale.block32", m: 128, n: 16, k: 64, a: "e2m1", b: "e2m1", d: "f32", sparse: true, vectors: 2, idA: 2},
	{inst: "kind::mxf4nvf4.block_scale.scale_vec::4X", m: 128, n: 32, k: 64, a: "e2m1", b: "e2m1", d: "f32", sparse: true, vectors: 4, fine: true, inTensor: true},
	// Pairs of CTAs.
	{inst: "kind::f16", m: 256, n: 256, k: 16, a: "f16", b: "bf16", d: "f32", pair: true, swizzleA: 128, swizzleB: 32},
	{inst: "kind::f16", m: 128, n: 32, k: 16, a: "f16", b: "f16", d: "f16", pair: true, transA: true, transB: true, disable: []uint32{1, 2, 4, 8, 16, 32, 64, 0xffffffff}},
	{inst: "kind::tf32.ashift.collector::a::discard", m: 256, n: 16, k: 8, a: "tf32", b: "tf32", d: "f32", pair: true, inTensor: true, ashift: true},
	{inst: "kind::f8f6f4", m: 128, n: 48, k: 32, a: "e3m2", b: "e2m3", d: "f32", pair: true, inTensor: true},
	{inst: "kind::i8", m: 256, n: 64, k: 32, a: "s8", b: "s8", d: "s32", pair: true},
	{inst: "kind::f16", m: 128, n: 16, k: 16, a: "f16", b: "f16", d: "f32", pair: true, sparse: true, lane: 16},
	{inst: "kind::i8", m: 128, n: 32, k: 32, a: "s8", b: "u8", d: "s32", pair: true, sparse: true, inTensor: true},
	{inst: "kind::f8f6f4", m: 256, n: 80, k: 32, a: "e4m3", b: "e4m3", d: "f32", pair: true, sparse: true},
	{inst: "kind::mxf8f6f4.block_scale", m: 256, n: 64, k: 32, a: "e4m3", b: "e2m1", d: "f32", pair: true, vectors: 1, idA: 1, idB: 3},
	{inst: "kind::mxf4nvf4.block_scale.block16", m: 128, n: 256, k: 64, a: "e2m1", b: "e2m1", d: "f32", pair: true, vectors: 4, fine: true},
	{inst: "kind::mxf4.block_scale", m: 256, n: 48, k: 64, a: "e2m1", b: "e2m1", d: "f32", pair: true, sparse: true, vectors: 2},
	// Weight-stationary.
	{inst: "kind::f16", m: 32, n: 64, k: 16, a: "f16", b: "f16", d: "f32", ws: true},
	{inst: "kind::f8f6f4.collector::b3::fill", m: 64, n: 128, k: 32, a: "e2m1", b: "e5m2", d: "f32", ws: true, swizzleA: 32},
	{inst: "kind::i8", m: 128, n: 256, k: 32, a: "s8", b: "s8", d: "s32", ws: true, inTensor: true},
	{inst: "kind::tf32", m: 32, n: 256, k: 8, a: "tf32", b: "tf32", d: "f32", ws: true, discard: true},
	{inst: "kind::tf32", m: 64, n: 64, k: 8, a: "tf32", b: "tf32", d: "f32", ws: true, sparse: true},
	{inst: "kind::f16", m: 32, n: 128, k: 16, a: "f16", b: "f16", d: "f32", ws: true, sparse: true, selector: 1},
	{inst: "kind::i8", m: 64, n: 128, k: 32, a: "u8", b: "u8", d: "s32", ws: true, sparse: true},
	{inst: "kind::f16", m: 128, n: 64, k: 16, a: "f16", b: "f16", d: "f32", ws: true, mask: 1<<39 | 2<<40 | 3<<48},
	{inst: "kind::f16", m: 64, n: 64, k: 16, a: "f16", b: "f16", d: "f32", ws: true, mask: 1<<39 | 1<<32 | 2<<40 | 3<<48},
	{inst: "kind::f16", m: 32, n: 128, k: 16, a: "f16", b: "f16", d: "f32", ws: true, shift: 1, mask: 2<<56 | 1<<39 | 3<<32 | 2<<40 | 3<<48 | 1<<24 | 2<<16 | 1<<8},
	{inst: "kind::f16", m: 128, n: 64, k: 16, a: "f16", b: "f16", d: "f32", ws: true, shift: 3, mask: 19 << 56, transB: true},
}

func (c *tensorCase) name() string {
	return fmt.Sprintf("%s/m%dn%d/%s.%s.%s/sparse=%t,ws=%t,pair=%t,tensor=%t", c.inst, c.m, c.n, c.d, c.a, c.b, c.sparse, c.ws, c.pair, c.inTensor)
}

// TestTensorMMAs executes every kind in every layout of TMEM.
func TestTensorMMAs(t *testing.T) {
	t.Parallel()
	for i := range tensorCases {
		c := &tensorCases[i]
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			in, want := c.setup(rand.New(rand.NewSource(int64(i))))
			for seed := range uint64(2) {
				if !tier.Try(i+int(seed), 2) {
					continue
				}
				if err := c.run(in, want, seed); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
		})
	}
}
