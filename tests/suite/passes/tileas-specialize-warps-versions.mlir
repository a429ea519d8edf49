// RUN: tile-opt %s --gpu-name=sm_90 --lower-to=shared-allocated -o - 2>&1 | FileCheck %s

// TMA brings the tiles of the fastest version of the loop. Threads bring those of the other versions, through buffers of
// their own beside the pipe. So the pipe takes four of the five stages that fit alone.
// CHECK: nv_tileas.func @versions
// CHECK: nv_tileas.alloc_shared {{.*}} : !nv_tileas.buffer<4 x [64x256xf16]
// CHECK: nv_tileas.warp_specialize
cuda_tile.module @m {
  entry @versions(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %out: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>, %sa: tile<i32>, %sb: tile<i32>) {
    %a = assume div_by<16>, %pa : tile<ptr<f16>>
    %b = assume div_by<16>, %pb : tile<ptr<f16>>
    %t = make_token : token
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %last = constant <i32: 63> : tile<i32>
    %width = constant <i32: 64> : tile<i32>
    %none = constant <f32: 0.0> : tile<64x256xf32>
    %va = make_tensor_view %a, shape = [%m, %k], strides = [%sa, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vb = make_tensor_view %b, shape = [%n, %k], strides = [%sb, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vo = make_tensor_view %out, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %ta = make_partition_view %va : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(64x256), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>, dim_map=[1, 0]>
    %to = make_partition_view %vo : partition_view<tile=(64), tensor_view<1024xf32, strides=[1]>>
    %up = addi %k, %last : tile<i32>
    %steps = divi %up, %width signed : tile<i32>
    %sum = for %j in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x256xf32>) {
      %u, %tu = load_view_tko weak %ta[%x, %j] token = %t : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %v, %tv = load_view_tko weak %tb[%j, %y] token = %t : partition_view<tile=(64x256), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>, dim_map=[1, 0]>, tile<i32> -> tile<64x256xf16>, token
      %w = mmaf %u, %v, %acc : tile<64x64xf16>, tile<64x256xf16>, tile<64x256xf32>
      continue %w : tile<64x256xf32>
    }
    %rows = reduce %sum dim=1 identities=[0.0 : f32] : tile<64x256xf32> -> tile<64xf32>
    (%g: tile<f32>, %h: tile<f32>) {
      %s = addf %g, %h : tile<f32>
      yield %s : tile<f32>
    }
    %done = store_view_tko weak %rows, %to[%x] token = %t : tile<64xf32>, partition_view<tile=(64), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
