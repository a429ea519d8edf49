// A loop in a loop has an accumulator that begins with what the versions of the loop before have left.
// RUN: tile-opt %s --gpu-name=sm_100 --lower-to=loops-scheduled --remarks -o - 2>&1 | FileCheck --check-prefix=ROLES %s
// RUN: tile-run --gpu-name=sm_100 --exact --diff-engines=interp,tileas,ptx --entry=nested --grid=1 --arg=f16[8192]=random --arg=f16[196608]=random --arg=f16[196608]=random --arg=f32[8192] --arg=i32:3 %s
// RUN: tile-run --gpu-name=sm_100 --engine=ptx --sync-check --entry=nested --grid=1 --arg=f16[8192]=random --arg=f16[196608]=random --arg=f16[196608]=random --arg=f32[8192] --arg=i32:3 %s | FileCheck --check-prefix=SYNC %s
// RUN(long): tile-run --gpu-name=sm_100 --exact --diff-engines=interp,tileas,ptx --adversarial --seed=1 --entry=nested --grid=1 --arg=f16[8192]=random --arg=f16[196608]=random --arg=f16[196608]=random --arg=f32[8192] --arg=i32:3 %s
// RUN(long): tile-run --gpu-name=sm_100 --exact --diff-engines=interp,tileas,ptx --adversarial --seed=2 --entry=nested --grid=1 --arg=f16[8192]=random --arg=f16[196608]=random --arg=f16[196608]=random --arg=f32[8192] --arg=i32:3 %s

// ROLES: warp-specialized: 4 consumer warps, 1 producer warp, 1 MMA warp, {{.*}}1 handed back and forth
// SYNC: nothing found, for all schedules
cuda_tile.module @m {
  entry @nested(%pq: tile<ptr<f16>>, %pk: tile<ptr<f16>>, %pv: tile<ptr<f16>>, %out: tile<ptr<f32>>, %blocks: tile<i32>) {
    %q0 = assume div_by<16>, %pq : tile<ptr<f16>>
    %k0 = assume div_by<16>, %pk : tile<ptr<f16>>
    %v0 = assume div_by<16>, %pv : tile<ptr<f16>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %nos = constant <f32: 0.0> : tile<128x16xf32>
    %noo = constant <f32: 0.0> : tile<512x16xf32>
    %vq = make_tensor_view %q0, shape = [16, 512], strides = [512, 1] : tensor_view<16x512xf16, strides=[512,1]>
    %vk = make_tensor_view %k0, shape = [384, 512], strides = [512, 1] : tensor_view<384x512xf16, strides=[512,1]>
    %vv = make_tensor_view %v0, shape = [384, 1, 512], strides = [512, 512, 1] : tensor_view<384x1x512xf16, strides=[512,512,1]>
    %vo = make_tensor_view %out, shape = [512, 16], strides = [16, 1] : tensor_view<512x16xf32, strides=[16,1]>
    %tq = make_partition_view %vq : partition_view<tile=(512x16), tensor_view<16x512xf16, strides=[512,1]>, dim_map=[1, 0]>
    %tk = make_partition_view %vk : partition_view<tile=(128x512), tensor_view<384x512xf16, strides=[512,1]>>
    %tv = make_partition_view %vv : partition_view<tile=(128x1x512), tensor_view<384x1x512xf16, strides=[512,512,1]>>
    %to = make_partition_view %vo : partition_view<tile=(512x16), tensor_view<512x16xf32, strides=[16,1]>>
    %q, %t0 = load_view_tko weak %tq[%zero, %zero] : partition_view<tile=(512x16), tensor_view<16x512xf16, strides=[512,1]>, dim_map=[1, 0]>, tile<i32> -> tile<512x16xf16>, token
    %eighth = constant <f32: 0.125> : tile<128x16xf32>
    %r = for %i in (%zero to %blocks, step %one) : tile<i32> iter_values(%acc = %noo) -> (tile<512x16xf32>) {
      %k, %t2 = load_view_tko weak %tk[%i, %zero] : partition_view<tile=(128x512), tensor_view<384x512xf16, strides=[512,1]>>, tile<i32> -> tile<128x512xf16>, token
      %s = mmaf %k, %q, %nos : tile<128x512xf16>, tile<512x16xf16>, tile<128x16xf32>
      %p = mulf %s, %eighth : tile<128x16xf32>
      %h = ftof %p : tile<128x16xf32> -> tile<128x16xf16>
      %scaled = negf %acc : tile<512x16xf32>
      %c, %t3 = load_view_tko weak %tv[%i, %zero, %zero] : partition_view<tile=(128x1x512), tensor_view<384x1x512xf16, strides=[512,512,1]>>, tile<i32> -> tile<128x1x512xf16>, token
      %f = reshape %c : tile<128x1x512xf16> -> tile<128x512xf16>
      %v = permute %f [1, 0] : tile<128x512xf16> -> tile<512x128xf16>
      %o = mmaf %v, %h, %scaled : tile<512x128xf16>, tile<128x16xf16>, tile<512x16xf32>
      continue %o : tile<512x16xf32>
    }
    %t = store_view_tko weak %r, %to[%zero, %zero] : tile<512x16xf32>, partition_view<tile=(512x16), tensor_view<512x16xf32, strides=[16,1]>>, tile<i32> -> token
    return
  }
}
