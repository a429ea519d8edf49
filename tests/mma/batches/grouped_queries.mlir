// Eight heads of queries have one head of keys and values, as in grouped-query attention. The 16 rows of each are the 128
// rows of one MMA. What is computed of the scores keeps the shape of the heads.
// RUN: tile-opt %s --gpu-name=sm_90 --lower-to=tileas --remarks -o - 2>&1 | FileCheck --check-prefix=SM90 %s
// RUN: tile-opt %s --gpu-name=sm_100 --lower-to=tileas --remarks -o - 2>&1 | FileCheck --check-prefix=SM100 %s
// RUN: tile-run --gpu-name=sm_90 --exact --diff-engines=interp,tileas,ptx --adversarial --seed=1 --entry=grouped --grid=1 --array=f16[8x16x64]=random \
// RUN:   --array=f16[192x64]=random --array=f16[192x64]=random --array=f32[8x16x64] %s
// RUN: tile-run --gpu-name=sm_100 --exact --diff-engines=interp,tileas,ptx --adversarial --seed=2 --entry=grouped --grid=1 --array=f16[8x16x64]=random \
// RUN:   --array=f16[192x64]=random --array=f16[192x64]=random --array=f32[8x16x64] %s
// RUN(long): tile-run --gpu-name=sm_80 --exact --diff-engines=interp,tileas,ptx --adversarial --seed=3 --entry=grouped --grid=1 --array=f16[8x16x64]=random \
// RUN(long):   --array=f16[192x64]=random --array=f16[192x64]=random --array=f32[8x16x64] %s
// RUN(long): tile-run --gpu-name=sm_120 --exact --diff-engines=interp,tileas,ptx --adversarial --seed=4 --entry=grouped --grid=1 --array=f16[8x16x64]=random \
// RUN(long):   --array=f16[192x64]=random --array=f16[192x64]=random --array=f32[8x16x64] %s

// SM90-COUNT-2: MMA uses wgmma
// SM100-COUNT-2: MMA uses tcgen05.mma
cuda_tile.module @m {
entry @grouped(%q: tile<ptr<f16>>, %q0: tile<i32>, %q1: tile<i32>, %q2: tile<i32>, %qs0: tile<i32>, %qs1: tile<i32>, %qs2: tile<i32>,
    %k: tile<ptr<f16>>, %k0: tile<i32>, %k1: tile<i32>, %ks0: tile<i32>, %ks1: tile<i32>,
    %v: tile<ptr<f16>>, %v0: tile<i32>, %v1: tile<i32>, %vs0: tile<i32>, %vs1: tile<i32>,
    %o: tile<ptr<f32>>, %o0: tile<i32>, %o1: tile<i32>, %o2: tile<i32>, %os0: tile<i32>, %os1: tile<i32>, %os2: tile<i32>) {
  %tok = make_token : token
  %qp = assume div_by<16>, %q : tile<ptr<f16>>
  %kp = assume div_by<16>, %k : tile<ptr<f16>>
  %vp = assume div_by<16>, %v : tile<ptr<f16>>
  %op = assume div_by<16>, %o : tile<ptr<f32>>
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %three = constant <i32: 3> : tile<i32>
  %none = constant <f32: 0.0> : tile<8x16x64xf32>
  %half = constant <f32: 0.5> : tile<8x16x64xf32>
  %tenth = constant <f32: 0.0625> : tile<8x16x64xf32>
  %least = constant <f32: -4.0> : tile<8x16x1xf32>
  %qt = make_tensor_view %qp, shape = [8, 16, 64], strides = [1024, 64, 1] : tensor_view<8x16x64xf16, strides=[1024,64,1]>
  %kt = make_tensor_view %kp, shape = [192, 64], strides = [64, 1] : tensor_view<192x64xf16, strides=[64,1]>
  %vt = make_tensor_view %vp, shape = [192, 64], strides = [64, 1] : tensor_view<192x64xf16, strides=[64,1]>
  %ot = make_tensor_view %op, shape = [8, 16, 64], strides = [1024, 64, 1] : tensor_view<8x16x64xf32, strides=[1024,64,1]>
  %qv = make_partition_view %qt : partition_view<tile=(8x16x64), tensor_view<8x16x64xf16, strides=[1024,64,1]>>
  %kv = make_partition_view %kt : partition_view<tile=(64x64), tensor_view<192x64xf16, strides=[64,1]>, dim_map=[1, 0]>
  %vv = make_partition_view %vt : partition_view<tile=(64x64), tensor_view<192x64xf16, strides=[64,1]>>
  %ov = make_partition_view %ot : partition_view<tile=(8x16x64), tensor_view<8x16x64xf32, strides=[1024,64,1]>>
  %queries, %t0 = load_view_tko weak %qv[%zero, %zero, %zero] : partition_view<tile=(8x16x64), tensor_view<8x16x64xf16, strides=[1024,64,1]>>, tile<i32> -> tile<8x16x64xf16>, token
  %r:2 = for %j in (%zero to %three, step %one) : tile<i32> iter_values(%acc = %none, %most = %least) -> (tile<8x16x64xf32>, tile<8x16x1xf32>) {
    %keys, %t1 = load_view_tko weak %kv[%zero, %j] : partition_view<tile=(64x64), tensor_view<192x64xf16, strides=[64,1]>, dim_map=[1, 0]>, tile<i32> -> tile<64x64xf16>, token
    %keys1 = reshape %keys : tile<64x64xf16> -> tile<1x64x64xf16>
    %keys8 = broadcast %keys1 : tile<1x64x64xf16> -> tile<8x64x64xf16>
    %s = mmaf %queries, %keys8, %none : tile<8x16x64xf16>, tile<8x64x64xf16>, tile<8x16x64xf32>
    %m = reduce %s dim=2 identities=[-4.0 : f32] : tile<8x16x64xf32> -> tile<8x16xf32>
    (%e: tile<f32>, %f: tile<f32>) {
      %g = maxf %e, %f : tile<f32>
      yield %g : tile<f32>
    }
    %m1 = reshape %m : tile<8x16xf32> -> tile<8x16x1xf32>
    %more = maxf %most, %m1 : tile<8x16x1xf32>
    %below = broadcast %more : tile<8x16x1xf32> -> tile<8x16x64xf32>
    %d = subf %s, %below rounding<nearest_even> : tile<8x16x64xf32>
    %p = mulf %d, %tenth rounding<nearest_even> : tile<8x16x64xf32>
    %ph = ftof %p : tile<8x16x64xf32> -> tile<8x16x64xf16>
    %scaled = mulf %acc, %half rounding<nearest_even> : tile<8x16x64xf32>
    %values, %t2 = load_view_tko weak %vv[%j, %zero] : partition_view<tile=(64x64), tensor_view<192x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %values1 = reshape %values : tile<64x64xf16> -> tile<1x64x64xf16>
    %values8 = broadcast %values1 : tile<1x64x64xf16> -> tile<8x64x64xf16>
    %next = mmaf %ph, %values8, %scaled : tile<8x16x64xf16>, tile<8x64x64xf16>, tile<8x16x64xf32>
    continue %next, %more : tile<8x16x64xf32>, tile<8x16x1xf32>
  }
  %u = store_view_tko weak %r#0, %ov[%zero, %zero, %zero] token = %tok : tile<8x16x64xf32>, partition_view<tile=(8x16x64), tensor_view<8x16x64xf32, strides=[1024,64,1]>>, tile<i32> -> token
  return
}
}
