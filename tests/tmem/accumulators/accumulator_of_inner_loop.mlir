// RUN(long): tile-run -O0 --gpu-name=sm_100 --diff-engines=interp,ptx --adversarial --seed=3 --entry=k --grid=1 \
// RUN(long):   --arg=f16[32768]=random --arg=f16[4096]=random --arg=f32[32768]=0 --arg=i32:4 %s
// RUN: tile-run -O1 --gpu-name=sm_100 --diff-engines=interp,ptx --adversarial --seed=3 --entry=k --grid=1 \
// RUN:   --arg=f16[32768]=random --arg=f16[4096]=random --arg=f32[32768]=0 --arg=i32:4 %s
// RUN(long): tile-run -O3 --gpu-name=sm_100 --diff-engines=interp,ptx --adversarial --seed=3 --entry=k --grid=1 \
// RUN(long):   --arg=f16[32768]=random --arg=f16[4096]=random --arg=f32[32768]=0 --arg=i32:4 %s
// RUN(long): tile-run -O3 --tensor-maps=none --gpu-name=sm_100 --diff-engines=interp,ptx --adversarial --seed=3 --entry=k \
// RUN(long):   --grid=1 --arg=f16[32768]=random --arg=f16[4096]=random --arg=f32[32768]=0 --arg=i32:4 %s

// An inner loop adds its MMAs to an accumulator from before the outer loop.

cuda_tile.module @m {
  cuda_tile.entry @k(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %va = make_tensor_view %a, shape = [512, 64], strides = [64, 1] : tensor_view<512x64xf16, strides=[64,1]>
    %vb = make_tensor_view %b, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
    %vc = make_tensor_view %c, shape = [512, 64], strides = [64, 1] : tensor_view<512x64xf32, strides=[64,1]>
    %pa = make_partition_view %va : partition_view<tile=(128x64), tensor_view<512x64xf16, strides=[64,1]>>
    %pb = make_partition_view %vb : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
    %pc = make_partition_view %vc : partition_view<tile=(128x64), tensor_view<512x64xf32, strides=[64,1]>>
    %none = constant <f32: 0.0> : tile<128x64xf32>
    %x, %t11 = load_view_tko weak %pa[%zero, %zero] : partition_view<tile=(128x64), tensor_view<512x64xf16, strides=[64,1]>>, tile<i32> -> tile<128x64xf16>, token
    %y, %ty = load_view_tko weak %pb[%zero, %zero] : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %s = mmaf %x, %y, %none : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
    for %i in (%zero to %n, step %one) : tile<i32> {
      %r = for %j in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %s) -> (tile<128x64xf32>) {
        %x1, %t17 = load_view_tko weak %pa[%j, %zero] : partition_view<tile=(128x64), tensor_view<512x64xf16, strides=[64,1]>>, tile<i32> -> tile<128x64xf16>, token
        %s1 = mmaf %x1, %y, %acc : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
        continue %s1 : tile<128x64xf32>
      }
      %t21 = store_view_tko weak %r, %pc[%i, %zero] : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<512x64xf32, strides=[64,1]>>, tile<i32> -> token
    }
    return
  }
}
