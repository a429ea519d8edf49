// RUN: ptx-counts %s | golden %S/softmax.counts

// A softmax of rows of 1024 halves: one load, two reductions over a line that four warps share, one store.
entry @softmax(%p: tile<ptr<f16>>, %q: tile<ptr<f16>>, %m: tile<i32>) {
  %a = assume div_by<16>, %p : tile<ptr<f16>>
  %b = assume div_by<16>, %q : tile<ptr<f16>>
  %start = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %at = make_tensor_view %a, shape = [%m, 1024], strides = [1024, 1] : tile<i32> -> tensor_view<?x1024xf16, strides=[1024,1]>
  %bt = make_tensor_view %b, shape = [%m, 1024], strides = [1024, 1] : tile<i32> -> tensor_view<?x1024xf16, strides=[1024,1]>
  %av = make_partition_view %at : partition_view<tile=(1x1024), padding_value = neg_inf, tensor_view<?x1024xf16, strides=[1024,1]>>
  %bv = make_partition_view %bt : partition_view<tile=(1x1024), tensor_view<?x1024xf16, strides=[1024,1]>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %half, %t = load_view_tko weak %av[%x, %zero] token = %start : partition_view<tile=(1x1024), padding_value = neg_inf, tensor_view<?x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<1x1024xf16>, token
  %row = ftof %half : tile<1x1024xf16> -> tile<1x1024xf32>
  %max = reduce %row dim=1 identities=[0xFF800000 : f32] : tile<1x1024xf32> -> tile<1xf32>
  (%l: tile<f32>, %r: tile<f32>) {
    %s = maxf %l, %r : tile<f32>
    yield %s : tile<f32>
  }
  %max1 = reshape %max : tile<1xf32> -> tile<1x1xf32>
  %maxes = broadcast %max1 : tile<1x1xf32> -> tile<1x1024xf32>
  %d = subf %row, %maxes : tile<1x1024xf32>
  %e = exp %d : tile<1x1024xf32>
  %sum = reduce %e dim=1 identities=[0.0 : f32] : tile<1x1024xf32> -> tile<1xf32>
  (%l: tile<f32>, %r: tile<f32>) {
    %s = addf %l, %r : tile<f32>
    yield %s : tile<f32>
  }
  %sum1 = reshape %sum : tile<1xf32> -> tile<1x1xf32>
  %sums = broadcast %sum1 : tile<1x1xf32> -> tile<1x1024xf32>
  %f = divf %e, %sums : tile<1x1024xf32>
  %g = ftof %f : tile<1x1024xf32> -> tile<1x1024xf16>
  %done = store_view_tko weak %g, %bv[%x, %zero] token = %start : tile<1x1024xf16>, partition_view<tile=(1x1024), tensor_view<?x1024xf16, strides=[1024,1]>>, tile<i32> -> token
  return
}
