// A product of 128x128x64 tiles, over which the tile blocks walk.
cuda_tile.module @m {
entry @k(%a0: tile<ptr<f16>>, %b0: tile<ptr<f16>>, %c0: tile<ptr<f16>>, %m0: tile<i32>, %n0: tile<i32>, %k0: tile<i32>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %deep = constant <i32: 64> : tile<i32>
  %a = assume div_by<16>, %a0 : tile<ptr<f16>>
  %b = assume div_by<16>, %b0 : tile<ptr<f16>>
  %c = assume div_by<16>, %c0 : tile<ptr<f16>>
  %m1 = assume bounded<0, ?>, %m0 : tile<i32>
  %m = assume div_by<16>, %m1 : tile<i32>
  %n1 = assume bounded<0, ?>, %n0 : tile<i32>
  %n = assume div_by<16>, %n1 : tile<i32>
  %k1 = assume bounded<0, ?>, %k0 : tile<i32>
  %k = assume div_by<16>, %k1 : tile<i32>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %gx, %gy, %gz = get_num_tile_blocks : tile<i32>
  %wide = constant <i32: 128> : tile<i32>
  %va = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
  %pa = make_partition_view %va : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
  %vb = make_tensor_view %b, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
  %pb = make_partition_view %vb : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
  %vc = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
  %pc = make_partition_view %vc : partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>
  %turns = divi %k, %deep signed rounding<positive_inf> : tile<i32>
  %none = constant <f32: 0.0> : tile<128x128xf32>
  %rows = divi %m, %wide signed rounding<positive_inf> : tile<i32>
  %columns = divi %n, %wide signed rounding<positive_inf> : tile<i32>
  %tiles = muli %rows, %columns : tile<i32>
  %end = for %t in (%x to %tiles, step %gx) : tile<i32> iter_values(%done = %tok) -> (token) {
    %r = divi %t, %columns signed rounding<zero> : tile<i32>
    %q = remi %t, %columns signed : tile<i32>
    %sum = for %i in (%zero to %turns, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<128x128xf32>) {
      %u, %tu = load_view_tko weak %pa[%r, %i] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %v, %tv = load_view_tko weak %pb[%i, %q] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
      %s = mmaf %u, %v, %acc : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %s : tile<128x128xf32>
    }
    %h = ftof %sum : tile<128x128xf32> -> tile<128x128xf16>
    %st = store_view_tko weak %h, %pc[%r, %q] token = %done : tile<128x128xf16>, partition_view<tile=(128x128), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
    continue %st : token
  }
  return
}
}
