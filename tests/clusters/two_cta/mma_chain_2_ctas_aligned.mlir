// RUN: tile-run --gpu-name=sm_100 --tensor-maps=params --entry=k --grid=2 --diff-engines=interp,tileas,ptx \
// RUN:   --adversarial --seed=5 --arg=f16[196608]=random --arg=f16[11776]=random --arg=f32[65536]=0 --arg=i32:3 \
// RUN:   --arg=i32:1 %s
// RUN(long): tile-run --gpu-name=sm_110 -O2 --entry=k --grid=2 --diff-engines=interp,tileas,ptx --adversarial \
// RUN(long):   --seed=8 --arg=f16[196608]=random --arg=f16[11776]=random --arg=f32[65536]=0 --arg=i32:3 --arg=i32:1 \
// RUN(long):   %s
// RUN: tile-opt --lower-to=ptx -O3 --tensor-maps=params --gpu-name=sm_100 %s | FileCheck %s \
// RUN:   --implicit-check-not=cta_group::2
// RUN(ptxas): assemble --ptxas=%ptxas --spills --gpu-name=sm_100 %s

// Two MMAs in a chain in each iteration, with 2 CTAs to a cluster. Threads compute an operand of the second MMA. Those of
// two CTAs would wait for each other, so each CTA multiplies by itself, and its MMA warp goes ahead. Pointers are
// known to be aligned, so that no version of the loop loads with threads.

// CHECK: tcgen05.mma.cta_group::1

cuda_tile.module @m {
  cuda_tile.entry @k(%a0: tile<ptr<f16>>, %b0: tile<ptr<f16>>, %c0: tile<ptr<f32>>, %n: tile<i32>, %few: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 2}> {
    %a = assume div_by<16>, %a0 : tile<ptr<f16>>
    %b = assume div_by<16>, %b0 : tile<ptr<f16>>
    %c = assume div_by<16>, %c0 : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %va = make_tensor_view %a, shape = [1024, 192], strides = [192, 1] : tensor_view<1024x192xf16, strides=[192,1]>
    %vb = make_tensor_view %b, shape = [184, 64], strides = [64, 1] : tensor_view<184x64xf16, strides=[64,1]>
    %vc = make_tensor_view %c, shape = [1024, 64], strides = [64, 1] : tensor_view<1024x64xf32, strides=[64,1]>
    %pa = make_partition_view %va : partition_view<tile=(256x64), tensor_view<1024x192xf16, strides=[192,1]>>
    %pb = make_partition_view %vb : partition_view<tile=(64x64), padding_value = zero, tensor_view<184x64xf16, strides=[64,1]>>
    %pc = make_partition_view %vc : partition_view<tile=(256x64), tensor_view<1024x64xf32, strides=[64,1]>>
    %none = constant <f32: 0.0> : tile<256x64xf32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %yes = constant <f16: 1.0> : tile<256x64xf16>
    %no = constant <f16: -1.0> : tile<256x64xf16>
    %p, %t1 = load_view_tko weak %pa[%x, %zero] : partition_view<tile=(256x64), tensor_view<1024x192xf16, strides=[192,1]>>, tile<i32> -> tile<256x64xf16>, token
    %s = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<256x64xf32>) {
      %q, %t2 = load_view_tko weak %pb[%i, %zero] : partition_view<tile=(64x64), padding_value = zero, tensor_view<184x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %u = mmaf %p, %q, %none : tile<256x64xf16>, tile<64x64xf16>, tile<256x64xf32>
      %up = cmpf greater_than ordered %u, %none : tile<256x64xf32> -> tile<256x64xi1>
      %h = select %up, %yes, %no : tile<256x64xi1>, tile<256x64xf16>
      %j = subi %n, %i : tile<i32>
      %q2, %t4 = load_view_tko weak %pb[%j, %zero] : partition_view<tile=(64x64), padding_value = zero, tensor_view<184x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %r = mmaf %h, %q2, %acc : tile<256x64xf16>, tile<64x64xf16>, tile<256x64xf32>
      continue %r : tile<256x64xf32>
    }
    %t3 = store_view_tko weak %s, %pc[%x, %zero] : tile<256x64xf32>, partition_view<tile=(256x64), tensor_view<1024x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
