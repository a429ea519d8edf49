// RUN(long): tile-run --gpu-name=sm_90 --tensor-maps=params --entry=k --grid=2 --diff-engines=interp,tileas,ptx \
// RUN(long):   --adversarial --seed=5 --arg=f16[196608]=random --arg=f16[11776]=random --arg=f32[65536]=0 \
// RUN(long):   --arg=i32:3 --arg=i32:1 %s
// RUN(long): tile-run --gpu-name=sm_90 --tensor-maps=params --warp-roles=none --entry=k --grid=2 \
// RUN(long):   --diff-engines=interp,tileas,ptx --adversarial --seed=6 --arg=f16[196608]=random \
// RUN(long):   --arg=f16[11776]=random --arg=f32[65536]=0 --arg=i32:1 --arg=i32:1 %s
// RUN: tile-run --gpu-name=sm_90 --tensor-maps=device --warp-roles=always --entry=k --grid=2 \
// RUN:   --diff-engines=interp,tileas,ptx --adversarial --seed=7 --arg=f16[196608]=random --arg=f16[11776]=random \
// RUN:   --arg=f32[65536]=0 --arg=i32:2 --arg=i32:1 %s
// RUN(long): tile-run --gpu-name=sm_100 --tensor-maps=params --entry=k --grid=2 --diff-engines=interp,tileas,ptx \
// RUN(long):   --adversarial --seed=8 --arg=f16[196608]=random --arg=f16[11776]=random --arg=f32[65536]=0 \
// RUN(long):   --arg=i32:3 --arg=i32:1 %s
// RUN(long): tile-run --gpu-name=sm_90 -O1 --tensor-maps=params --entry=k --grid=2 --diff-engines=interp,tileas,ptx \
// RUN(long):   --adversarial --seed=9 --arg=f16[196608]=random --arg=f16[11776]=random --arg=f32[65536]=0 \
// RUN(long):   --arg=i32:1 --arg=i32:1 %s

// The 2 CTAs of a cluster compute a GEMM of which some tile blocks return early, all 2 CTAs or none. So one loads
// operand B for all of them. They compute what each would compute alone.

cuda_tile.module @m {
  cuda_tile.entry @k(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %n: tile<i32>, %few: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 2}> {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %va = make_tensor_view %a, shape = [1024, 192], strides = [192, 1] : tensor_view<1024x192xf16, strides=[192,1]>
    %vb = make_tensor_view %b, shape = [184, 64], strides = [64, 1] : tensor_view<184x64xf16, strides=[64,1]>
    %vc = make_tensor_view %c, shape = [1024, 64], strides = [64, 1] : tensor_view<1024x64xf32, strides=[64,1]>
    %pa = make_partition_view %va : partition_view<tile=(128x64), tensor_view<1024x192xf16, strides=[192,1]>>
    %pb = make_partition_view %vb : partition_view<tile=(64x64), padding_value = zero, tensor_view<184x64xf16, strides=[64,1]>>
    %pc = make_partition_view %vc : partition_view<tile=(128x64), tensor_view<1024x64xf32, strides=[64,1]>>
    %none = constant <f32: 0.0> : tile<128x64xf32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %late = cmpi greater_than_or_equal %x, %few, signed : tile<i32> -> tile<i1>
    if %late {
      return
    }
    %s = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<128x64xf32>) {
      %p, %t1 = load_view_tko weak %pa[%x, %i] : partition_view<tile=(128x64), tensor_view<1024x192xf16, strides=[192,1]>>, tile<i32> -> tile<128x64xf16>, token
      %q, %t2 = load_view_tko weak %pb[%i, %zero] : partition_view<tile=(64x64), padding_value = zero, tensor_view<184x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %r = mmaf %p, %q, %acc : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
      continue %r : tile<128x64xf32>
    }
    %t3 = store_view_tko weak %s, %pc[%x, %zero] : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<1024x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
