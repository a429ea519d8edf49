// Gradients of keys and values are sums over two heads, and over the rows of each: two loops, which become one. Threads
// store the left operands of both to TMEM. The first MMA with such an operand is the last one that reads no stage of a
// load: it signals only that its own stage is free.
// RUN: tile-opt %s --gpu-name=sm_100 --lower-to=loops-scheduled --remarks -o - 2>&1 | FileCheck --check-prefix=ROLES %s
// RUN: tile-run --gpu-name=sm_100 --exact --diff-engines=interp,tileas,ptx --entry=heads --grid=2 --array=f16[128x64]=random --array=f16[128x64]=random --array=f16[2x192x64]=random --array=f16[2x192x64]=random --array=f32[128x64] --array=f32[128x64] --arg=i32:0 --arg=i32:6 %s
// RUN: tile-run --gpu-name=sm_90 --exact --diff-engines=interp,tileas,ptx --adversarial --seed=1 --entry=heads --grid=2 --array=f16[128x64]=random --array=f16[128x64]=random --array=f16[2x192x64]=random --array=f16[2x192x64]=random --array=f32[128x64] --array=f32[128x64] --arg=i32:1 --arg=i32:5 %s
// RUN: tile-run --gpu-name=sm_100 --exact --diff-engines=interp,tileas,ptx --entry=heads --grid=2 --array=f16[128x64]=random --array=f16[128x64]=random --array=f16[2x192x64]=random --array=f16[2x192x64]=random --array=f32[128x64] --array=f32[128x64] --arg=i32:4 --arg=i32:4 %s
// RUN: tile-run --gpu-name=sm_100 --engine=ptx --sync-check --entry=heads --grid=2 --array=f16[128x64]=random --array=f16[128x64]=random --array=f16[2x192x64]=random --array=f16[2x192x64]=random --array=f32[128x64] --array=f32[128x64] --arg=i32:0 --arg=i32:3 %s | FileCheck --check-prefix=SYNC %s
// RUN(long): tile-run --gpu-name=sm_100 --exact --diff-engines=interp,tileas,ptx --adversarial --seed=1 --entry=heads --grid=2 --array=f16[128x64]=random --array=f16[128x64]=random --array=f16[2x192x64]=random --array=f16[2x192x64]=random --array=f32[128x64] --array=f32[128x64] --arg=i32:0 --arg=i32:6 %s
// RUN(long): tile-run --gpu-name=sm_80 --exact --diff-engines=interp,tileas,ptx --adversarial --seed=2 --entry=heads --grid=2 --array=f16[128x64]=random --array=f16[128x64]=random --array=f16[2x192x64]=random --array=f16[2x192x64]=random --array=f32[128x64] --array=f32[128x64] --arg=i32:2 --arg=i32:3 %s

