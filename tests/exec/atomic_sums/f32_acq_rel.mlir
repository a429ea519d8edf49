// RUN: tile-run -O0 --gpu-name=sm_80 --diff-engines=interp,tileaa,tileas,ptx --entry=k --grid=4 --arg=f32[8] %s
// RUN: tile-run -O3 --adversarial --seed=1 --gpu-name=sm_80 --diff-engines=interp,tileaa,tileas,ptx --entry=k \
// RUN:   --grid=4 --arg=f32[8] %s
// RUN(long): tile-run -O0 --gpu-name=sm_90 --diff-engines=interp,ptx --entry=k --grid=4 --arg=f32[8] %s
// RUN(long): tile-run -O3 --adversarial --seed=1 --gpu-name=sm_90 --diff-engines=interp,ptx --entry=k --grid=4 \
// RUN(long):   --arg=f32[8] %s
// RUN(long): tile-run -O0 --gpu-name=sm_100 --diff-engines=interp,ptx --entry=k --grid=4 --arg=f32[8] %s
// RUN(long): tile-run -O3 --adversarial --seed=1 --gpu-name=sm_100 --diff-engines=interp,ptx --entry=k --grid=4 \
// RUN(long):   --arg=f32[8] %s
// RUN(long): tile-run -O0 --gpu-name=sm_120 --diff-engines=interp,ptx --entry=k --grid=4 --arg=f32[8] %s
// RUN(long): tile-run -O3 --adversarial --seed=1 --gpu-name=sm_120 --diff-engines=interp,ptx --entry=k --grid=4 \
// RUN(long):   --arg=f32[8] %s
// RUN(ptxas): assemble --ptxas=%ptxas --spills --gpu-name=sm_80 %s
// RUN(long, ptxas): assemble --ptxas=%ptxas --spills --gpu-name=sm_90,sm_100,sm_120 %s

// All threads of four tile blocks add to few elements of f32, through pointers (acq_rel) and a view. Each sum is
// exact in 8 bits, in any order.

entry @k(%p: tile<ptr<f32>>) {
  %io = iota : tile<64xi32>
  %three = constant <i32: 3> : tile<64xi32>
  %i = andi %io, %three : tile<64xi32>
  %p1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
  %p2 = broadcast %p1 : tile<1xptr<f32>> -> tile<64xptr<f32>>
  %at = offset %p2, %i : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
  %some = cmpi not_equal %i, %three, signed : tile<64xi32> -> tile<64xi1>
  %x = constant <f32: 1.0> : tile<64xf32>
  %old, %t = atomic_rmw_tko acq_rel device %at, addf, %x, %some : tile<64xptr<f32>>, tile<64xf32>, tile<64xi1> -> tile<64xf32>, token
  %zero = constant <i32: 0> : tile<i32>
  %tv = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
  %v = make_partition_view %tv : partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
  %y = constant <f32: [1.0, -2.0, 3.0, 4.0, -5.0, 6.0, 7.0, 0.5]> : tile<8xf32>
  %u = atomic_red_view_tko relaxed device %v[%zero], addf, %y : tile<8xf32>, partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>, tile<i32> -> token
  return
}
