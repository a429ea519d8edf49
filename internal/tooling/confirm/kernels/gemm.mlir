// c = a b of halves, whose accumulators are halves too, as those of cublasHgemm are.
entry @gemm(%p: tile<ptr<f16>>, %q: tile<ptr<f16>>, %r: tile<ptr<f16>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
  %a = assume div_by<16>, %p : tile<ptr<f16>>
  %b = assume div_by<16>, %q : tile<ptr<f16>>
  %c = assume div_by<16>, %r : tile<ptr<f16>>
  %rows = assume div_by<16>, %m : tile<i32>
  %columns = assume div_by<16>, %n : tile<i32>
  %depth = assume div_by<16>, %k : tile<i32>
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %start = make_token : token
  %at = make_tensor_view %a, shape = [%rows, %depth], strides = [%depth, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
  %bt = make_tensor_view %b, shape = [%depth, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
  %ct = make_tensor_view %c, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
  %av = make_partition_view %at : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
  %bv = make_partition_view %bt : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
  %cv = make_partition_view %ct : partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %none = constant <f16: 0.0> : tile<128x128xf16>
  %i, %steps = get_index_space_shape %av : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>> -> tile<i32>
  %sum = for %s in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<128x128xf16>) {
    %l, %t = load_view_tko weak %av[%x, %s] token = %start : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
    %o, %u = load_view_tko weak %bv[%s, %y] token = %start : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
    %d = mmaf %l, %o, %acc : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf16>
    continue %d : tile<128x128xf16>
  }
  %done = store_view_tko weak %sum, %cv[%x, %y] token = %start : tile<128x128xf16>, partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
  return
}
