// A pass panics. The reproducer that was asked for repeats it, though the kernel is compiled.
//
// RUN: tilec %s --gpu-name=sm_90 --remarks=all --crash-reproducer=%t -o %t.ptx 2>&1 | FileCheck %s
// RUN: not tile-opt --run-reproducer %t 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: tile-run %s --grid=1 --diff-engines=interp,ptx --gpu-name=sm_80,sm_90,sm_100,sm_120 --adversarial --seed=1 \
// RUN:   --arg=f16[64x256]=random --arg=f16[256x64]=random --arg=i32:4 --arg=f32[64x64]
//
// CHECK: warning: compiled again without pipelined loops and warp specialization: pass 'plant-crashes' crashed on
// AGAIN: pass 'plant-crashes' crashed on 'nv_tileas.func' operation: @crashes: panic: planted

cuda_tile.module @m {
  entry @crashes(%x: tile<ptr<f16>>, %w: tile<ptr<f16>>, %n: tile<i32>, %out: tile<ptr<f32>>) {
    %t = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %xa = assume div_by<16>, %x : tile<ptr<f16>>
    %wa = assume div_by<16>, %w : tile<ptr<f16>>
    %xv = make_tensor_view %xa, shape = [64, 256], strides = [256, 1] : tensor_view<64x256xf16, strides=[256,1]>
    %xp = make_partition_view %xv : partition_view<tile=(64x64), tensor_view<64x256xf16, strides=[256,1]>>
    %wv = make_tensor_view %wa, shape = [256, 64], strides = [64, 1] : tensor_view<256x64xf16, strides=[64,1]>
    %wp = make_partition_view %wv : partition_view<tile=(64x64), tensor_view<256x64xf16, strides=[64,1]>>
    %ov = make_tensor_view %out, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %op = make_partition_view %ov : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %zero = constant <f32: 0.0> : tile<64x64xf32>
    %sum = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<64x64xf32>) {
      %a, %ta = load_view_tko weak %xp[%c0, %i] token = %t : partition_view<tile=(64x64), tensor_view<64x256xf16, strides=[256,1]>>, tile<i32> -> tile<64x64xf16>, token
      %b, %tb = load_view_tko weak %wp[%i, %c0] token = %t : partition_view<tile=(64x64), tensor_view<256x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %next = mmaf %a, %b, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %next : tile<64x64xf32>
    }
    %s = store_view_tko weak %sum, %op[%c0, %c0] token = %t : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
