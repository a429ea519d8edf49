// RUN: ptx-counts %s | golden %S/attention.counts

// Attention of 64 queries of 64 halves each, over keys and values in blocks of 64, with a running maximum: two products and two reductions a block.
entry @attention(%pq: tile<ptr<f16>>, %pk: tile<ptr<f16>>, %pv: tile<ptr<f16>>, %po: tile<ptr<f16>>, %n: tile<i32>, %scale: tile<f32>) {
  %aq = assume div_by<16>, %pq : tile<ptr<f16>>
  %ak = assume div_by<16>, %pk : tile<ptr<f16>>
  %av = assume div_by<16>, %pv : tile<ptr<f16>>
  %ao = assume div_by<16>, %po : tile<ptr<f16>>
  %length = assume div_by<16>, %n : tile<i32>
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %start = make_token : token
  %tq = make_tensor_view %aq, shape = [%length, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
  %tk = make_tensor_view %ak, shape = [%length, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
  %tv = make_tensor_view %av, shape = [%length, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
  %to = make_tensor_view %ao, shape = [%length, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
  %vq = make_partition_view %tq : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>
  %vk = make_partition_view %tk : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>, dim_map=[1, 0]>
  %vv = make_partition_view %tv : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>
  %vo = make_partition_view %to : partition_view<tile=(64x64), tensor_view<?x64xf16, strides=[64,1]>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %q, %t0 = load_view_tko weak %vq[%x, %zero] token = %start : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
  %blocks, %i = get_index_space_shape %vv : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>> -> tile<i32>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %low = constant <f32: 0xFF800000> : tile<64x1xf32>
  %nothing = constant <f32: 0.0> : tile<64x1xf32>
  %scale1 = reshape %scale : tile<f32> -> tile<1x1xf32>
  %scales = broadcast %scale1 : tile<1x1xf32> -> tile<64x64xf32>
  %acc, %max, %sum = for %j in (%zero to %blocks, step %one) : tile<i32> iter_values(%c = %none, %m = %low, %l = %nothing) -> (tile<64x64xf32>, tile<64x1xf32>, tile<64x1xf32>) {
    %k, %t1 = load_view_tko weak %vk[%zero, %j] token = %start : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>, dim_map=[1, 0]>, tile<i32> -> tile<64x64xf16>, token
    %s = mmaf %q, %k, %none : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    %s1 = mulf %s, %scales : tile<64x64xf32>
    %r = reduce %s1 dim=1 identities=[0xFF800000 : f32] : tile<64x64xf32> -> tile<64xf32>
    (%a: tile<f32>, %b: tile<f32>) {
      %d = maxf %a, %b : tile<f32>
      yield %d : tile<f32>
    }
    %r1 = reshape %r : tile<64xf32> -> tile<64x1xf32>
    %m1 = maxf %m, %r1 : tile<64x1xf32>
    %mb = broadcast %m1 : tile<64x1xf32> -> tile<64x64xf32>
    %e = subf %s1, %mb : tile<64x64xf32>
    %p = exp2 %e : tile<64x64xf32>
    %f = subf %m, %m1 : tile<64x1xf32>
    %g = exp2 %f : tile<64x1xf32>
    %w = reduce %p dim=1 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32>
    (%a: tile<f32>, %b: tile<f32>) {
      %d = addf %a, %b : tile<f32>
      yield %d : tile<f32>
    }
    %w1 = reshape %w : tile<64xf32> -> tile<64x1xf32>
    %l1 = fma %l, %g, %w1 : tile<64x1xf32>
    %gb = broadcast %g : tile<64x1xf32> -> tile<64x64xf32>
    %c1 = mulf %c, %gb : tile<64x64xf32>
    %ph = ftof %p : tile<64x64xf32> -> tile<64x64xf16>
    %v, %t2 = load_view_tko weak %vv[%j, %zero] token = %start : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %c2 = mmaf %ph, %v, %c1 : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    continue %c2, %m1, %l1 : tile<64x64xf32>, tile<64x1xf32>, tile<64x1xf32>
  }
  %lb = broadcast %sum : tile<64x1xf32> -> tile<64x64xf32>
  %o = divf %acc, %lb : tile<64x64xf32>
  %h = ftof %o : tile<64x64xf32> -> tile<64x64xf16>
  %done = store_view_tko weak %h, %vo[%x, %zero] token = %start : tile<64x64xf16>, partition_view<tile=(64x64), tensor_view<?x64xf16, strides=[64,1]>>, tile<i32> -> token
  return
}
