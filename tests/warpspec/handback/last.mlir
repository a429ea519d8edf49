// The last tile of keys and values is no loop. Its loads fill the stages of the loop's pipe, and threads hand the scaled
// accumulator to the MMA warp for one MMA.
// RUN: tile-opt %s --gpu-name=sm_100 --lower-to=tileas --remarks -o - 2>&1 | FileCheck --check-prefix=ROLES %s
// RUN: tile-opt %s --gpu-name=sm_90 --lower-to=tileas --remarks -o - 2>&1 | FileCheck --check-prefix=HOPPER %s
// RUN: tile-run --gpu-name=sm_100 --exact --diff-engines=interp,tileas,ptx --grid=1 --arg=f16[8192]=random --arg=f16[199680]=random --arg=f16[205824]=random --arg=f32[8192] --arg=i32:2 %s
// RUN(long): tile-run --gpu-name=sm_90 --exact --diff-engines=interp,tileas,ptx --grid=1 --arg=f16[8192]=random --arg=f16[199680]=random --arg=f16[205824]=random --arg=f32[8192] --arg=i32:2 %s
// RUN(long): tile-run --gpu-name=sm_100 --engine=ptx --sync-check --grid=1 --arg=f16[8192]=random --arg=f16[199680]=random --arg=f16[205824]=random --arg=f32[8192] --arg=i32:2 %s | FileCheck --check-prefix=SYNC %s
// RUN: tile-run --gpu-name=sm_90 --engine=ptx --sync-check --grid=1 --arg=f16[8192]=random --arg=f16[199680]=random --arg=f16[205824]=random --arg=f32[8192] --arg=i32:2 %s | FileCheck --check-prefix=SYNC %s
// RUN(long): tile-run --gpu-name=sm_100 --exact --diff-engines=interp,tileas,ptx --adversarial --seed=1 --grid=1 --arg=f16[8192]=random --arg=f16[199680]=random --arg=f16[205824]=random --arg=f32[8192] --arg=i32:2 %s
// RUN(long): tile-run --gpu-name=sm_90 --exact --diff-engines=interp,tileas,ptx --adversarial --seed=1 --grid=1 --arg=f16[8192]=random --arg=f16[199680]=random --arg=f16[205824]=random --arg=f32[8192] --arg=i32:2 %s
// RUN(long): tile-run --gpu-name=sm_100 --exact --diff-engines=interp,tileas,ptx --adversarial --seed=2 --grid=1 --arg=f16[8192]=random --arg=f16[199680]=random --arg=f16[205824]=random --arg=f32[8192] --arg=i32:2 %s
// RUN(long): tile-run --gpu-name=sm_90 --exact --diff-engines=interp,tileas,ptx --adversarial --seed=2 --grid=1 --arg=f16[8192]=random --arg=f16[199680]=random --arg=f16[205824]=random --arg=f32[8192] --arg=i32:2 %s

