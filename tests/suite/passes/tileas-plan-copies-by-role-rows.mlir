// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_90 --print-after=tileas-specialize-warps -o /dev/null 2>&1 | FileCheck %s
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_100 --print-after=tileas-specialize-warps -o /dev/null 2>&1 | FileCheck %s
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_120 --print-after=tileas-specialize-warps -o /dev/null 2>&1 | FileCheck %s

// A tile of few rows has a synchronous MMA on every target. A producer warp loads its operands, and both come in one
// stage, even if threads load all of A before they need B.
cuda_tile.module @m {
// CHECK-LABEL: nv_tileas.func @rows32
// CHECK: nv_tileas.pipe_create {{.*}} -> !nv_tileas.pipe<tma -> threads, !nv_tileas.buffer<{{[0-9]+}} x [32x128xf16]{{.*}}, !nv_tileas.buffer<{{[0-9]+}} x [128x64xf16]
// CHECK-NOT: nv_tileas.pipe_create
// CHECK: nv_tileas.warp_specialize
entry @rows32(%a0: tile<ptr<f16>>, %b0: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %steps = constant <i32: 16> : tile<i32>
  %a = assume div_by<16>, %a0 : tile<ptr<f16>>
  %b = assume div_by<16>, %b0 : tile<ptr<f16>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %va = make_tensor_view %a, shape = [1024, 4096], strides = [4096, 1] : tensor_view<1024x4096xf16, strides=[4096,1]>
  %pa = make_partition_view %va : partition_view<tile=(32x128), tensor_view<1024x4096xf16, strides=[4096,1]>>
  %vb = make_tensor_view %b, shape = [1024, 4096], strides = [4096, 1] : tensor_view<1024x4096xf16, strides=[4096,1]>
  %pb = make_partition_view %vb : partition_view<tile=(128x64), tensor_view<1024x4096xf16, strides=[4096,1]>, dim_map=[1, 0]>
  %vc = make_tensor_view %c, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
  %pc = make_partition_view %vc : partition_view<tile=(32x64), tensor_view<1024x1024xf32, strides=[1024,1]>>
  %none = constant <f32: 0.0> : tile<32x64xf32>
  %sum = for %i in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<32x64xf32>) {
    %u, %tu = load_view_tko weak %pa[%x, %i] token = %tok : partition_view<tile=(32x128), tensor_view<1024x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<32x128xf16>, token
    %v, %tv = load_view_tko weak %pb[%i, %y] token = %tok : partition_view<tile=(128x64), tensor_view<1024x4096xf16, strides=[4096,1]>, dim_map=[1, 0]>, tile<i32> -> tile<128x64xf16>, token
    %s = mmaf %u, %v, %acc : tile<32x128xf16>, tile<128x64xf16>, tile<32x64xf32>
    continue %s : tile<32x64xf32>
  }
  %st = store_view_tko weak %sum, %pc[%x, %y] token = %tok : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> token
  return
}

// CHECK-LABEL: nv_tileas.func @rows16
// CHECK: nv_tileas.pipe_create {{.*}} -> !nv_tileas.pipe<tma -> threads, !nv_tileas.buffer<{{[0-9]+}} x [16x256xf16]{{.*}}, !nv_tileas.buffer<{{[0-9]+}} x [256x32xf16]
// CHECK-NOT: nv_tileas.pipe_create
// CHECK: nv_tileas.warp_specialize
entry @rows16(%a0: tile<ptr<f16>>, %b0: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %steps = constant <i32: 16> : tile<i32>
  %a = assume div_by<16>, %a0 : tile<ptr<f16>>
  %b = assume div_by<16>, %b0 : tile<ptr<f16>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %va = make_tensor_view %a, shape = [1024, 4096], strides = [4096, 1] : tensor_view<1024x4096xf16, strides=[4096,1]>
  %pa = make_partition_view %va : partition_view<tile=(16x256), tensor_view<1024x4096xf16, strides=[4096,1]>>
  %vb = make_tensor_view %b, shape = [1024, 4096], strides = [4096, 1] : tensor_view<1024x4096xf16, strides=[4096,1]>
  %pb = make_partition_view %vb : partition_view<tile=(256x32), tensor_view<1024x4096xf16, strides=[4096,1]>, dim_map=[1, 0]>
  %vc = make_tensor_view %c, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
  %pc = make_partition_view %vc : partition_view<tile=(16x32), tensor_view<1024x1024xf32, strides=[1024,1]>>
  %none = constant <f32: 0.0> : tile<16x32xf32>
  %sum = for %i in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<16x32xf32>) {
    %u, %tu = load_view_tko weak %pa[%x, %i] token = %tok : partition_view<tile=(16x256), tensor_view<1024x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<16x256xf16>, token
    %v, %tv = load_view_tko weak %pb[%i, %y] token = %tok : partition_view<tile=(256x32), tensor_view<1024x4096xf16, strides=[4096,1]>, dim_map=[1, 0]>, tile<i32> -> tile<256x32xf16>, token
    %s = mmaf %u, %v, %acc : tile<16x256xf16>, tile<256x32xf16>, tile<16x32xf32>
    continue %s : tile<16x32xf32>
  }
  %st = store_view_tko weak %sum, %pc[%x, %y] token = %tok : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> token
  return
}

