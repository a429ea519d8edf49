// RUN: tile-opt %s --lower-to=tileas --disable-pass=tileaa-strip-mine --gpu-name=sm_90 | FileCheck %s
// RUN: tile-opt %s --lower-to=tileas --disable-pass=tileaa-strip-mine --gpu-name=sm_100 | FileCheck %s

// Operands of asynchronous MMAs are in shared memory, however they come there. Two of 128 KiB each come by TMA if one is
// read before the other is loaded.

cuda_tile.module @m {
// CHECK-LABEL: @one_after_the_other
// CHECK: scf.for
// CHECK: nv_tileas.tma_load
// CHECK: nv_tileas.tma_load
// CHECK-NOT: nv_tileas.tiled_load
entry @one_after_the_other(%a0: tile<ptr<f16>>, %b0: tile<ptr<f16>>, %c0: tile<ptr<f32>>, %turns: tile<i32>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %a = assume div_by<16>, %a0 : tile<ptr<f16>>
  %b = assume div_by<16>, %b0 : tile<ptr<f16>>
  %c = assume div_by<16>, %c0 : tile<ptr<f32>>
  %va = make_tensor_view %a, shape = [4096, 512], strides = [512, 1] : tensor_view<4096x512xf16, strides=[512,1]>
  %pa = make_partition_view %va : partition_view<tile=(128x512), padding_value = zero, tensor_view<4096x512xf16, strides=[512,1]>>
  %vb = make_tensor_view %b, shape = [512, 16], strides = [16, 1] : tensor_view<512x16xf16, strides=[16,1]>
  %pb = make_partition_view %vb : partition_view<tile=(512x16), padding_value = zero, tensor_view<512x16xf16, strides=[16,1]>>
  %vc = make_tensor_view %c, shape = [512, 16], strides = [16, 1] : tensor_view<512x16xf32, strides=[16,1]>
  %pc = make_partition_view %vc : partition_view<tile=(512x16), tensor_view<512x16xf32, strides=[16,1]>>
  %none = constant <f32: 0.0> : tile<512x16xf32>
  %nothing = constant <f32: 0.0> : tile<128x16xf32>
  %q, %tq = load_view_tko weak %pb[%zero, %zero] token = %tok : partition_view<tile=(512x16), padding_value = zero, tensor_view<512x16xf16, strides=[16,1]>>, tile<i32> -> tile<512x16xf16>, token
  %sum = for %i in (%zero to %turns, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<512x16xf32>) {
    %k, %tk = load_view_tko weak %pa[%i, %zero] token = %tok : partition_view<tile=(128x512), padding_value = zero, tensor_view<4096x512xf16, strides=[512,1]>>, tile<i32> -> tile<128x512xf16>, token
    %s = mmaf %k, %q, %nothing : tile<128x512xf16>, tile<512x16xf16>, tile<128x16xf32>
    %e = exp2 %s : tile<128x16xf32>
    %p = ftof %e : tile<128x16xf32> -> tile<128x16xf16>
    %j = addi %i, %one : tile<i32>
    %v, %tv = load_view_tko weak %pa[%j, %zero] token = %tok : partition_view<tile=(128x512), padding_value = zero, tensor_view<4096x512xf16, strides=[512,1]>>, tile<i32> -> tile<128x512xf16>, token
    %t = permute %v [1, 0] : tile<128x512xf16> -> tile<512x128xf16>
    %d = mmaf %t, %p, %acc : tile<512x128xf16>, tile<128x16xf16>, tile<512x16xf32>
    continue %d : tile<512x16xf32>
  }
  %st = store_view_tko weak %sum, %pc[%zero, %zero] token = %tok : tile<512x16xf32>, partition_view<tile=(512x16), tensor_view<512x16xf32, strides=[16,1]>>, tile<i32> -> token
  return
}
// Both are loaded before the first is read. The second load waits for that, and both come by TMA to one pipe.
// CHECK-LABEL: @together
// CHECK-NOT: nv_tileas.tiled_load
// CHECK: role "load"
// CHECK: scf.for
// CHECK: nv_tileas.tma_load
// CHECK: nv_tileas.mbarrier_wait
// CHECK: nv_tileas.tma_load
// CHECK-NOT: nv_tileas.tiled_load
entry @together(%a0: tile<ptr<f16>>, %b0: tile<ptr<f16>>, %c0: tile<ptr<f32>>, %turns: tile<i32>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %a = assume div_by<16>, %a0 : tile<ptr<f16>>
  %c = assume div_by<16>, %c0 : tile<ptr<f32>>
  %va = make_tensor_view %a, shape = [4096, 512], strides = [512, 1] : tensor_view<4096x512xf16, strides=[512,1]>
  %pa = make_partition_view %va : partition_view<tile=(128x512), padding_value = zero, tensor_view<4096x512xf16, strides=[512,1]>>
  %vc = make_tensor_view %c, shape = [512, 16], strides = [16, 1] : tensor_view<512x16xf32, strides=[16,1]>
  %pc = make_partition_view %vc : partition_view<tile=(512x16), tensor_view<512x16xf32, strides=[16,1]>>
  %none = constant <f32: 0.0> : tile<512x16xf32>
  %nothing = constant <f32: 0.0> : tile<128x16xf32>
  %q = constant <f16: 1.0> : tile<512x16xf16>
  %sum = for %i in (%zero to %turns, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<512x16xf32>) {
    %k, %tk = load_view_tko weak %pa[%i, %zero] token = %tok : partition_view<tile=(128x512), padding_value = zero, tensor_view<4096x512xf16, strides=[512,1]>>, tile<i32> -> tile<128x512xf16>, token
    %j = addi %i, %one : tile<i32>
    %v, %tv = load_view_tko weak %pa[%j, %zero] token = %tok : partition_view<tile=(128x512), padding_value = zero, tensor_view<4096x512xf16, strides=[512,1]>>, tile<i32> -> tile<128x512xf16>, token
    %s = mmaf %k, %q, %nothing : tile<128x512xf16>, tile<512x16xf16>, tile<128x16xf32>
    %e = exp2 %s : tile<128x16xf32>
    %p = ftof %e : tile<128x16xf32> -> tile<128x16xf16>
    %t = permute %v [1, 0] : tile<128x512xf16> -> tile<512x128xf16>
    %d = mmaf %t, %p, %acc : tile<512x128xf16>, tile<128x16xf16>, tile<512x16xf32>
    continue %d : tile<512x16xf32>
  }
  %st = store_view_tko weak %sum, %pc[%zero, %zero] token = %tok : tile<512x16xf32>, partition_view<tile=(512x16), tensor_view<512x16xf32, strides=[16,1]>>, tile<i32> -> token
  return
}
}
