// Eight warps and four load the same tiles, and memory is what keeps this kernel busy. Four issue fewer instructions: each
// has rows of its own of more of the tile, and the loop is executed by half as many.
//
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_90 -O3 --log=debug 2>&1 | FileCheck %s

// CHECK: DBG tried component=tileaa-plan-kernel {{.*}} price="[[PRICE:[0-9]+]] cycles of unit global" {{.*}} variant="as it is"
// CHECK: DBG tried component=tileaa-plan-kernel {{.*}} price="[[PRICE]] cycles of unit global" {{.*}} variant="4 warps"
// CHECK: role "compute" warps(4)
cuda_tile.module @m {
entry @low_rank(%p: tile<ptr<f16>>, %q: tile<ptr<f16>>, %w: tile<ptr<f16>>, %r: tile<ptr<f16>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
  %a = assume div_by<16>, %p : tile<ptr<f16>>
  %b = assume div_by<16>, %q : tile<ptr<f16>>
  %g = assume div_by<16>, %w : tile<ptr<f16>>
  %c = assume div_by<16>, %r : tile<ptr<f16>>
  %rows = assume div_by<16>, %m : tile<i32>
  %columns = assume div_by<16>, %n : tile<i32>
  %depth = assume div_by<16>, %k : tile<i32>
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %start = make_token : token
  %at = make_tensor_view %a, shape = [%rows, %depth], strides = [%depth, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
  %bt = make_tensor_view %b, shape = [%depth, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
  %gt = make_tensor_view %g, shape = [%depth, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
  %ct = make_tensor_view %c, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
  %av = make_partition_view %at : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
  %bv = make_partition_view %bt : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
  %gv = make_partition_view %gt : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
  %cv = make_partition_view %ct : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %none = constant <f32: 0.0> : tile<128x64xf32>
  %wide = constant <f32: 0.0> : tile<128x128xf32>
  %i, %steps = get_index_space_shape %av : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>> -> tile<i32>
  %up, %gate = for %s in (%zero to %steps, step %one) : tile<i32> iter_values(%u = %wide, %v = %none) -> (tile<128x128xf32>, tile<128x64xf32>) {
    %l, %t0 = load_view_tko weak %av[%x, %s] token = %start : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
    %o, %t1 = load_view_tko weak %bv[%s, %y] token = %start : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
    %h, %t2 = load_view_tko weak %gv[%s, %y] token = %start : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
    %d = mmaf %l, %o, %u : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
    %e = mmaf %l, %h, %v : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
    continue %d, %e : tile<128x128xf32>, tile<128x64xf32>
  }
  %cw = make_partition_view %ct : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
  %f = ftof %up : tile<128x128xf32> -> tile<128x128xf16>
  %t3 = store_view_tko weak %f, %cw[%x, %y] token = %start : tile<128x128xf16>, partition_view<tile=(128x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
  %h = ftof %gate : tile<128x64xf32> -> tile<128x64xf16>
  %done = store_view_tko weak %h, %cv[%y, %x] token = %t3 : tile<128x64xf16>, partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
  return
}
}
