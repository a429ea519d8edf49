package tma

import (
	"testing"
)

const fenceOfGlobal = "fence.proxy.async.global;"

// fencedTraffics are kernels whose bulk tensor copies come, by their tokens, behind what threads have done in global
// memory.
var fencedTraffics = []traffic{
	{ // a factor that threads have stored in front of the loop
		name: "products of what was stored", buffers: []trafficBuffer{{"f32", 64 * 64}, {"f16", 64 * 64}, {"f16", 64 * 64}, {"f16", 64 * 64}}, numbers: []int32{4}, gpus: []string{"sm_90", "sm_100"}, code: fenceOfGlobal, options: "short=true",
		body: `
  %vs = make_tensor_view %b1, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
  %ps = make_partition_view %vs : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
  %va = make_tensor_view %b2, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
  %pa = make_partition_view %va : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
  %w, %tw = load_view_tko weak %pa[%zero, %zero] token = %tok : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
  %ww = addf %w, %w : tile<64x64xf16>
  %stored = store_view_tko weak %ww, %ps[%zero, %zero] token = %tw : tile<64x64xf16>, partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> token
  %pl = make_partition_view %vs : partition_view<tile=(64x16), padding_value = zero, tensor_view<64x64xf16, strides=[64,1]>>
  %vb = make_tensor_view %b3, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
  %pb = make_partition_view %vb : partition_view<tile=(16x64), padding_value = zero, tensor_view<64x64xf16, strides=[64,1]>>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %sum = for %k in (%zero to %n0, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
    %a, %t1 = load_view_tko weak %pl[%zero, %k] token = %stored : partition_view<tile=(64x16), padding_value = zero, tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x16xf16>, token
    %b, %t2 = load_view_tko weak %pb[%k, %zero] token = %tok : partition_view<tile=(16x64), padding_value = zero, tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<16x64xf16>, token
    %s = mmaf %a, %b, %acc : tile<64x16xf16>, tile<16x64xf16>, tile<64x64xf32>
    continue %s : tile<64x64xf32>
  }
  %vc = make_tensor_view %b0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
  %pc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
  %st = store_view_tko weak %sum, %pc[%zero, %zero] token = %tok : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
`},
	{ // each iteration stores a tile and loads it again, transposed by its strides
		name: "a tile there and back in a loop", buffers: []trafficBuffer{{"f32", 32 * 32}, {"f32", 32 * 32}, {"f32", 32 * 96}}, numbers: []int32{3}, code: fenceOfGlobal, options: "anything=true short=true",
		body: `
  %vs = make_tensor_view %b1, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
  %ps = make_partition_view %vs : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>
  %vt = make_tensor_view %b1, shape = [32, 32], strides = [1, 32] : tensor_view<32x32xf32, strides=[1,32]>
  %pt = make_partition_view %vt : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[1,32]>>
  %va = make_tensor_view %b2, shape = [32, 96], strides = [96, 1] : tensor_view<32x96xf32, strides=[96,1]>
  %pa = make_partition_view %va : partition_view<tile=(32x32), tensor_view<32x96xf32, strides=[96,1]>>
  %none = constant <f32: 0.0> : tile<32x32xf32>
  %sum, %end = for %k in (%zero to %n0, step %one) : tile<i32> iter_values(%acc = %none, %t = %tok) -> (tile<32x32xf32>, token) {
    %a, %t1 = load_view_tko weak %pa[%zero, %k] token = %tok : partition_view<tile=(32x32), tensor_view<32x96xf32, strides=[96,1]>>, tile<i32> -> tile<32x32xf32>, token
    %t2 = store_view_tko weak %a, %ps[%zero, %zero] token = %t : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32> -> token
    %b, %t3 = load_view_tko weak %pt[%zero, %zero] token = %t2 : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[1,32]>>, tile<i32> -> tile<32x32xf32>, token
    %s = addf %b, %acc : tile<32x32xf32>
    continue %s, %t3 : tile<32x32xf32>, token
  }
  %vc = make_tensor_view %b0, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
  %pc = make_partition_view %vc : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>
  %st = store_view_tko weak %sum, %pc[%zero, %zero] token = %end : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32> -> token
`},
	{ // a tile behind an acquire and an update of memory, one of them in a branch
		name: "a tile behind an acquire", buffers: []trafficBuffer{{"f32", 32 * 32}, {"i32", 32}, {"f32", 32 * 32}}, numbers: []int32{3}, code: fenceOfGlobal, options: "anything=true", maps: params,
		body: `
  %vf = make_tensor_view %b1, shape = [32], strides = [1] : tensor_view<32xi32, strides=[1]>
  %pf = make_partition_view %vf : partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>
  %va = make_tensor_view %b2, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
  %pa = make_partition_view %va : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>
  %f, %t1 = load_view_tko acquire device %pf[%zero] token = %tok : partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>, tile<i32> -> tile<32xi32>, token
  %ones = constant <f32: 1.0> : tile<32x32xf32>
  %more = cmpi greater_than %n0, %two, signed : tile<i32> -> tile<i1>
  %t2 = if %more -> (token) {
    %t3 = store_view_tko weak %ones, %pa[%zero, %zero] token = %t1 : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32> -> token
    yield %t3 : token
  } else {
    yield %t1 : token
  }
  %a, %t4 = load_view_tko weak %pa[%zero, %zero] token = %t2 : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32> -> tile<32x32xf32>, token
  %b = addf %a, %a : tile<32x32xf32>
  %vc = make_tensor_view %b0, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
  %pc = make_partition_view %vc : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>
  %st = store_view_tko weak %b, %pc[%zero, %zero] token = %tok : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32> -> token
`},
	{ // a sum that reductions update behind what threads have stored there
		name: "sums on top of what was stored", buffers: []trafficBuffer{{"f32", 32 * 64}, {"f32", 32 * 64}}, code: fenceOfGlobal, options: "anything=true", maps: params,
		body: `
  %va = make_tensor_view %b1, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf32, strides=[64,1]>
  %pa = make_partition_view %va : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>
  %a, %t1 = load_view_tko weak %pa[%zero, %zero] token = %tok : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>, tile<i32> -> tile<32x64xf32>, token
  %vc = make_tensor_view %b0, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf32, strides=[64,1]>
  %pc = make_partition_view %vc : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>
  %t2 = store_view_tko weak %a, %pc[%zero, %zero] token = %tok : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>, tile<i32> -> token
  %t3 = atomic_red_view_tko relaxed device %pc[%zero, %zero], addf, %a token = %t2 : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>, tile<i32> -> token
`},
}

// TestTMASeesFencedStores: bulk tensor copies see what threads have done in front of them.
func TestTMASeesFencedStores(t *testing.T) {
	t.Parallel()
	for _, k := range fencedTraffics {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			k.everywhere(t)
		})
	}
}