// ROLES: warp-specialized: 4 consumer warps, 1 producer warp, 1 MMA warp, {{.*}}2 handed back and forth
// SYNC: nothing found, for all schedules
cuda_tile.module @m {
  entry @heads(%pk: tile<ptr<f16>>, %k0: tile<i32>, %k1: tile<i32>, %ks0: tile<i32>, %ks1: tile<i32>,
      %pv: tile<ptr<f16>>, %v0: tile<i32>, %v1: tile<i32>, %vs0: tile<i32>, %vs1: tile<i32>,
      %pq: tile<ptr<f16>>, %q0: tile<i32>, %q1: tile<i32>, %q2: tile<i32>, %qs0: tile<i32>, %qs1: tile<i32>, %qs2: tile<i32>,
      %pg: tile<ptr<f16>>, %g0: tile<i32>, %g1: tile<i32>, %g2: tile<i32>, %gs0: tile<i32>, %gs1: tile<i32>, %gs2: tile<i32>,
      %pdk: tile<ptr<f32>>, %dk0: tile<i32>, %dk1: tile<i32>, %dks0: tile<i32>, %dks1: tile<i32>,
      %pdv: tile<ptr<f32>>, %dv0: tile<i32>, %dv1: tile<i32>, %dvs0: tile<i32>, %dvs1: tile<i32>, %lo0: tile<i32>, %hi0: tile<i32>) {
    %ak = assume div_by<16>, %pk : tile<ptr<f16>>
    %av = assume div_by<16>, %pv : tile<ptr<f16>>
    %aq = assume div_by<16>, %pq : tile<ptr<f16>>
    %ag = assume div_by<16>, %pg : tile<ptr<f16>>
    %adk = assume div_by<16>, %pdk : tile<ptr<f32>>
    %adv = assume div_by<16>, %pdv : tile<ptr<f32>>
    %lo = assume bounded<0, 6>, %lo0 : tile<i32>
    %hi = assume bounded<0, 6>, %hi0 : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %none = constant <f32: 0.0> : tile<64x64xf32>
    %nos = constant <f32: 0.0> : tile<64x32xf32>
    %half = constant <f32: 0.0625> : tile<64x32xf32>
    %vk = make_tensor_view %ak, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf16, strides=[64,1]>
    %vv = make_tensor_view %av, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf16, strides=[64,1]>
    %vq = make_tensor_view %aq, shape = [2, 192, 64], strides = [12288, 64, 1] : tensor_view<2x192x64xf16, strides=[12288,64,1]>
    %vg = make_tensor_view %ag, shape = [2, 192, 64], strides = [12288, 64, 1] : tensor_view<2x192x64xf16, strides=[12288,64,1]>
    %vdk = make_tensor_view %adk, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf32, strides=[64,1]>
    %vdv = make_tensor_view %adv, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf32, strides=[64,1]>
    %tk = make_partition_view %vk : partition_view<tile=(64x64), tensor_view<128x64xf16, strides=[64,1]>>
    %tv = make_partition_view %vv : partition_view<tile=(64x64), tensor_view<128x64xf16, strides=[64,1]>>
    %tq = make_partition_view %vq : partition_view<tile=(1x32x64), tensor_view<2x192x64xf16, strides=[12288,64,1]>>
    %tg = make_partition_view %vg : partition_view<tile=(1x32x64), tensor_view<2x192x64xf16, strides=[12288,64,1]>>
    %tdk = make_partition_view %vdk : partition_view<tile=(64x64), tensor_view<128x64xf32, strides=[64,1]>>
    %tdv = make_partition_view %vdv : partition_view<tile=(64x64), tensor_view<128x64xf32, strides=[64,1]>>
    %k, %t0 = load_view_tko weak %tk[%x, %zero] : partition_view<tile=(64x64), tensor_view<128x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %v, %t1 = load_view_tko weak %tv[%x, %zero] : partition_view<tile=(64x64), tensor_view<128x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %sums:2 = for %h in (%zero to %two, step %one) : tile<i32> iter_values(%hk = %none, %hv = %none) -> (tile<64x64xf32>, tile<64x64xf32>) {
      %rows:2 = for %m in (%lo to %hi, step %one) : tile<i32> iter_values(%dk = %hk, %dv = %hv) -> (tile<64x64xf32>, tile<64x64xf32>) {
        %q3, %t2 = load_view_tko weak %tq[%h, %m, %zero] : partition_view<tile=(1x32x64), tensor_view<2x192x64xf16, strides=[12288,64,1]>>, tile<i32> -> tile<1x32x64xf16>, token
        %g3, %t3 = load_view_tko weak %tg[%h, %m, %zero] : partition_view<tile=(1x32x64), tensor_view<2x192x64xf16, strides=[12288,64,1]>>, tile<i32> -> tile<1x32x64xf16>, token
        %q = reshape %q3 : tile<1x32x64xf16> -> tile<32x64xf16>
        %g = reshape %g3 : tile<1x32x64xf16> -> tile<32x64xf16>
        %qt = permute %q [1, 0] : tile<32x64xf16> -> tile<64x32xf16>
        %gt = permute %g [1, 0] : tile<32x64xf16> -> tile<64x32xf16>
        %s = mmaf %k, %qt, %nos : tile<64x64xf16>, tile<64x32xf16>, tile<64x32xf32>
        %p = mulf %s, %half rounding<nearest_even> : tile<64x32xf32>
        %ph = ftof %p : tile<64x32xf32> -> tile<64x32xf16>
        %nextv = mmaf %ph, %g, %dv : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
        %dp = mmaf %v, %gt, %nos : tile<64x64xf16>, tile<64x32xf16>, tile<64x32xf32>
        %ds = subf %dp, %p rounding<nearest_even> : tile<64x32xf32>
        %dsh = ftof %ds : tile<64x32xf32> -> tile<64x32xf16>
        %nextk = mmaf %dsh, %q, %dk : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
        continue %nextk, %nextv : tile<64x64xf32>, tile<64x64xf32>
      }
      continue %rows#0, %rows#1 : tile<64x64xf32>, tile<64x64xf32>
    }
    %t4 = store_view_tko weak %sums#0, %tdk[%x, %zero] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<128x64xf32, strides=[64,1]>>, tile<i32> -> token
    %t5 = store_view_tko weak %sums#1, %tdv[%x, %zero] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<128x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
