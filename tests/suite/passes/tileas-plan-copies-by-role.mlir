// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_120 | FileCheck %s
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_121 | FileCheck %s
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_120 --tensor-maps=device | FileCheck %s --check-prefix=COPY
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_89 | FileCheck %s --check-prefix=COPY

// Products that threads wait for, whose factors a warp of its own loads; where it cannot be so, threads copy.
// COPY-NOT: warp_specialize

cuda_tile.module @m {
// CHECK-LABEL: @alone
// CHECK: warp_specialize
// CHECK-NOT: copy_async
// CHECK: nv_tileas.tma_load
// CHECK: nv_tileas.tma_load
entry @alone(%a0: tile<ptr<f16>>, %b0: tile<ptr<f16>>, %c0: tile<ptr<f32>>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %turns = constant <i32: 16> : tile<i32>
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
// Threads compute with one factor, and copy the other one.
// CHECK-LABEL: @computed
// CHECK-NOT: warp_specialize
entry @computed(%a0: tile<ptr<f16>>, %b0: tile<ptr<f16>>, %c0: tile<ptr<f32>>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %turns = constant <i32: 16> : tile<i32>
  %a = assume div_by<16>, %a0 : tile<ptr<f16>>
  %b = assume div_by<16>, %b0 : tile<ptr<f16>>
  %c = assume div_by<16>, %c0 : tile<ptr<f32>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %va = make_tensor_view %a, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf16, strides=[1024,1]>
  %pa = make_partition_view %va : partition_view<tile=(64x64), padding_value = zero, tensor_view<1024x1024xf16, strides=[1024,1]>>
  %vb = make_tensor_view %b, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf16, strides=[1024,1]>
  %pb = make_partition_view %vb : partition_view<tile=(64x64), padding_value = zero, tensor_view<1024x1024xf16, strides=[1024,1]>>
  %vc = make_tensor_view %c, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
  %pc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[1024,1]>>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %sum = for %i in (%zero to %turns, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
    %u, %tu = load_view_tko weak %pa[%x, %i] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<1024x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<64x64xf16>, token
    %v, %tv = load_view_tko weak %pb[%i, %y] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<1024x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<64x64xf16>, token
    %u2 = addf %u, %u : tile<64x64xf16>
    %s = mmaf %u2, %v, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    continue %s : tile<64x64xf32>
  }
  %st = store_view_tko weak %sum, %pc[%x, %y] token = %tok : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> token
  return
}
// Of two products the second one waits for what the first one makes.
// CHECK-LABEL: @chained
// CHECK-NOT: tma_load
// CHECK-NOT: warp_specialize
entry @chained(%a0: tile<ptr<f16>>, %b0: tile<ptr<f16>>, %c0: tile<ptr<f32>>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %turns = constant <i32: 16> : tile<i32>
  %a = assume div_by<16>, %a0 : tile<ptr<f16>>
  %b = assume div_by<16>, %b0 : tile<ptr<f16>>
  %c = assume div_by<16>, %c0 : tile<ptr<f32>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %va = make_tensor_view %a, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf16, strides=[1024,1]>
  %pa = make_partition_view %va : partition_view<tile=(64x64), padding_value = zero, tensor_view<1024x1024xf16, strides=[1024,1]>>
  %vb = make_tensor_view %b, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf16, strides=[1024,1]>
  %pb = make_partition_view %vb : partition_view<tile=(64x64), padding_value = zero, tensor_view<1024x1024xf16, strides=[1024,1]>>
  %vc = make_tensor_view %c, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
  %pc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[1024,1]>>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %sum = for %i in (%zero to %turns, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
    %u, %tu = load_view_tko weak %pa[%x, %i] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<1024x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<64x64xf16>, token
    %v, %tv = load_view_tko weak %pb[%i, %y] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<1024x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<64x64xf16>, token
    %s = mmaf %u, %v, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    %h = ftof %s : tile<64x64xf32> -> tile<64x64xf16>
    %s2 = mmaf %h, %v, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    continue %s2 : tile<64x64xf32>
  }
  %st = store_view_tko weak %sum, %pc[%x, %y] token = %tok : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> token
  return
}
// There is no room for two slots.
// CHECK-LABEL: @large
// CHECK-NOT: tma_load
// CHECK-NOT: warp_specialize
entry @large(%a0: tile<ptr<f16>>, %b0: tile<ptr<f16>>, %c0: tile<ptr<f32>>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %turns = constant <i32: 16> : tile<i32>
  %a = assume div_by<16>, %a0 : tile<ptr<f16>>
  %b = assume div_by<16>, %b0 : tile<ptr<f16>>
  %c = assume div_by<16>, %c0 : tile<ptr<f32>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %va = make_tensor_view %a, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf16, strides=[1024,1]>
  %pa = make_partition_view %va : partition_view<tile=(128x64), padding_value = zero, tensor_view<1024x1024xf16, strides=[1024,1]>>
  %vb = make_tensor_view %b, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf16, strides=[1024,1]>
  %pb = make_partition_view %vb : partition_view<tile=(64x256), padding_value = zero, tensor_view<1024x1024xf16, strides=[1024,1]>>
  %vc = make_tensor_view %c, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
  %pc = make_partition_view %vc : partition_view<tile=(128x256), tensor_view<1024x1024xf32, strides=[1024,1]>>
  %none = constant <f32: 0.0> : tile<128x256xf32>
  %sum = for %i in (%zero to %turns, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<128x256xf32>) {
    %u, %tu = load_view_tko weak %pa[%x, %i] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<1024x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<128x64xf16>, token
    %v, %tv = load_view_tko weak %pb[%i, %y] token = %tok : partition_view<tile=(64x256), padding_value = zero, tensor_view<1024x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<64x256xf16>, token
    %s = mmaf %u, %v, %acc : tile<128x64xf16>, tile<64x256xf16>, tile<128x256xf32>
    continue %s : tile<128x256xf32>
  }
  %st = store_view_tko weak %sum, %pc[%x, %y] token = %tok : tile<128x256xf32>, partition_view<tile=(128x256), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> token
  return
}
// Threads round to tf32.
// CHECK-LABEL: @rounded
// CHECK-NOT: tma_load
// CHECK-NOT: warp_specialize
entry @rounded(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>, %c0: tile<ptr<f32>>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %turns = constant <i32: 32> : tile<i32>
  %a = assume div_by<16>, %a0 : tile<ptr<f32>>
  %b = assume div_by<16>, %b0 : tile<ptr<f32>>
  %c = assume div_by<16>, %c0 : tile<ptr<f32>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %va = make_tensor_view %a, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
  %pa = make_partition_view %va : partition_view<tile=(64x32), padding_value = zero, tensor_view<1024x1024xf32, strides=[1024,1]>>
  %vb = make_tensor_view %b, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
  %pb = make_partition_view %vb : partition_view<tile=(32x64), padding_value = zero, tensor_view<1024x1024xf32, strides=[1024,1]>>
  %vc = make_tensor_view %c, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
  %pc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[1024,1]>>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %sum = for %i in (%zero to %turns, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
    %u, %tu = load_view_tko weak %pa[%x, %i] token = %tok : partition_view<tile=(64x32), padding_value = zero, tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> tile<64x32xf32>, token
    %v, %tv = load_view_tko weak %pb[%i, %y] token = %tok : partition_view<tile=(32x64), padding_value = zero, tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> tile<32x64xf32>, token
    %u2 = ftof %u : tile<64x32xf32> -> tile<64x32xtf32>
    %v2 = ftof %v : tile<32x64xf32> -> tile<32x64xtf32>
    %s = mmaf %u2, %v2, %acc : tile<64x32xtf32>, tile<32x64xtf32>, tile<64x64xf32>
    continue %s : tile<64x64xf32>
  }
  %st = store_view_tko weak %sum, %pc[%x, %y] token = %tok : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> token
  return
}
}
