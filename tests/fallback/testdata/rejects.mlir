// A pass that only -O2 has rejects the kernel: it is compiled without what -O2 has at nv_tileas, and computes the same.
//
// RUN: tilec %s --gpu-name=sm_90 --remarks=all --pass-statistics -o %t 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t
// RUN: tile-run %s --grid=1 --diff-engines=interp,ptx --gpu-name=sm_80,sm_90,sm_100,sm_120 --adversarial --seed=1 \
// RUN:   --arg=f16[64x256]=random --arg=f16[256x64]=random --arg=i32:4 --arg=f32[64x64]
//
// CHECK: rejects.mlir:[[@LINE+23]]:3: warning: compiled again without pipelined loops and warp specialization: pass 'plant-rejects' failed on 'nv_tileas.func' operation: @rejects: 'nv_tileas.func' op is rejected by a planted pass
// CHECK: remark: MMA uses wgmma
// CHECK-NOT: warp-specialized
// CHECK: {{^}}1 fallbacks:
// PTX: wgmma.mma_async

// Other tools do the same, and by other names. The warning needs no flag.
// RUN: tile-opt %s --gpu-name=sm_90 --lower-to=ptx --pass-statistics -o %t 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t
// RUN: tile-opt %s --gpu-name=sm_90 --lower-to=nvvm 2>&1 | FileCheck %s --check-prefix=LEVEL
// AGAIN: warning: compiled again without pipelined loops and warp specialization: pass 'plant-rejects' failed on
// AGAIN: {{^}}1 fallbacks:
// LEVEL: warning: compiled again
// LEVEL: nvvm.wgmma

// Without an attempt that may fail there is no fallback: who asks which check fails is told.
// RUN: not tilec %s --gpu-name=sm_90 --verify-each -o %t.ptx 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not tile-opt %s --gpu-name=sm_90 --verify-each --lower-to=ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not tile-opt %s --gpu-name=sm_90 --disable-pass=tileas-multicast-copies --lower-to=ptx -o %t.ptx 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ERROR
// ERROR: error: 'nv_tileas.func' op is rejected by a planted pass

cuda_tile.module @m {
  entry @rejects(%x: tile<ptr<f16>>, %w: tile<ptr<f16>>, %n: tile<i32>, %out: tile<ptr<f32>>) {
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
