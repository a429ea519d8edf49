// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_120 --tensor-maps=device | FileCheck %s

// A producer warp loads by maps that the CTA makes before its roles begin, if the loop pays for them.

cuda_tile.module @m {
// CHECK-LABEL: @alone
// CHECK: warp_specialize
// CHECK-NOT: copy_async
// CHECK: nv_tileas.tma_load
// CHECK: nv_tileas.tma_load
entry @alone(%a0: tile<ptr<f16>>, %b0: tile<ptr<f16>>, %c0: tile<ptr<f32>>, %turns: tile<i32>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %a = assume div_by<16>, %a0 : tile<ptr<f16>>
  %b = assume div_by<16>, %b0 : tile<ptr<f16>>
  %c = assume div_by<16>, %c0 : tile<ptr<f32>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %va = make_tensor_view %a, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf16, strides=[1024,1]>
  %pa = make_partition_view %va : partition_view<tile=(128x64), padding_value = zero, tensor_view<1024x1024xf16, strides=[1024,1]>>
  %vb = make_tensor_view %b, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf16, strides=[1024,1]>
  %pb = make_partition_view %vb : partition_view<tile=(64x128), padding_value = zero, tensor_view<1024x1024xf16, strides=[1024,1]>>
  %vc = make_tensor_view %c, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
  %pc = make_partition_view %vc : partition_view<tile=(128x128), tensor_view<1024x1024xf32, strides=[1024,1]>>
  %none = constant <f32: 0.0> : tile<128x128xf32>
  %sum = for %i in (%zero to %turns, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<128x128xf32>) {
    %u, %tu = load_view_tko weak %pa[%x, %i] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<1024x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<128x64xf16>, token
    %v, %tv = load_view_tko weak %pb[%i, %y] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<1024x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<64x128xf16>, token
    %s = mmaf %u, %v, %acc : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
    continue %s : tile<128x128xf32>
  }
  %st = store_view_tko weak %sum, %pc[%x, %y] token = %tok : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> token
  return
}
}
