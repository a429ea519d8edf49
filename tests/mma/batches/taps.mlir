// Four images are multiplied by one matrix for each tap, in a loop in a loop. Their 32 rows are the 128 rows of one MMA, and
// both loops carry its accumulator as a matrix.
// RUN: tile-opt %s --gpu-name=sm_90 --lower-to=tileas --remarks -o - 2>&1 | FileCheck --check-prefix=SM90 %s
// RUN: tile-opt %s --gpu-name=sm_100 --lower-to=tileas --remarks -o - 2>&1 | FileCheck --check-prefix=SM100 %s
// RUN: tile-run --gpu-name=sm_80 --diff-engines=interp,tileas,ptx --entry=taps --grid=2 --array=f16[4x96x80]=random \
// RUN:   --array=f16[3x80x128]=random --array=f32[4x32x128] %s
// RUN: tile-run --gpu-name=sm_90 --diff-engines=interp,tileas,ptx --adversarial --seed=1 --entry=taps --grid=2 --array=f16[4x96x80]=random \
// RUN:   --array=f16[3x80x128]=random --array=f32[4x32x128] %s
// RUN: tile-run --gpu-name=sm_100 --diff-engines=interp,tileas,ptx --adversarial --seed=2 --entry=taps --grid=2 --array=f16[4x96x80]=random \
// RUN:   --array=f16[3x80x128]=random --array=f32[4x32x128] %s
// RUN(long): tile-run --gpu-name=sm_120 --diff-engines=interp,tileas,ptx --entry=taps --grid=2 --array=f16[4x96x80]=random \
// RUN(long):   --array=f16[3x80x128]=random --array=f32[4x32x128] %s
// RUN(long): tile-run --gpu-name=sm_100 --engine=ptx --sync-check --entry=taps --grid=2 --array=f16[4x96x80]=random \
// RUN(long):   --array=f16[3x80x128]=random --array=f32[4x32x128] %s | FileCheck --check-prefix=SYNC %s

// SM90: 4 MMAs of 32 rows have the same right operand and are one MMA of 128 rows
// SM90: MMA uses wgmma m64n64k16, warp tiling 4 x 1
// SM100: MMA uses tcgen05.mma m128n64k16, warp tiling 4 x 1
// SM100: warp-specialized: {{.*}} 1 MMA warp, {{.*}} pipe of 1 accumulators
// SYNC: nothing found, for all schedules
cuda_tile.module @m {
entry @taps(%a: tile<ptr<f16>>, %a0: tile<i32>, %a1: tile<i32>, %a2: tile<i32>, %as0: tile<i32>, %as1: tile<i32>, %as2: tile<i32>,
    %w: tile<ptr<f16>>, %w0: tile<i32>, %w1: tile<i32>, %w2: tile<i32>, %ws0: tile<i32>, %ws1: tile<i32>, %ws2: tile<i32>,
    %o: tile<ptr<f32>>, %o0: tile<i32>, %o1: tile<i32>, %o2: tile<i32>, %os0: tile<i32>, %os1: tile<i32>, %os2: tile<i32>) {
  %tok = make_token : token
  %ap = assume div_by<16>, %a : tile<ptr<f16>>
  %wp = assume div_by<16>, %w : tile<ptr<f16>>
  %op = assume div_by<16>, %o : tile<ptr<f32>>
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %two = constant <i32: 2> : tile<i32>
  %three = constant <i32: 3> : tile<i32>
  %none = constant <f32: 0.0> : tile<4x32x64xf32>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %at = make_tensor_view %ap, shape = [4, 96, 80], strides = [7680, 80, 1] : tensor_view<4x96x80xf16, strides=[7680,80,1]>
  %wt = make_tensor_view %wp, shape = [3, 80, 128], strides = [10240, 128, 1] : tensor_view<3x80x128xf16, strides=[10240,128,1]>
  %ot = make_tensor_view %op, shape = [4, 32, 128], strides = [4096, 128, 1] : tensor_view<4x32x128xf32, strides=[4096,128,1]>
  %av = make_partition_view %at : partition_view<tile=(4x32x64), padding_value = zero, tensor_view<4x96x80xf16, strides=[7680,80,1]>>
  %wv = make_partition_view %wt : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<3x80x128xf16, strides=[10240,128,1]>>
  %ov = make_partition_view %ot : partition_view<tile=(4x32x64), tensor_view<4x32x128xf32, strides=[4096,128,1]>>
  %sum = for %t in (%zero to %three, step %one) : tile<i32> iter_values(%outer = %none) -> (tile<4x32x64xf32>) {
    %next = for %k in (%zero to %two, step %one) : tile<i32> iter_values(%acc = %outer) -> (tile<4x32x64xf32>) {
      %l, %u = load_view_tko weak %av[%zero, %t, %k] : partition_view<tile=(4x32x64), padding_value = zero, tensor_view<4x96x80xf16, strides=[7680,80,1]>>, tile<i32> -> tile<4x32x64xf16>, token
      %r, %v = load_view_tko weak %wv[%t, %k, %x] : partition_view<tile=(1x64x64), padding_value = zero, tensor_view<3x80x128xf16, strides=[10240,128,1]>>, tile<i32> -> tile<1x64x64xf16>, token
      %all = broadcast %r : tile<1x64x64xf16> -> tile<4x64x64xf16>
      %d = mmaf %l, %all, %acc : tile<4x32x64xf16>, tile<4x64x64xf16>, tile<4x32x64xf32>
      continue %d : tile<4x32x64xf32>
    }
    continue %next : tile<4x32x64xf32>
  }
  %s = store_view_tko weak %sum, %ov[%zero, %zero, %x] token = %tok : tile<4x32x64xf32>, partition_view<tile=(4x32x64), tensor_view<4x32x128xf32, strides=[4096,128,1]>>, tile<i32> -> token
  return
}
}
