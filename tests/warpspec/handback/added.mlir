// A product is added to a matrix that is as large as half of shared memory, and so is the buffer of the store after the
// loop. The consumers load the matrix themselves: in a pipe it would keep its memory.
// RUN: tile-opt %s --gpu-name=sm_100 --lower-to=loops-scheduled --remarks -o - 2>&1 | FileCheck --check-prefix=WARP %s
// RUN: tile-opt %s --gpu-name=sm_90 --lower-to=loops-scheduled --remarks -o - 2>&1 | FileCheck %s
// RUN: tile-run --gpu-name=sm_100 --diff-engines=interp,tileas,ptx --adversarial --seed=5 --entry=added --grid=1 --array=f16[256x160]=random \
// RUN:   --array=f16[160x128]=random --array=f32[256x128]=random %s
// RUN: tile-run --gpu-name=sm_100 --engine=ptx --sync-check --entry=added --grid=1 --array=f16[256x160]=random --array=f16[160x128]=random \
// RUN:   --array=f32[256x128]=random %s | FileCheck --check-prefix=SYNC %s
// RUN(long): tile-run --gpu-name=sm_90 --diff-engines=interp,tileas,ptx --adversarial --seed=6 --entry=added --grid=1 --array=f16[256x160]=random \
// RUN(long):   --array=f16[160x128]=random --array=f32[256x128]=random %s

// CHECK: warp-specialized: 8 consumer warps, 1 producer warp, pipe of {{[2-8]}} x 24576 bytes
// WARP: warp-specialized: 8 consumer warps, 1 producer warp, 1 MMA warp, pipe of {{[2-8]}} x 24576 bytes, 1 handed back and forth
// SYNC: nothing found, for all schedules
cuda_tile.module @kernels {
  entry @added(%a: tile<ptr<f16>>, %am: tile<i32>, %an: tile<i32>, %as: tile<i32>, %as1: tile<i32>,
      %b: tile<ptr<f16>>, %bm: tile<i32>, %bn: tile<i32>, %bs: tile<i32>, %bs1: tile<i32>,
      %c: tile<ptr<f32>>, %cm: tile<i32>, %cn: tile<i32>, %cs: tile<i32>, %cs1: tile<i32>) {
    %t = make_token : token
    %a16 = assume div_by<16>, %a : tile<ptr<f16>>
    %b16 = assume div_by<16>, %b : tile<ptr<f16>>
    %c16 = assume div_by<16>, %c : tile<ptr<f32>>
    %as8 = assume div_by<8>, %as : tile<i32>
    %bs8 = assume div_by<8>, %bs : tile<i32>
    %cs4 = assume div_by<4>, %cs : tile<i32>
    %av = make_tensor_view %a16, shape = [%am, %an], strides = [%as8, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %bv = make_tensor_view %b16, shape = [%bm, %bn], strides = [%bs8, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %cv = make_tensor_view %c16, shape = [%cm, %cn], strides = [%cs4, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %ap = make_partition_view %av : partition_view<tile=(256x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %bp = make_partition_view %bv : partition_view<tile=(32x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %cp = make_partition_view %cv : partition_view<tile=(256x128), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c32 = constant <i32: 32> : tile<i32>
    %steps = divi %an, %c32 signed rounding<positive_inf> : tile<i32>
    %begin, %k0 = load_view_tko weak %cp[%x, %c0] token = %t : partition_view<tile=(256x128), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<256x128xf32>, token
    %sum = for %k in (%c0 to %steps, step %c1) : tile<i32> iter_values(%acc = %begin) -> (tile<256x128xf32>) {
      %ta, %ka = load_view_tko weak %ap[%x, %k] token = %t : partition_view<tile=(256x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<256x32xf16>, token
      %tb, %kb = load_view_tko weak %bp[%k, %c0] token = %t : partition_view<tile=(32x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x128xf16>, token
      %s = mmaf %ta, %tb, %acc : tile<256x32xf16>, tile<32x128xf16>, tile<256x128xf32>
      continue %s : tile<256x128xf32>
    }
    %done = store_view_tko weak %sum, %cp[%x, %c0] token = %k0 : tile<256x128xf32>, partition_view<tile=(256x128), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
