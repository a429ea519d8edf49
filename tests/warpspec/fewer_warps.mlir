// Gradients of K and V for 64 keys. Two accumulators of 64 x 128, S and its gradient take 192 registers of each thread of
// four warps, which is more than is safe before layouts are known. In eight warps, groups would exchange P and dS through
// shared memory. The candidate of four warps is cheaper, and its tiles fit. One modulo schedule of the loop is shorter than
// an iteration of roles, by 11%, so roles are asked for.
// RUN: tile-opt %s --gpu-name=sm_90 --warp-roles=always --lower-to=tileas --remarks -o - 2>&1 | FileCheck %s
// RUN: tile-opt %s --gpu-name=sm_90 --lower-to=tileas --log=debug 2>&1 | FileCheck %s --check-prefix=TRIED
// `mma.sync` takes registers for fragments too.
// RUN: tile-opt %s --gpu-name=sm_80 --lower-to=tileas | FileCheck %s --check-prefix=EIGHT
// RUN: tile-run --gpu-name=sm_90 --warp-roles=always --exact --diff-engines=interp,tileas,ptx --grid=1 --arg=f16[40960]=random --arg=f16[8192]=random --arg=f32[8192] --arg=f32[8192] --arg=i32:5 %s
// RUN: tile-run --gpu-name=sm_90 --warp-roles=always --engine=ptx --sync-check --grid=1 --arg=f16[40960]=random --arg=f16[8192]=random --arg=f32[8192] --arg=f32[8192] --arg=i32:5 %s | FileCheck --check-prefix=SYNC %s
// RUN(long): tile-run --gpu-name=sm_90 --warp-roles=always --exact --diff-engines=interp,tileas,ptx --adversarial --seed=1 --grid=1 --arg=f16[40960]=random --arg=f16[8192]=random --arg=f32[8192] --arg=f32[8192] --arg=i32:5 %s

// CHECK: warp-specialized: 4 consumer warps, 1 producer warp
// TRIED: DBG tried {{.*}}variant="as it is"
// TRIED: DBG tried {{.*}}variant="4 warps"
// EIGHT: num_warps = 8
// SYNC: nothing found, for all schedules
cuda_tile.module @m {
  entry @k(%pq: tile<ptr<f16>>, %pk: tile<ptr<f16>>, %po: tile<ptr<f32>>, %pr: tile<ptr<f32>>, %blocks: tile<i32>) {
    %q0 = assume div_by<16>, %pq : tile<ptr<f16>>
    %k0 = assume div_by<16>, %pk : tile<ptr<f16>>
    %o0 = assume div_by<16>, %po : tile<ptr<f32>>
    %r0 = assume div_by<16>, %pr : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %nothing = constant <f32: 0.0> : tile<64x64xf32>
    %none = constant <f32: 0.0> : tile<64x128xf32>
    %small = constant <f32: 0.03125> : tile<64x64xf32>
    %vq = make_tensor_view %q0, shape = [320, 128], strides = [128, 1] : tensor_view<320x128xf16, strides=[128,1]>
    %vk = make_tensor_view %k0, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf16, strides=[128,1]>
    %vo = make_tensor_view %o0, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf32, strides=[128,1]>
    %vr = make_tensor_view %r0, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf32, strides=[128,1]>
    %tq = make_partition_view %vq : partition_view<tile=(64x128), tensor_view<320x128xf16, strides=[128,1]>>
    %tk = make_partition_view %vk : partition_view<tile=(64x128), tensor_view<64x128xf16, strides=[128,1]>>
    %to = make_partition_view %vo : partition_view<tile=(64x128), tensor_view<64x128xf32, strides=[128,1]>>
    %tr = make_partition_view %vr : partition_view<tile=(64x128), tensor_view<64x128xf32, strides=[128,1]>>
    %k, %t0 = load_view_tko weak %tk[%zero, %zero] : partition_view<tile=(64x128), tensor_view<64x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
    %sums:2 = for %i in (%zero to %blocks, step %one) : tile<i32> iter_values(%dk = %none, %dv = %none) -> (tile<64x128xf32>, tile<64x128xf32>) {
      %q, %t1 = load_view_tko weak %tq[%i, %zero] : partition_view<tile=(64x128), tensor_view<320x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
      %other = subi %blocks, %i : tile<i32>
      %last = subi %other, %one : tile<i32>
      %do, %t2 = load_view_tko weak %tq[%last, %zero] : partition_view<tile=(64x128), tensor_view<320x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
      %qt = permute %q [1, 0] : tile<64x128xf16> -> tile<128x64xf16>
      %s = mmaf %k, %qt, %nothing : tile<64x128xf16>, tile<128x64xf16>, tile<64x64xf32>
      %scaled = mulf %s, %small : tile<64x64xf32>
      %p = absf %scaled : tile<64x64xf32>
      %ph = ftof %p : tile<64x64xf32> -> tile<64x64xf16>
      %dv1 = mmaf %ph, %do, %dv : tile<64x64xf16>, tile<64x128xf16>, tile<64x128xf32>
      %dot = permute %do [1, 0] : tile<64x128xf16> -> tile<128x64xf16>
      %dp = mmaf %k, %dot, %nothing : tile<64x128xf16>, tile<128x64xf16>, tile<64x64xf32>
      %small2 = mulf %dp, %small : tile<64x64xf32>
      %ds = mulf %p, %small2 : tile<64x64xf32>
      %dh = ftof %ds : tile<64x64xf32> -> tile<64x64xf16>
      %dk1 = mmaf %dh, %q, %dk : tile<64x64xf16>, tile<64x128xf16>, tile<64x128xf32>
      continue %dk1, %dv1 : tile<64x128xf32>, tile<64x128xf32>
    }
    %t3 = store_view_tko weak %sums#0, %to[%zero, %zero] : tile<64x128xf32>, partition_view<tile=(64x128), tensor_view<64x128xf32, strides=[128,1]>>, tile<i32> -> token
    %t4 = store_view_tko weak %sums#1, %tr[%zero, %zero] : tile<64x128xf32>, partition_view<tile=(64x128), tensor_view<64x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
