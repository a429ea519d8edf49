// A matrix product, f16 with sums in f32, of tiles 128 x 128 x 64.
cuda_tile.module @m {
  entry @product(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %out: tile<ptr<f32>>, %steps: tile<i32>) {
    %a = assume div_by<16>, %pa : tile<ptr<f16>>
    %b = assume div_by<16>, %pb : tile<ptr<f16>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : tile<128x128xf32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %va = make_tensor_view %a, shape = [4096, 4096], strides = [4096, 1] : tensor_view<4096x4096xf16, strides=[4096,1]>
    %vb = make_tensor_view %b, shape = [4096, 4096], strides = [4096, 1] : tensor_view<4096x4096xf16, strides=[4096,1]>
    %vo = make_tensor_view %out, shape = [4096, 4096], strides = [4096, 1] : tensor_view<4096x4096xf32, strides=[4096,1]>
    %ta = make_partition_view %va : partition_view<tile=(128x64), tensor_view<4096x4096xf16, strides=[4096,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(64x128), tensor_view<4096x4096xf16, strides=[4096,1]>>
    %to = make_partition_view %vo : partition_view<tile=(128x128), tensor_view<4096x4096xf32, strides=[4096,1]>>
    %r = for %k in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<128x128xf32>) {
      %l, %t0 = load_view_tko weak %ta[%x, %k] : partition_view<tile=(128x64), tensor_view<4096x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<128x64xf16>, token
      %m, %t1 = load_view_tko weak %tb[%k, %y] : partition_view<tile=(64x128), tensor_view<4096x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<64x128xf16>, token
      %s = mmaf %l, %m, %acc : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %s : tile<128x128xf32>
    }
    %t = store_view_tko weak %r, %to[%x, %y] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<4096x4096xf32, strides=[4096,1]>>, tile<i32> -> token
    return
  }
}
