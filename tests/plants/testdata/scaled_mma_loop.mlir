cuda_tile.module @m {
entry @k(%po: tile<ptr<f32>>, %pa: tile<ptr<f8E4M3FN>>, %pb: tile<ptr<f8E4M3FN>>, %ps: tile<ptr<f8E8M0FNU>>, %pt: tile<ptr<f8E8M0FNU>>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %end = constant <i32: 4> : tile<i32>
  %a = assume div_by<16>, %pa : tile<ptr<f8E4M3FN>>
  %b = assume div_by<16>, %pb : tile<ptr<f8E4M3FN>>
  %s = assume div_by<16>, %ps : tile<ptr<f8E8M0FNU>>
  %t = assume div_by<16>, %pt : tile<ptr<f8E8M0FNU>>
  %va = make_tensor_view %a, shape = [128, 512], strides = [512, 1] : tensor_view<128x512xf8E4M3FN, strides=[512,1]>
  %vb = make_tensor_view %b, shape = [512, 32], strides = [32, 1] : tensor_view<512x32xf8E4M3FN, strides=[32,1]>
  %vs = make_tensor_view %s, shape = [128, 16], strides = [16, 1] : tensor_view<128x16xf8E8M0FNU, strides=[16,1]>
  %vt = make_tensor_view %t, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf8E8M0FNU, strides=[32,1]>
  %vo = make_tensor_view %po, shape = [128, 32], strides = [32, 1] : tensor_view<128x32xf32, strides=[32,1]>
  %ta = make_partition_view %va : partition_view<tile=(128x128), tensor_view<128x512xf8E4M3FN, strides=[512,1]>>
  %tb = make_partition_view %vb : partition_view<tile=(128x32), tensor_view<512x32xf8E4M3FN, strides=[32,1]>>
  %ts = make_partition_view %vs : partition_view<tile=(128x4), tensor_view<128x16xf8E8M0FNU, strides=[16,1]>>
  %tt = make_partition_view %vt : partition_view<tile=(4x32), tensor_view<16x32xf8E8M0FNU, strides=[32,1]>>
  %to = make_partition_view %vo : partition_view<tile=(128x32), tensor_view<128x32xf32, strides=[32,1]>>
  %none = constant <f32: 0.0> : tile<128x32xf32>
  %r = for %i in (%zero to %end, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<128x32xf32>) {
    %la, %ua = load_view_tko weak %ta[%zero, %i] token = %tok : partition_view<tile=(128x128), tensor_view<128x512xf8E4M3FN, strides=[512,1]>>, tile<i32> -> tile<128x128xf8E4M3FN>, token
    %lb, %ub = load_view_tko weak %tb[%i, %zero] token = %tok : partition_view<tile=(128x32), tensor_view<512x32xf8E4M3FN, strides=[32,1]>>, tile<i32> -> tile<128x32xf8E4M3FN>, token
    %ls, %us = load_view_tko weak %ts[%zero, %i] token = %tok : partition_view<tile=(128x4), tensor_view<128x16xf8E8M0FNU, strides=[16,1]>>, tile<i32> -> tile<128x4xf8E8M0FNU>, token
    %lt, %ut = load_view_tko weak %tt[%i, %zero] token = %tok : partition_view<tile=(4x32), tensor_view<16x32xf8E8M0FNU, strides=[32,1]>>, tile<i32> -> tile<4x32xf8E8M0FNU>, token
    %d = mmaf_scaled %la, %lb, %acc, %ls, %lt : tile<128x128xf8E4M3FN>, tile<128x32xf8E4M3FN>, tile<128x32xf32>, tile<128x4xf8E8M0FNU>, tile<4x32xf8E8M0FNU>
    continue %d : tile<128x32xf32>
  }
  %done = store_view_tko weak %r, %to[%zero, %zero] token = %tok : tile<128x32xf32>, partition_view<tile=(128x32), tensor_view<128x32xf32, strides=[32,1]>>, tile<i32> -> token
  return
}
}
