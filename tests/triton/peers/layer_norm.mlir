// Layer normalization of a row of 2,048 in each tile block.
cuda_tile.module @m {
entry @k(%x0: tile<ptr<f16>>, %w0: tile<ptr<f16>>, %b0: tile<ptr<f16>>, %o0: tile<ptr<f16>>, %c0: tile<i32>, %eps: tile<f32>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %x1 = assume div_by<16>, %x0 : tile<ptr<f16>>
  %w1 = assume div_by<16>, %w0 : tile<ptr<f16>>
  %b1 = assume div_by<16>, %b0 : tile<ptr<f16>>
  %o1 = assume div_by<16>, %o0 : tile<ptr<f16>>
  %c1 = assume bounded<0, ?>, %c0 : tile<i32>
  %c = assume div_by<16>, %c1 : tile<i32>
  %row, %y, %z = get_tile_block_id : tile<i32>
  %rows, %gy, %gz = get_num_tile_blocks : tile<i32>
  %vx = make_tensor_view %x1, shape = [%rows, 2048], strides = [%c, 1] : tile<i32> -> tensor_view<?x2048xf16, strides=[?,1]>
  %px = make_partition_view %vx : partition_view<tile=(1x2048), tensor_view<?x2048xf16, strides=[?,1]>>
  %vw = make_tensor_view %w1, shape = [1, 2048], strides = [2048, 1] : tensor_view<1x2048xf16, strides=[2048,1]>
  %pw = make_partition_view %vw : partition_view<tile=(1x2048), tensor_view<1x2048xf16, strides=[2048,1]>>
  %vb = make_tensor_view %b1, shape = [1, 2048], strides = [2048, 1] : tensor_view<1x2048xf16, strides=[2048,1]>
  %pb = make_partition_view %vb : partition_view<tile=(1x2048), tensor_view<1x2048xf16, strides=[2048,1]>>
  %vo = make_tensor_view %o1, shape = [%rows, 2048], strides = [%c, 1] : tile<i32> -> tensor_view<?x2048xf16, strides=[?,1]>
  %po = make_partition_view %vo : partition_view<tile=(1x2048), tensor_view<?x2048xf16, strides=[?,1]>>
  %h, %th = load_view_tko weak %px[%row, %zero] token = %tok : partition_view<tile=(1x2048), tensor_view<?x2048xf16, strides=[?,1]>>, tile<i32> -> tile<1x2048xf16>, token
  %v = ftof %h : tile<1x2048xf16> -> tile<1x2048xf32>
  %sum = reduce %v dim=1 identities=[0.000000e+00 : f32] : tile<1x2048xf32> -> tile<1xf32>
  (%al: tile<f32>, %ar: tile<f32>) {
    %aa = addf %al, %ar : tile<f32>
    yield %aa : tile<f32>
  }
  %count = constant <f32: 2048.0> : tile<1xf32>
  %mean = divf %sum, %count : tile<1xf32>
  %mean1 = reshape %mean : tile<1xf32> -> tile<1x1xf32>
  %means = broadcast %mean1 : tile<1x1xf32> -> tile<1x2048xf32>
  %d = subf %v, %means : tile<1x2048xf32>
  %dd = mulf %d, %d : tile<1x2048xf32>
  %square = reduce %dd dim=1 identities=[0.000000e+00 : f32] : tile<1x2048xf32> -> tile<1xf32>
  (%sl: tile<f32>, %sr: tile<f32>) {
    %ss = addf %sl, %sr : tile<f32>
    yield %ss : tile<f32>
  }
  %var = divf %square, %count : tile<1xf32>
  %eps1 = reshape %eps : tile<f32> -> tile<1xf32>
  %more = addf %var, %eps1 : tile<1xf32>
  %r = rsqrt %more : tile<1xf32>
  %r1 = reshape %r : tile<1xf32> -> tile<1x1xf32>
  %rs = broadcast %r1 : tile<1x1xf32> -> tile<1x2048xf32>
  %n = mulf %d, %rs : tile<1x2048xf32>
  %wh, %tw = load_view_tko weak %pw[%zero, %zero] token = %tok : partition_view<tile=(1x2048), tensor_view<1x2048xf16, strides=[2048,1]>>, tile<i32> -> tile<1x2048xf16>, token
  %w = ftof %wh : tile<1x2048xf16> -> tile<1x2048xf32>
  %bh, %tb = load_view_tko weak %pb[%zero, %zero] token = %tok : partition_view<tile=(1x2048), tensor_view<1x2048xf16, strides=[2048,1]>>, tile<i32> -> tile<1x2048xf16>, token
  %b = ftof %bh : tile<1x2048xf16> -> tile<1x2048xf32>
  %f = fma %n, %w, %b : tile<1x2048xf32>
  %fh = ftof %f : tile<1x2048xf32> -> tile<1x2048xf16>
  %st = store_view_tko weak %fh, %po[%row, %zero] token = %tok : tile<1x2048xf16>, partition_view<tile=(1x2048), tensor_view<?x2048xf16, strides=[?,1]>>, tile<i32> -> token
  return
}
}
