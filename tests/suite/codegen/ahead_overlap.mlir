// A load to registers runs one turn ahead of where computing may begin. With two iterations at once nothing is computed yet in that turn here, and the schedule was read as one whose copies run ahead a turn
// further than they do, in which the load does not stand where it should: it was refused.
// RUN: tile-opt %s --lower-to=ptx --gpu-name=sm_100 -O2 | FileCheck %s

// CHECK: .entry k(
// CHECK: tcgen05.mma
cuda_tile.module @m {
  entry @k(%few: tile<ptr<bf16>>, %out: tile<ptr<f32>>, %n0: tile<i32>, %n1: tile<i32>) {
    %start = make_token : token
    %zeros = constant <bf16: 0.000000e+00> : tile<64x32xbf16>
    %wide = make_tensor_view %few, shape = [%n0, 199], strides = [199, 1] : tile<i32> -> tensor_view<?x199xbf16, strides=[199,1]>
    %unaligned = make_partition_view %wide : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x199xbf16, strides=[199,1]>>
    %aligned = assume div_by<16>, %few : tile<ptr<bf16>>
    %narrow = make_tensor_view %aligned, shape = [%n1, 32], strides = [32, 1] : tile<i32> -> tensor_view<?x32xbf16, strides=[32,1]>
    %bulk = make_partition_view %narrow : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x32xbf16, strides=[32,1]>>
    %none = constant <f32: 0.000000e+00> : tile<64x32xf32>
    %sums:2 = for %i in (%n0 to %n1, step %n0) : tile<i32> iter_values(%o = %none, %most = %none) -> (tile<64x32xf32>, tile<64x32xf32>) {
      %b, %tb = load_view_tko weak %unaligned[%i, %i] : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x199xbf16, strides=[199,1]>>, tile<i32> -> tile<32x32xbf16>, token
      %s = mmaf %zeros, %b, %none : tile<64x32xbf16>, tile<32x32xbf16>, tile<64x32xf32>
      %low = minf %s, %none : tile<64x32xf32>
      %high = maxf %low, %most : tile<64x32xf32>
      %p = ftof %high  : tile<64x32xf32> -> tile<64x32xbf16>
      %v, %tv = load_view_tko weak %bulk[%i, %i] : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x32xbf16, strides=[32,1]>>, tile<i32> -> tile<32x32xbf16>, token
      %next = mmaf %p, %v, %o : tile<64x32xbf16>, tile<32x32xbf16>, tile<64x32xf32>
      continue %next, %high : tile<64x32xf32>, tile<64x32xf32>
    }
    %view = make_tensor_view %out, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf32, strides=[32,1]>
    %tiles = make_partition_view %view : partition_view<tile=(64x32), tensor_view<64x32xf32, strides=[32,1]>>
    %first = constant <i32: 0> : tile<i32>
    %done = store_view_tko weak %sums#0, %tiles[%first, %first] token = %start : tile<64x32xf32>, partition_view<tile=(64x32), tensor_view<64x32xf32, strides=[32,1]>>, tile<i32> -> token
    return
  }
}
