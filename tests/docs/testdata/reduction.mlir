// Sums of the squares of the rows of a matrix, 1024 elements at a time.
cuda_tile.module @m {
  entry @squares(%pa: tile<ptr<f16>>, %out: tile<ptr<f32>>, %steps: tile<i32>) {
    %a = assume div_by<16>, %pa : tile<ptr<f16>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : tile<1x1024xf32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %va = make_tensor_view %a, shape = [4096, 65536], strides = [65536, 1] : tensor_view<4096x65536xf16, strides=[65536,1]>
    %ta = make_partition_view %va : partition_view<tile=(1x1024), tensor_view<4096x65536xf16, strides=[65536,1]>>
    %r = for %k in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<1x1024xf32>) {
      %l, %t0 = load_view_tko weak %ta[%x, %k] : partition_view<tile=(1x1024), tensor_view<4096x65536xf16, strides=[65536,1]>>, tile<i32> -> tile<1x1024xf16>, token
      %f = ftof %l : tile<1x1024xf16> -> tile<1x1024xf32>
      %s = fma %f, %f, %acc : tile<1x1024xf32>
      continue %s : tile<1x1024xf32>
    }
    %n = reduce %r dim=1 identities=[0.0 : f32] : tile<1x1024xf32> -> tile<1xf32>
    (%u: tile<f32>, %v: tile<f32>) {
      %w = addf %u, %v : tile<f32>
      yield %w : tile<f32>
    }
    %vo = make_tensor_view %out, shape = [4096], strides = [1] : tensor_view<4096xf32, strides=[1]>
    %to = make_partition_view %vo : partition_view<tile=(1), tensor_view<4096xf32, strides=[1]>>
    %t = store_view_tko weak %n, %to[%x] : tile<1xf32>, partition_view<tile=(1), tensor_view<4096xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