// Two products share A, as in a gated MLP. Both add to what the loop carries, so all three tiles come in one stage.
// CHECK-LABEL: nv_tileas.func @two
// CHECK: nv_tileas.pipe_create {{.*}} -> !nv_tileas.pipe<tma -> threads, !nv_tileas.buffer<{{[0-9]+}} x [32x64xf16]{{.*}}, !nv_tileas.buffer<{{[0-9]+}} x [64x64xf16]{{.*}}, !nv_tileas.buffer<{{[0-9]+}} x [64x64xf16]
// CHECK-NOT: nv_tileas.pipe_create
// CHECK: nv_tileas.warp_specialize
entry @two(%a0: tile<ptr<f16>>, %b0: tile<ptr<f16>>, %d0: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %steps = constant <i32: 16> : tile<i32>
  %a = assume div_by<16>, %a0 : tile<ptr<f16>>
  %b = assume div_by<16>, %b0 : tile<ptr<f16>>
  %d = assume div_by<16>, %d0 : tile<ptr<f16>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %va = make_tensor_view %a, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf16, strides=[1024,1]>
  %pa = make_partition_view %va : partition_view<tile=(32x64), tensor_view<1024x1024xf16, strides=[1024,1]>>
  %vb = make_tensor_view %b, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf16, strides=[1024,1]>
  %pb = make_partition_view %vb : partition_view<tile=(64x64), tensor_view<1024x1024xf16, strides=[1024,1]>>
  %vd = make_tensor_view %d, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf16, strides=[1024,1]>
  %pd = make_partition_view %vd : partition_view<tile=(64x64), tensor_view<1024x1024xf16, strides=[1024,1]>>
  %vc = make_tensor_view %c, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
  %pc = make_partition_view %vc : partition_view<tile=(32x64), tensor_view<1024x1024xf32, strides=[1024,1]>>
  %none = constant <f32: 0.0> : tile<32x64xf32>
  %r:2 = for %i in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %none, %bcc = %none) -> (tile<32x64xf32>, tile<32x64xf32>) {
    %u, %tu = load_view_tko weak %pa[%x, %i] token = %tok : partition_view<tile=(32x64), tensor_view<1024x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<32x64xf16>, token
    %v, %tv = load_view_tko weak %pb[%i, %y] token = %tok : partition_view<tile=(64x64), tensor_view<1024x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<64x64xf16>, token
    %s = mmaf %u, %v, %acc : tile<32x64xf16>, tile<64x64xf16>, tile<32x64xf32>
    %w, %tw = load_view_tko weak %pd[%i, %y] token = %tok : partition_view<tile=(64x64), tensor_view<1024x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<64x64xf16>, token
    %t = mmaf %u, %w, %bcc : tile<32x64xf16>, tile<64x64xf16>, tile<32x64xf32>
    continue %s, %t : tile<32x64xf32>, tile<32x64xf32>
  }
  %both = mulf %r#0, %r#1 : tile<32x64xf32>
  %st = store_view_tko weak %both, %pc[%x, %y] token = %tok : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> token
  return
}
}
