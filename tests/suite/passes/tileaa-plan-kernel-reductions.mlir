// Squares of the accumulator are summed, and its largest element is found. As entire tiles the squares would take 128
// registers of 128 threads beside the accumulator. Each thread adds them up one by one, so four warps hold the rest.
//
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_90 -O3 --log=debug 2>&1 | FileCheck %s

// CHECK: DBG tried component=tileaa-plan-kernel {{.*}} variant="as it is"
// CHECK: DBG tried component=tileaa-plan-kernel {{.*}} variant="4 warps"
// CHECK: role "compute" warps(4)
cuda_tile.module @m {
entry @summed(%p: tile<ptr<f16>>, %q: tile<ptr<f16>>, %r: tile<ptr<f32>>) {
  %a = assume div_by<16>, %p : tile<ptr<f16>>
  %b = assume div_by<16>, %q : tile<ptr<f16>>
  %c = assume div_by<16>, %r : tile<ptr<f32>>
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %steps = constant <i32: 64> : tile<i32>
  %none = constant <f32: 0.0> : tile<64x256xf32>
  %start = make_token : token
  %at = make_tensor_view %a, shape = [4096, 4096], strides = [4096, 1] : tensor_view<4096x4096xf16, strides=[4096,1]>
  %bt = make_tensor_view %b, shape = [4096, 4096], strides = [4096, 1] : tensor_view<4096x4096xf16, strides=[4096,1]>
  %ct = make_tensor_view %c, shape = [4096], strides = [1] : tensor_view<4096xf32, strides=[1]>
  %av = make_partition_view %at : partition_view<tile=(64x64), tensor_view<4096x4096xf16, strides=[4096,1]>>
  %bv = make_partition_view %bt : partition_view<tile=(64x256), tensor_view<4096x4096xf16, strides=[4096,1]>>
  %cv = make_partition_view %ct : partition_view<tile=(64), tensor_view<4096xf32, strides=[1]>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %s = for %i in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x256xf32>) {
    %k, %t1 = load_view_tko weak %av[%x, %i] token = %start : partition_view<tile=(64x64), tensor_view<4096x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<64x64xf16>, token
    %v, %t2 = load_view_tko weak %bv[%i, %y] token = %start : partition_view<tile=(64x256), tensor_view<4096x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<64x256xf16>, token
    %o = mmaf %k, %v, %acc : tile<64x64xf16>, tile<64x256xf16>, tile<64x256xf32>
    continue %o : tile<64x256xf32>
  }
  %square = mulf %s, %s : tile<64x256xf32>
  %sum = reduce %square dim=1 identities=[0.0 : f32] : tile<64x256xf32> -> tile<64xf32> (%e: tile<f32>, %f: tile<f32>) {
    %g = addf %e, %f : tile<f32>
    yield %g : tile<f32>
  }
  %most = reduce %s dim=1 identities=[0xFF800000 : f32] : tile<64x256xf32> -> tile<64xf32> (%e: tile<f32>, %f: tile<f32>) {
    %g = maxf %e, %f : tile<f32>
    yield %g : tile<f32>
  }
  %both = addf %sum, %most : tile<64xf32>
  %t = store_view_tko weak %both, %cv[%x] token = %start : tile<64xf32>, partition_view<tile=(64), tensor_view<4096xf32, strides=[1]>>, tile<i32> -> token
  return
}
}
