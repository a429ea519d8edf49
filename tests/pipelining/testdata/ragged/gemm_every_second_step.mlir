// A GEMM that leaves out every second K step.

cuda_tile.module @m {
  entry @k(%out: tile<ptr<f32>>, %pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>, %sa: tile<i32>, %sb: tile<i32>, %skew: tile<i32>, %lo: tile<i32>, %hi: tile<i32>, %columns: tile<i32>, %blocks: tile<i32>) {
    %tok = make_token : token
    %none = constant <f32: 0.0> : tile<32x32xf32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %a = offset %pa, %skew : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %b = offset %pb, %skew : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %va = make_tensor_view %a, shape = [%m, %k], strides = [%sa, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vb = make_tensor_view %b, shape = [%k, %n], strides = [%sb, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %pva = make_partition_view %va : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvb = make_partition_view %vb : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %vo = make_tensor_view %out, shape = [96, 96], strides = [96, 1] : tensor_view<96x96xf32, strides=[96,1]>
    %pvo = make_partition_view %vo : partition_view<tile=(32x32), tensor_view<96x96xf32, strides=[96,1]>>
    %at, %by, %bz = get_tile_block_id : tile<i32>
    %column = remi %at, %columns signed : tile<i32>
    %row = divi %at, %columns signed : tile<i32>
    %x = exti %row signed : tile<i32> -> tile<i64>
    %y = exti %column signed : tile<i32> -> tile<i64>
    %u = trunci %x : tile<i64> -> tile<i32>
    %v = trunci %y : tile<i64> -> tile<i32>
    %r = for %i in (%lo to %hi, step %two) : tile<i32> iter_values(%acc = %none) -> (tile<32x32xf32>) {
      %ta, %t1 = load_view_tko weak %pva[%u, %i] token = %tok : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x32xf16>, token
      %tb, %t2 = load_view_tko weak %pvb[%i, %v] token = %tok : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x32xf16>, token
      %d = mmaf %ta, %tb, %acc : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
      continue %d : tile<32x32xf32>
    }
    %done = store_view_tko weak %r, %pvo[%row, %column] token = %tok : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<96x96xf32, strides=[96,1]>>, tile<i32> -> token
    return
  }
}