// ROLES: warp-specialized: 4 consumer warps, 1 producer warp, 1 MMA warp, {{.*}}pipe of 1 x 131072 bytes, {{.*}}1 handed back and forth
// HOPPER: warp-specialized: 4 consumer warps, 1 producer warp, {{.*}}pipe of 1 x 131072 bytes
// SYNC: nothing found, for all schedules
cuda_tile.module @m {
  entry @k(%pq: tile<ptr<f16>>, %pk: tile<ptr<f16>>, %pv: tile<ptr<f16>>, %out: tile<ptr<f32>>, %blocks: tile<i32>) {
    %q0 = assume div_by<16>, %pq : tile<ptr<f16>>
    %k0 = assume div_by<16>, %pk : tile<ptr<f16>>
    %v0 = assume div_by<16>, %pv : tile<ptr<f16>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %nos = constant <f32: 0.0> : tile<128x16xf32>
    %noo = constant <f32: 0.0> : tile<512x16xf32>
    %vq = make_tensor_view %q0, shape = [16, 512], strides = [512, 1] : tensor_view<16x512xf16, strides=[512,1]>
    %vk = make_tensor_view %k0, shape = [384, 512], strides = [520, 1] : tensor_view<384x512xf16, strides=[520,1]>
    %vv = make_tensor_view %v0, shape = [384, 1, 512], strides = [536, 512, 1] : tensor_view<384x1x512xf16, strides=[536,512,1]>
    %vo = make_tensor_view %out, shape = [512, 16], strides = [16, 1] : tensor_view<512x16xf32, strides=[16,1]>
    %tq = make_partition_view %vq : partition_view<tile=(512x16), tensor_view<16x512xf16, strides=[512,1]>, dim_map=[1, 0]>
    %tk = make_partition_view %vk : partition_view<tile=(128x512), tensor_view<384x512xf16, strides=[520,1]>>
    %tv = make_partition_view %vv : partition_view<tile=(128x1x512), tensor_view<384x1x512xf16, strides=[536,512,1]>>
    %to = make_partition_view %vo : partition_view<tile=(512x16), tensor_view<512x16xf32, strides=[16,1]>>
    %q, %t0 = load_view_tko weak %tq[%zero, %zero] : partition_view<tile=(512x16), tensor_view<16x512xf16, strides=[512,1]>, dim_map=[1, 0]>, tile<i32> -> tile<512x16xf16>, token
    %eighth = constant <f32: 0.125> : tile<128x16xf32>
    %r = for %i in (%zero to %blocks, step %one) : tile<i32> iter_values(%acc = %noo) -> (tile<512x16xf32>) {
      %k, %t2 = load_view_tko weak %tk[%i, %zero] : partition_view<tile=(128x512), tensor_view<384x512xf16, strides=[520,1]>>, tile<i32> -> tile<128x512xf16>, token
      %s = mmaf %k, %q, %nos : tile<128x512xf16>, tile<512x16xf16>, tile<128x16xf32>
      %most = reduce %s dim=0 identities=[0xFF800000 : f32] : tile<128x16xf32> -> tile<16xf32> (%l: tile<f32>, %m: tile<f32>) {
        %larger = maxf %l, %m : tile<f32>
        yield %larger : tile<f32>
      }
      %row = reshape %most : tile<16xf32> -> tile<1x16xf32>
      %all = broadcast %row : tile<1x16xf32> -> tile<128x16xf32>
      %d = subf %s, %all : tile<128x16xf32>
      %p = mulf %d, %eighth : tile<128x16xf32>
      %h = ftof %p : tile<128x16xf32> -> tile<128x16xf16>
      %scaled = negf %acc : tile<512x16xf32>
      %c, %t3 = load_view_tko weak %tv[%i, %zero, %zero] : partition_view<tile=(128x1x512), tensor_view<384x1x512xf16, strides=[536,512,1]>>, tile<i32> -> tile<128x1x512xf16>, token
      %f = reshape %c : tile<128x1x512xf16> -> tile<128x512xf16>
      %v = permute %f [1, 0] : tile<128x512xf16> -> tile<512x128xf16>
      %o = mmaf %v, %h, %scaled : tile<512x128xf16>, tile<128x16xf16>, tile<512x16xf32>
      continue %o : tile<512x16xf32>
    }
    %k1, %t21 = load_view_tko weak %tk[%blocks, %zero] : partition_view<tile=(128x512), tensor_view<384x512xf16, strides=[520,1]>>, tile<i32> -> tile<128x512xf16>, token
    %s1 = mmaf %k1, %q, %nos : tile<128x512xf16>, tile<512x16xf16>, tile<128x16xf32>
    %most1 = reduce %s1 dim=0 identities=[0xFF800000 : f32] : tile<128x16xf32> -> tile<16xf32> (%l1: tile<f32>, %m1: tile<f32>) {
      %larger1 = maxf %l1, %m1 : tile<f32>
      yield %larger1 : tile<f32>
    }
    %row1 = reshape %most1 : tile<16xf32> -> tile<1x16xf32>
    %all1 = broadcast %row1 : tile<1x16xf32> -> tile<128x16xf32>
    %d1 = subf %s1, %all1 : tile<128x16xf32>
    %p1 = mulf %d1, %eighth : tile<128x16xf32>
    %h1 = ftof %p1 : tile<128x16xf32> -> tile<128x16xf16>
    %scaled1 = negf %r : tile<512x16xf32>
    %c1, %t31 = load_view_tko weak %tv[%blocks, %zero, %zero] : partition_view<tile=(128x1x512), tensor_view<384x1x512xf16, strides=[536,512,1]>>, tile<i32> -> tile<128x1x512xf16>, token
    %f1 = reshape %c1 : tile<128x1x512xf16> -> tile<128x512xf16>
    %v1 = permute %f1 [1, 0] : tile<128x512xf16> -> tile<512x128xf16>
    %o1 = mmaf %v1, %h1, %scaled1 : tile<512x128xf16>, tile<128x16xf16>, tile<512x16xf32>
    %t = store_view_tko weak %o1, %to[%zero, %zero] : tile<512x16xf32>, partition_view<tile=(512x16), tensor_view<512x16xf32, strides=[16,1]>>, tile<i32> -> token
    return
  }
}
