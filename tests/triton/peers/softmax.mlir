// The softmax of a row of 2,048 in each tile block.
cuda_tile.module @m {
entry @k(%x0: tile<ptr<f16>>, %o0: tile<ptr<f16>>, %c0: tile<i32>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %x1 = assume div_by<16>, %x0 : tile<ptr<f16>>
  %o1 = assume div_by<16>, %o0 : tile<ptr<f16>>
  %c1 = assume bounded<0, ?>, %c0 : tile<i32>
  %c = assume div_by<16>, %c1 : tile<i32>
  %row, %y, %z = get_tile_block_id : tile<i32>
  %rows, %gy, %gz = get_num_tile_blocks : tile<i32>
  %vx = make_tensor_view %x1, shape = [%rows, 2048], strides = [%c, 1] : tile<i32> -> tensor_view<?x2048xf16, strides=[?,1]>
  %px = make_partition_view %vx : partition_view<tile=(1x2048), tensor_view<?x2048xf16, strides=[?,1]>>
  %vo = make_tensor_view %o1, shape = [%rows, 2048], strides = [%c, 1] : tile<i32> -> tensor_view<?x2048xf16, strides=[?,1]>
  %po = make_partition_view %vo : partition_view<tile=(1x2048), tensor_view<?x2048xf16, strides=[?,1]>>
  %h, %th = load_view_tko weak %px[%row, %zero] token = %tok : partition_view<tile=(1x2048), tensor_view<?x2048xf16, strides=[?,1]>>, tile<i32> -> tile<1x2048xf16>, token
  %v = ftof %h : tile<1x2048xf16> -> tile<1x2048xf32>
  %max = reduce %v dim=1 identities=[0xFF800000 : f32] : tile<1x2048xf32> -> tile<1xf32>
  (%ml: tile<f32>, %mr: tile<f32>) {
    %mm = maxf %ml, %mr : tile<f32>
    yield %mm : tile<f32>
  }
  %max1 = reshape %max : tile<1xf32> -> tile<1x1xf32>
  %maxs = broadcast %max1 : tile<1x1xf32> -> tile<1x2048xf32>
  %d = subf %v, %maxs : tile<1x2048xf32>
  %log = constant <f32: 1.44269502> : tile<1x2048xf32>
  %dl = mulf %d, %log : tile<1x2048xf32>
  %e = exp2 %dl flush_to_zero : tile<1x2048xf32>
  %sum = reduce %e dim=1 identities=[0.000000e+00 : f32] : tile<1x2048xf32> -> tile<1xf32>
  (%al: tile<f32>, %ar: tile<f32>) {
    %aa = addf %al, %ar : tile<f32>
    yield %aa : tile<f32>
  }
  %sum1 = reshape %sum : tile<1xf32> -> tile<1x1xf32>
  %sums = broadcast %sum1 : tile<1x1xf32> -> tile<1x2048xf32>
  %p = divf %e, %sums rounding<full> : tile<1x2048xf32>
  %ph = ftof %p : tile<1x2048xf32> -> tile<1x2048xf16>
  %st = store_view_tko weak %ph, %po[%row, %zero] token = %tok : tile<1x2048xf16>, partition_view<tile=(1x2048), tensor_view<?x2048xf16, strides=[?,1]>>, tile<i32> -> token
  return
}
}
