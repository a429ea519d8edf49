package tma

import (
	"testing"
)

const gatherOfRows = "cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4"

// gatheredTraffics are kernels that gather rows of a matrix. The numbers of rows are from -7 to 7, and the matrix has
// fewer rows, so that some are in front of it and some behind it.
var gatheredTraffics = []traffic{
	{ // of a view that gathers, for threads, from a column on that is not aligned, in a loop that runs behind the last column
		name: "sums of gathered rows", buffers: []trafficBuffer{{"f32", 32 * 16}, {"f32", 6 * 64}, {"i32", 32}}, numbers: []int32{6, 64, 5}, gpus: []string{"sm_100", "sm_120"}, code: gatherOfRows, options: "anything=true short=true",
		body: `
  %w = assume div_by<4>, %n1 : tile<i32>
  %vi = make_tensor_view %b2, shape = [32], strides = [1] : tensor_view<32xi32, strides=[1]>
  %pi = make_partition_view %vi : partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>
  %i, %ti = load_view_tko weak %pi[%zero] token = %tok : partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>, tile<i32> -> tile<32xi32>, token
  %va = make_tensor_view %b1, shape = [%n0, %w], strides = [%w, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
  %ga = make_gather_scatter_view %va : gather_scatter_view<tile=(32x16), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>, sparse_dim=0>
  %none = constant <f32: 0.0> : tile<32x16xf32>
  %eleven = constant <i32: 11> : tile<i32>
  %sum = for %k in (%zero to %n2, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<32x16xf32>) {
    %at = muli %k, %eleven : tile<i32>
    %from = addi %at, %one : tile<i32>
    %a, %t1 = load_view_tko weak %ga[%i, %from] token = %tok : gather_scatter_view<tile=(32x16), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>, sparse_dim=0>, tile<32xi32>, tile<i32> -> tile<32x16xf32>, token
    %s = addf %acc, %a : tile<32x16xf32>
    continue %s : tile<32x16xf32>
  }
  %vc = make_tensor_view %b0, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xf32, strides=[16,1]>
  %pc = make_partition_view %vc : partition_view<tile=(32x16), tensor_view<32x16xf32, strides=[16,1]>>
  %st = store_view_tko weak %sum, %pc[%zero, %zero] token = %tok : tile<32x16xf32>, partition_view<tile=(32x16), tensor_view<32x16xf32, strides=[16,1]>>, tile<i32> -> token
`},
	{ // rows as a factor of products beside the threads
		name: "products of gathered rows", buffers: []trafficBuffer{{"f32", 128 * 64}, {"f16", 6 * 160}, {"i32", 128}, {"f16", 160 * 64}}, numbers: []int32{5, 6}, gpus: []string{"sm_100"}, code: gatherOfRows, options: "short=true",
		body: `
  %vi = make_tensor_view %b2, shape = [128], strides = [1] : tensor_view<128xi32, strides=[1]>
  %pi = make_partition_view %vi : partition_view<tile=(128), tensor_view<128xi32, strides=[1]>>
  %i, %ti = load_view_tko weak %pi[%zero] token = %tok : partition_view<tile=(128), tensor_view<128xi32, strides=[1]>>, tile<i32> -> tile<128xi32>, token
  %va = make_tensor_view %b1, shape = [%n1, 160], strides = [160, 1] : tile<i32> -> tensor_view<?x160xf16, strides=[160,1]>
  %ga = make_gather_scatter_view %va : gather_scatter_view<tile=(128x32), padding_value = zero, tensor_view<?x160xf16, strides=[160,1]>, sparse_dim=0>
  %vb = make_tensor_view %b3, shape = [160, 64], strides = [64, 1] : tensor_view<160x64xf16, strides=[64,1]>
  %pb = make_partition_view %vb : partition_view<tile=(32x64), padding_value = zero, tensor_view<160x64xf16, strides=[64,1]>>
  %none = constant <f32: 0.0> : tile<128x64xf32>
  %depth = constant <i32: 32> : tile<i32>
  %sum = for %k in (%zero to %n0, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<128x64xf32>) {
    %from = muli %k, %depth : tile<i32>
    %a, %t1 = load_view_tko weak %ga[%i, %from] token = %tok : gather_scatter_view<tile=(128x32), padding_value = zero, tensor_view<?x160xf16, strides=[160,1]>, sparse_dim=0>, tile<128xi32>, tile<i32> -> tile<128x32xf16>, token
    %b, %t2 = load_view_tko weak %pb[%k, %zero] token = %tok : partition_view<tile=(32x64), padding_value = zero, tensor_view<160x64xf16, strides=[64,1]>>, tile<i32> -> tile<32x64xf16>, token
    %s = mmaf %a, %b, %acc : tile<128x32xf16>, tile<32x64xf16>, tile<128x64xf32>
    continue %s : tile<128x64xf32>
  }
  %vc = make_tensor_view %b0, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf32, strides=[64,1]>
  %pc = make_partition_view %vc : partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>
  %st = store_view_tko weak %sum, %pc[%zero, %zero] token = %tok : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>, tile<i32> -> token
`},
	{ // of a view whose rows are its second dimension
		name: "gathered columns", buffers: []trafficBuffer{{"i32", 32 * 16}, {"i32", 6 * 32}, {"i32", 16}}, numbers: []int32{6}, gpus: []string{"sm_100"}, code: gatherOfRows, options: "anything=true", maps: params,
		body: `
  %vi = make_tensor_view %b2, shape = [16], strides = [1] : tensor_view<16xi32, strides=[1]>
  %pi = make_partition_view %vi : partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>
  %i, %ti = load_view_tko weak %pi[%zero] token = %tok : partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>, tile<i32> -> tile<16xi32>, token
  %va = make_tensor_view %b1, shape = [32, %n0], strides = [1, 32] : tile<i32> -> tensor_view<32x?xi32, strides=[1,32]>
  %ga = make_gather_scatter_view %va : gather_scatter_view<tile=(32x16), padding_value = zero, tensor_view<32x?xi32, strides=[1,32]>, sparse_dim=1>
  %a, %t1 = load_view_tko weak %ga[%zero, %i] token = %tok : gather_scatter_view<tile=(32x16), padding_value = zero, tensor_view<32x?xi32, strides=[1,32]>, sparse_dim=1>, tile<i32>, tile<16xi32> -> tile<32x16xi32>, token
  %b = addi %a, %a : tile<32x16xi32>
  %vc = make_tensor_view %b0, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xi32, strides=[16,1]>
  %pc = make_partition_view %vc : partition_view<tile=(32x16), tensor_view<32x16xi32, strides=[16,1]>>
  %st = store_view_tko weak %b, %pc[%zero, %zero] token = %tok : tile<32x16xi32>, partition_view<tile=(32x16), tensor_view<32x16xi32, strides=[16,1]>>, tile<i32> -> token
`},
	{ // through pointers that the program adds up, of which those beyond the last row and column are masked off
		name: "gathered through pointers", buffers: []trafficBuffer{{"f32", 16 * 32}, {"f32", 6 * 64}, {"i32", 16}}, numbers: []int32{6, 20, 64}, gpus: []string{"sm_100"}, code: gatherOfRows, options: "anything=true", maps: params,
		body: `
  %stride = assume div_by<4>, %n2 : tile<i32>
  %vi = make_tensor_view %b2, shape = [16], strides = [1] : tensor_view<16xi32, strides=[1]>
  %pi = make_partition_view %vi : partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>
  %i, %ti = load_view_tko weak %pi[%zero] token = %tok : partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>, tile<i32> -> tile<16xi32>, token
  %rows = reshape %i : tile<16xi32> -> tile<16x1xi32>
  %wide = exti %rows signed : tile<16x1xi32> -> tile<16x1xi64>
  %allrows = broadcast %wide : tile<16x1xi64> -> tile<16x32xi64>
  %count = iota : tile<32xi32>
  %columns = reshape %count : tile<32xi32> -> tile<1x32xi32>
  %allcolumns = broadcast %columns : tile<1x32xi32> -> tile<16x32xi32>
  %far = exti %allcolumns signed : tile<16x32xi32> -> tile<16x32xi64>
  %s64 = exti %stride signed : tile<i32> -> tile<i64>
  %s1 = reshape %s64 : tile<i64> -> tile<1x1xi64>
  %steps = broadcast %s1 : tile<1x1xi64> -> tile<16x32xi64>
  %begin = muli %allrows, %steps : tile<16x32xi64>
  %at = addi %begin, %far : tile<16x32xi64>
  %q1 = reshape %b1 : tile<ptr<f32>> -> tile<1x1xptr<f32>>
  %q = broadcast %q1 : tile<1x1xptr<f32>> -> tile<16x32xptr<f32>>
  %ptrs = offset %q, %at : tile<16x32xptr<f32>>, tile<16x32xi64> -> tile<16x32xptr<f32>>
  %h1 = reshape %n0 : tile<i32> -> tile<1x1xi32>
  %h = broadcast %h1 : tile<1x1xi32> -> tile<16x32xi32>
  %same = broadcast %rows : tile<16x1xi32> -> tile<16x32xi32>
  %in1 = cmpi less_than %same, %h, unsigned : tile<16x32xi32> -> tile<16x32xi1>
  %w1 = reshape %n1 : tile<i32> -> tile<1x1xi32>
  %w = broadcast %w1 : tile<1x1xi32> -> tile<16x32xi32>
  %in2 = cmpi less_than %allcolumns, %w, unsigned : tile<16x32xi32> -> tile<16x32xi1>
  %in = andi %in1, %in2 : tile<16x32xi1>
  %none = constant <f32: 0.0> : tile<16x32xf32>
  %a, %t1 = load_ptr_tko weak %ptrs, %in, %none token = %tok : tile<16x32xptr<f32>>, tile<16x32xi1>, tile<16x32xf32> -> tile<16x32xf32>, token
  %b = addf %a, %a : tile<16x32xf32>
  %vc = make_tensor_view %b0, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf32, strides=[32,1]>
  %pc = make_partition_view %vc : partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32,1]>>
  %st = store_view_tko weak %b, %pc[%zero, %zero] token = %tok : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32,1]>>, tile<i32> -> token
`},
}

// TestGatheredRows: rows that are gathered are those of the numbers, and zeros where the matrix has none.
func TestGatheredRows(t *testing.T) {
	t.Parallel()
	for _, k := range gatheredTraffics {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			k.everywhere(t)
		})
	}
}
