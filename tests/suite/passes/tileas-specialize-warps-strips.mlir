// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_100 --remarks 2>&1 | FileCheck %s

// Rows of attention are cut into two strips, and the store of one may last while the other is computed. Then its buffer has
// no memory in common with K and V, which the consumers load in loops of their own. Roles would need more than there is.
// CHECK: no warp specialization: the pipes need {{[0-9]+}} bytes more shared memory than is available
// CHECK-NOT: nv_tileas.warp_specialize
cuda_tile.module @m {
entry @strips(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f16>>, %r: tile<ptr<f16>>, %n: tile<i32>, %m: tile<i32>) {
  %t = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %a16 = assume div_by<16>, %a : tile<ptr<f16>>
  %va = make_tensor_view %a16, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf16, strides=[1024,1]>
  %b16 = assume div_by<16>, %b : tile<ptr<f16>>
  %vb = make_tensor_view %b16, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf16, strides=[1024,1]>
  %c16 = assume div_by<16>, %c : tile<ptr<f16>>
  %vc = make_tensor_view %c16, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf16, strides=[1024,1]>
  %r16 = assume div_by<16>, %r : tile<ptr<f16>>
  %vr = make_tensor_view %r16, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf16, strides=[1024,1]>
  %pq = make_partition_view %va : partition_view<tile=(256x256), tensor_view<1024x1024xf16, strides=[1024,1]>>
  %pk = make_partition_view %vb : partition_view<tile=(256x128), tensor_view<1024x1024xf16, strides=[1024,1]>>
  %pv = make_partition_view %vc : partition_view<tile=(128x256), tensor_view<1024x1024xf16, strides=[1024,1]>>
  %po = make_partition_view %vr : partition_view<tile=(256x256), tensor_view<1024x1024xf16, strides=[1024,1]>>
  %q, %tq = load_view_tko weak %pq[%x, %zero] token = %t : partition_view<tile=(256x256), tensor_view<1024x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<256x256xf16>, token
  %none = constant <f32: 0.0> : tile<256x128xf32>
  %acc0 = constant <f32: 0.0> : tile<256x256xf32>
  %sum0 = constant <f32: 0.0> : tile<256x1xf32>
  %first:3 = for %j in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %acc0, %sum = %sum0, %top = %sum0) -> (tile<256x256xf32>, tile<256x1xf32>, tile<256x1xf32>) {
    %k, %tk = load_view_tko weak %pk[%zero, %j] token = %t : partition_view<tile=(256x128), tensor_view<1024x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<256x128xf16>, token
    %s = mmaf %q, %k, %none : tile<256x256xf16>, tile<256x128xf16>, tile<256x128xf32>
    %most = reduce %s dim=1 identities=[0xFF800000 : f32] : tile<256x128xf32> -> tile<256xf32>
    (%g: tile<f32>, %h: tile<f32>) {
      %w = maxf %g, %h : tile<f32>
      yield %w : tile<f32>
    }
    %column = reshape %most : tile<256xf32> -> tile<256x1xf32>
    %next = maxf %top, %column : tile<256x1xf32>
    %rows = broadcast %next : tile<256x1xf32> -> tile<256x128xf32>
    %d = subf %s, %rows : tile<256x128xf32>
    %p = exp2 %d : tile<256x128xf32>
    %e = subf %top, %next : tile<256x1xf32>
    %scale = exp2 %e : tile<256x1xf32>
    %scales = broadcast %scale : tile<256x1xf32> -> tile<256x256xf32>
    %scaled = mulf %acc, %scales : tile<256x256xf32>
    %v, %tv = load_view_tko weak %pv[%j, %zero] token = %t : partition_view<tile=(128x256), tensor_view<1024x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<128x256xf16>, token
    %half = ftof %p : tile<256x128xf32> -> tile<256x128xf16>
    %o = mmaf %half, %v, %scaled : tile<256x128xf16>, tile<128x256xf16>, tile<256x256xf32>
    continue %o, %sum, %next : tile<256x256xf32>, tile<256x1xf32>, tile<256x1xf32>
  }
  %second:3 = for %j in (%n to %m, step %one) : tile<i32> iter_values(%acc = %first#0, %sum = %first#1, %top = %first#2) -> (tile<256x256xf32>, tile<256x1xf32>, tile<256x1xf32>) {
    %k, %tk = load_view_tko weak %pk[%zero, %j] token = %t : partition_view<tile=(256x128), tensor_view<1024x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<256x128xf16>, token
    %s = mmaf %q, %k, %none : tile<256x256xf16>, tile<256x128xf16>, tile<256x128xf32>
    %most = reduce %s dim=1 identities=[0xFF800000 : f32] : tile<256x128xf32> -> tile<256xf32>
    (%g: tile<f32>, %h: tile<f32>) {
      %w = maxf %g, %h : tile<f32>
      yield %w : tile<f32>
    }
    %column = reshape %most : tile<256xf32> -> tile<256x1xf32>
    %next = maxf %top, %column : tile<256x1xf32>
    %rows = broadcast %next : tile<256x1xf32> -> tile<256x128xf32>
    %d = subf %s, %rows : tile<256x128xf32>
    %p = exp2 %d : tile<256x128xf32>
    %e = subf %top, %next : tile<256x1xf32>
    %scale = exp2 %e : tile<256x1xf32>
    %scales = broadcast %scale : tile<256x1xf32> -> tile<256x256xf32>
    %scaled = mulf %acc, %scales : tile<256x256xf32>
    %v, %tv = load_view_tko weak %pv[%j, %zero] token = %t : partition_view<tile=(128x256), tensor_view<1024x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<128x256xf16>, token
    %half = ftof %p : tile<256x128xf32> -> tile<256x128xf16>
    %o = mmaf %half, %v, %scaled : tile<256x128xf16>, tile<128x256xf16>, tile<256x256xf32>
    continue %o, %sum, %next : tile<256x256xf32>, tile<256x1xf32>, tile<256x1xf32>
  }
  %f = ftof %second#0 : tile<256x256xf32> -> tile<256x256xf16>
  %ts = store_view_tko weak %f, %po[%x, %zero] token = %t : tile<256x256xf16>, partition_view<tile=(256x256), tensor_view<1024x1024xf16, strides=[1024,1]>>, tile<i32> -> token
  return
}
}
