// A CTA of the cluster has 128 elements of A for 256 threads. A chunk of a copy is one element of 8 bytes then, and not less.
//
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_90 -O1 | FileCheck %s
// CHECK: nv_tileas.copy_async
cuda_tile.module @m {
entry @small(%p0: tile<ptr<f64>>, %p2: tile<ptr<f64>>, %n: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 4, num_worker_warps_per_cta = 8}> {
  %ap = assume div_by<16>, %p0 : tile<ptr<f64>>
  %op = assume div_by<16>, %p2 : tile<ptr<f64>>
  %zero = constant <i32: 0> : tile<i32>
  %none = constant <f64: 0.0> : tile<32x64xf64>
  %b = constant <f64: 1.0> : tile<16x64xf64>
  %start = make_token : token
  %at = make_tensor_view %ap, shape = [64, 104], strides = [104, 1] : tensor_view<64x104xf64, strides=[104,1]>
  %ot = make_tensor_view %op, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf64, strides=[64,1]>
  %av = make_partition_view %at : partition_view<tile=(32x16), padding_value = zero, tensor_view<64x104xf64, strides=[104,1]>>
  %ov = make_partition_view %ot : partition_view<tile=(32x64), tensor_view<32x64xf64, strides=[64,1]>>
  %a, %t1 = load_view_tko weak %av[%zero, %n] token = %start : partition_view<tile=(32x16), padding_value = zero, tensor_view<64x104xf64, strides=[104,1]>>, tile<i32> -> tile<32x16xf64>, token
  %r = mmaf %a, %b, %none : tile<32x16xf64>, tile<16x64xf64>, tile<32x64xf64>
  %t = store_view_tko weak %r, %ov[%zero, %zero] token = %start : tile<32x64xf64>, partition_view<tile=(32x64), tensor_view<32x64xf64, strides=[64,1]>>, tile<i32> -> token
  return
}
}
