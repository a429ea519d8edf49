// RUN: not tile-opt %s --convert-tileas-to-nvvm --gpu-name=sm_120 2>&1 | FileCheck %s

// The scales of rows are in lanes where the instruction does not look for them.
// CHECK: error: 'nv_tileas.dot_scaled' op has an operand #3 that is not distributed as #nv_tileas.mma<mma.sync.scaled, m16n8k32, warps = [1, 1]> takes it
#layout = #nv_tileas.layout<"{shape = [16, 64], register = [[0, 1], [0, 2], [8, 0], [0, 16], [0, 32]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [], block = []}">
#layout1 = #nv_tileas.layout<"{shape = [64, 16], register = [[1, 0], [2, 0], [16, 0], [32, 0], [0, 8]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = [], block = []}">
#layout2 = #nv_tileas.layout<"{shape = [16, 16], register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], block = []}">
#layout3 = #nv_tileas.layout<"{shape = [16, 2], register = [[0, 1]], lane = [[0, 0], [8, 0], [1, 0], [2, 0], [4, 0]], warp = [], block = []}">
#layout4 = #nv_tileas.layout<"{shape = [2, 16], register = [[1, 0]], lane = [[0, 8], [0, 0], [0, 1], [0, 2], [0, 4]], warp = [], block = []}">
module {
  nv_tileas.func @scales() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
    %a = arith.constant dense<1.000000e+00> : tensor<16x64xf8E4M3FN> as tensor<16x64xf8E4M3FN, #layout>
    %b = arith.constant dense<1.000000e+00> : tensor<64x16xf8E4M3FN> as tensor<64x16xf8E4M3FN, #layout1>
    %c = arith.constant dense<0.000000e+00> : tensor<16x16xf32> as tensor<16x16xf32, #layout2>
    %as = arith.constant dense<1.000000e+00> : tensor<16x2xf8E8M0FNU> as tensor<16x2xf8E8M0FNU, #layout3>
    %bs = arith.constant dense<1.000000e+00> : tensor<2x16xf8E8M0FNU> as tensor<2x16xf8E8M0FNU, #layout4>
    %d = nv_tileas.dot_scaled %a, %b, %c, %as, %bs {mma = #nv_tileas.mma<mma.sync.scaled, m16n8k32, warps = [1, 1]>} : tensor<16x64xf8E4M3FN, #layout>, tensor<64x16xf8E4M3FN, #layout1>, tensor<16x2xf8E8M0FNU, #layout3>, tensor<2x16xf8E8M0FNU, #layout4> -> tensor<16x16xf32, #layout2>
    nv_tileas.return
  }
}
