// RUN: tile-opt %s --tileas-tile-mma-k --gpu-name=sm_120 | FileCheck %s

// Scales are loaded once for all steps, and so is what they are converted from: a word has those of several steps.
// CHECK-LABEL: nv_tileas.func @converted_scales
// CHECK: %[[F:.*]] = nv_tileas.local_load %[[S:.*]] : !nv_tileas.buffer<64x4xf32, #{{.*}}> -> tensor<64x4xf32, #{{.*}}>
// CHECK: %[[SS:.*]] = arith.ftof %[[F]] rounding<zero>
// CHECK: nv_tileas.local_load %[[A:.*]] from [0, 0] : !nv_tileas.buffer<64x128xf8E4M3FN, #{{.*}}> -> tensor<64x32xf8E4M3FN, #{{.*}}>
// CHECK: nv_tileas.extract %[[SS]]
// CHECK: nv_tileas.dot_scaled
// CHECK: nv_tileas.local_load %[[A]] from [0, 32]
// CHECK: nv_tileas.extract %[[SS]]
// CHECK: nv_tileas.dot_scaled
#layout = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [0, 32]], block = []}">
#layout1 = #nv_tileas.layout<"{shape = [64, 4], register = [[0, 1], [0, 2]], lane = [[8, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [0, 0]], block = []}">
#layout2 = #nv_tileas.layout<"{shape = [4, 64], register = [[1, 0], [2, 0]], lane = [[0, 8], [0, 16], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0], [0, 32]], block = []}">
#layout3 = #nv_tileas.layout<"{shape = [64, 128], register = [[0, 1], [0, 2], [8, 0], [0, 16], [0, 32], [0, 64]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [0, 0]], block = []}">
#layout4 = #nv_tileas.layout<"{shape = [128, 64], register = [[1, 0], [2, 0], [16, 0], [32, 0], [64, 0], [0, 8], [0, 16]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 0], [0, 32]], block = []}">
#shared = #nv_tileas.shared<"{shape = [64, 128], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [8, 0], [16, 0], [32, 0], [1, 16], [2, 32], [4, 64]]}">
#shared1 = #nv_tileas.shared<"{shape = [128, 64], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 8], [0, 16], [0, 32], [16, 1], [32, 2], [64, 4]]}">
#shared2 = #nv_tileas.shared<"{shape = [64, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]}">
nv_tileas.func @converted_scales(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #layout>
  %st = arith.constant dense<1.000000e+00> : tensor<4x64xf8E8M0FNU> as tensor<4x64xf8E8M0FNU, #layout2>
  %a0 = nv_tileas.alloc_shared : !nv_tileas.buffer<64x128xf8E4M3FN, #shared>
  %b0 = nv_tileas.alloc_shared : !nv_tileas.buffer<128x64xf8E4M3FN, #shared1>
  %s0 = nv_tileas.alloc_shared : !nv_tileas.buffer<64x4xf32, #shared2>
  %a = nv_tileas.local_load %a0 : !nv_tileas.buffer<64x128xf8E4M3FN, #shared> -> tensor<64x128xf8E4M3FN, #layout3>
  %b = nv_tileas.local_load %b0 : !nv_tileas.buffer<128x64xf8E4M3FN, #shared1> -> tensor<128x64xf8E4M3FN, #layout4>
  %f = nv_tileas.local_load %s0 : !nv_tileas.buffer<64x4xf32, #shared2> -> tensor<64x4xf32, #layout1>
  %ss = arith.ftof %f rounding<zero> : tensor<64x4xf32, #layout1> to tensor<64x4xf8E8M0FNU, #layout1>
  %d = nv_tileas.dot_scaled %a, %b, %c, %ss, %st {mma = #nv_tileas.mma<mma.sync.scaled, m16n8k32, warps = [4, 2]>} : tensor<64x128xf8E4M3FN, #layout3>, tensor<128x64xf8E4M3FN, #layout4>, tensor<64x4xf8E8M0FNU, #layout1>, tensor<4x64xf8E8M0FNU, #layout2> -> tensor<64x64xf32, #layout>
  %t = nv_tileas.tiled_store %d, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32, #layout>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
