// RUN: tile-opt %s --gpu-name=sm_100 --lower-to=loops-scheduled --print-after=tileas-specialize-warps -o - 2>&1 | FileCheck %s

// The producer reads the expert of a block again, in its own time. An atomic operation is ordered after the read. It comes
// after the loop, when the tiles that the producer loaded are complete, and so is its read.
// CHECK-LABEL: nv_tileas.func @after
// CHECK: role "load"
// CHECK: nv_tileas.load
// CHECK: nv_tileas.tma_load

// Here it comes before the loop: the producer might read what it writes.
// CHECK-LABEL: nv_tileas.func @before
// CHECK-NOT: role "load"

// Here the read decides whether there are tiles. Without any, nothing keeps the producer from reading after the atomic
// operation, and from loading tiles that nobody takes.
// CHECK-LABEL: nv_tileas.func @decides
// CHECK-NOT: role "load"
// CHECK: nv_tileas.return
cuda_tile.module @m {
  entry @after(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pt: tile<ptr<i32>>, %out: tile<ptr<f32>>, %blocks: tile<i32>) {
    %a0 = assume div_by<16>, %pa : tile<ptr<f16>>
    %b0 = assume div_by<16>, %pb : tile<ptr<f16>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : tile<128x128xf32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %va = make_tensor_view %a0, shape = [128, 4096], strides = [4096, 1] : tensor_view<128x4096xf16, strides=[4096,1]>
    %vb = make_tensor_view %b0, shape = [8, 128, 4096], strides = [524288, 4096, 1] : tensor_view<8x128x4096xf16, strides=[524288,4096,1]>
    %vo = make_tensor_view %out, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %ta = make_partition_view %va : partition_view<tile=(128x64), tensor_view<128x4096xf16, strides=[4096,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(1x128x64), tensor_view<8x128x4096xf16, strides=[524288,4096,1]>>
    %to = make_partition_view %vo : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %entry = offset %pt, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %expert, %t0 = load_ptr_tko weak %entry : tile<ptr<i32>> -> tile<i32>, token
    %r = for %i in (%zero to %blocks, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<128x128xf32>) {
      %a, %t1 = load_view_tko weak %ta[%zero, %i] : partition_view<tile=(128x64), tensor_view<128x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<128x64xf16>, token
      %b, %t2 = load_view_tko weak %tb[%expert, %zero, %i] : partition_view<tile=(1x128x64), tensor_view<8x128x4096xf16, strides=[524288,4096,1]>>, tile<i32> -> tile<1x128x64xf16>, token
      %f = reshape %b : tile<1x128x64xf16> -> tile<128x64xf16>
      %w = permute %f [1, 0] : tile<128x64xf16> -> tile<64x128xf16>
      %d = mmaf %a, %w, %acc : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %d : tile<128x128xf32>
    }
    %old, %t3 = atomic_rmw_tko acq_rel device %entry, add, %one token=%t0 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %t4 = store_view_tko weak %r, %to[%zero, %zero] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
  entry @before(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pt: tile<ptr<i32>>, %out: tile<ptr<f32>>, %blocks: tile<i32>) {
    %a0 = assume div_by<16>, %pa : tile<ptr<f16>>
    %b0 = assume div_by<16>, %pb : tile<ptr<f16>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : tile<128x128xf32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %va = make_tensor_view %a0, shape = [128, 4096], strides = [4096, 1] : tensor_view<128x4096xf16, strides=[4096,1]>
    %vb = make_tensor_view %b0, shape = [8, 128, 4096], strides = [524288, 4096, 1] : tensor_view<8x128x4096xf16, strides=[524288,4096,1]>
    %vo = make_tensor_view %out, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %ta = make_partition_view %va : partition_view<tile=(128x64), tensor_view<128x4096xf16, strides=[4096,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(1x128x64), tensor_view<8x128x4096xf16, strides=[524288,4096,1]>>
    %to = make_partition_view %vo : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %entry = offset %pt, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %expert, %t0 = load_ptr_tko weak %entry : tile<ptr<i32>> -> tile<i32>, token
    %old, %t3 = atomic_rmw_tko acq_rel device %entry, add, %one token=%t0 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %r = for %i in (%zero to %blocks, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<128x128xf32>) {
      %a, %t1 = load_view_tko weak %ta[%zero, %i] : partition_view<tile=(128x64), tensor_view<128x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<128x64xf16>, token
      %b, %t2 = load_view_tko weak %tb[%expert, %zero, %i] : partition_view<tile=(1x128x64), tensor_view<8x128x4096xf16, strides=[524288,4096,1]>>, tile<i32> -> tile<1x128x64xf16>, token
      %f = reshape %b : tile<1x128x64xf16> -> tile<128x64xf16>
      %w = permute %f [1, 0] : tile<128x64xf16> -> tile<64x128xf16>
      %d = mmaf %a, %w, %acc : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %d : tile<128x128xf32>
    }
    %t4 = store_view_tko weak %r, %to[%zero, %zero] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
  entry @decides(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pt: tile<ptr<i32>>, %out: tile<ptr<f32>>, %blocks: tile<i32>) {
    %a0 = assume div_by<16>, %pa : tile<ptr<f16>>
    %b0 = assume div_by<16>, %pb : tile<ptr<f16>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : tile<128x128xf32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %va = make_tensor_view %a0, shape = [128, 4096], strides = [4096, 1] : tensor_view<128x4096xf16, strides=[4096,1]>
    %vb = make_tensor_view %b0, shape = [8, 128, 4096], strides = [524288, 4096, 1] : tensor_view<8x128x4096xf16, strides=[524288,4096,1]>
    %vo = make_tensor_view %out, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %ta = make_partition_view %va : partition_view<tile=(128x64), tensor_view<128x4096xf16, strides=[4096,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(1x128x64), tensor_view<8x128x4096xf16, strides=[524288,4096,1]>>
    %to = make_partition_view %vo : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %entry = offset %pt, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %expert, %t0 = load_ptr_tko weak %entry : tile<ptr<i32>> -> tile<i32>, token
    %r = for %i in (%zero to %expert, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<128x128xf32>) {
      %a, %t1 = load_view_tko weak %ta[%zero, %i] : partition_view<tile=(128x64), tensor_view<128x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<128x64xf16>, token
      %b, %t2 = load_view_tko weak %tb[%expert, %zero, %i] : partition_view<tile=(1x128x64), tensor_view<8x128x4096xf16, strides=[524288,4096,1]>>, tile<i32> -> tile<1x128x64xf16>, token
      %f = reshape %b : tile<1x128x64xf16> -> tile<128x64xf16>
      %w = permute %f [1, 0] : tile<128x64xf16> -> tile<64x128xf16>
      %d = mmaf %a, %w, %acc : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %d : tile<128x128xf32>
    }
    %old, %t3 = atomic_rmw_tko acq_rel device %entry, add, %one token=%t0 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %t4 = store_view_tko weak %r, %to[%zero, %zero] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
