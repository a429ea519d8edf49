cuda_tile.module @m {
entry @k(%po: tile<ptr<f32>>, %pq: tile<ptr<f16>>, %pk: tile<ptr<f16>>, %pv: tile<ptr<f16>>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %turns = constant <i32: 4> : tile<i32>
  %o = assume div_by<16>, %po : tile<ptr<f32>>
  %q = assume div_by<16>, %pq : tile<ptr<f16>>
  %k = assume div_by<16>, %pk : tile<ptr<f16>>
  %v = assume div_by<16>, %pv : tile<ptr<f16>>
  %vo = make_tensor_view %o, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf32, strides=[64,1]>
  %vq = make_tensor_view %q, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf16, strides=[64,1]>
  %vk = make_tensor_view %k, shape = [64, 256], strides = [1, 64] : tensor_view<64x256xf16, strides=[1,64]>
  %vv = make_tensor_view %v, shape = [256, 64], strides = [64,1] : tensor_view<256x64xf16, strides=[64,1]>
  %to = make_partition_view %vo : partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>
  %tq = make_partition_view %vq : partition_view<tile=(128x64), tensor_view<128x64xf16, strides=[64,1]>>
  %tk = make_partition_view %vk : partition_view<tile=(64x64), tensor_view<64x256xf16, strides=[1,64]>>
  %tv = make_partition_view %vv : partition_view<tile=(64x64), tensor_view<256x64xf16, strides=[64,1]>>
  %none = constant <f32: 0.0> : tile<128x64xf32>
  %start = constant <f32: 0.0> : tile<128x64xf32>
  %least = constant <f32: -8.0> : tile<128x64xf32>
  %most = constant <f32: 8.0> : tile<128x64xf32>
  %row = iota : tile<128xi32>
  %five = constant <i32: 5> : tile<128xi32>
  %ones = constant <i32: 1> : tile<128xi32>
  %group = shri %row, %five unsigned : tile<128xi32>
  %x, %ux = load_view_tko weak %tq[%zero, %zero] token = %tok : partition_view<tile=(128x64), tensor_view<128x64xf16, strides=[64,1]>>, tile<i32> -> tile<128x64xf16>, token
  %r:2 = for %i in (%zero to %turns, step %one) : tile<i32> iter_values(%acc = %start, %stored = %tok) -> (tile<128x64xf32>, token) {
    %y, %uy = load_view_tko weak %tk[%zero, %i] token = %tok : partition_view<tile=(64x64), tensor_view<64x256xf16, strides=[1,64]>>, tile<i32> -> tile<64x64xf16>, token
    %s = mmaf %x, %y, %none : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
    %s1 = minf %s, %most : tile<128x64xf32>
    %s2 = maxf %s1, %least : tile<128x64xf32>
    %p = ftof %s2 : tile<128x64xf32> -> tile<128x64xf16>
    %i1 = reshape %i : tile<i32> -> tile<1xi32>
    %turn = broadcast %i1 : tile<1xi32> -> tile<128xi32>
    %b0 = andi %row, %turn : tile<128xi32>
    %b1 = andi %b0, %ones : tile<128xi32>
    %b2 = addi %b1, %b1 : tile<128xi32>
    %b3 = subi %ones, %b2 : tile<128xi32>
    %f0 = itof %b3 signed : tile<128xi32> -> tile<128xf32>
    %f1 = reshape %f0 : tile<128xf32> -> tile<128x1xf32>
    %f2 = broadcast %f1 : tile<128x1xf32> -> tile<128x64xf32>
    %sum = mulf %acc, %f2 rounding<nearest_even> : tile<128x64xf32>

    %z, %uz = load_view_tko weak %tv[%i, %zero] token = %tok : partition_view<tile=(64x64), tensor_view<256x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token

    %d = mmaf %p, %z, %sum : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
    continue %d, %stored : tile<128x64xf32>, token
  }
  %done = store_view_tko weak %r#0, %to[%zero, %zero] token = %r#1 : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>, tile<i32> -> token
  return
}
}
