// RUN: tile-opt %s --tileas-plan-copies --gpu-name=sm_80 | FileCheck %s

// Loads that only a product reads travel by cp.async; one that threads calculate with has nothing planned.
// CHECK-LABEL: nv_tileas.func @both
// CHECK-COUNT-2: nv_tileas.tiled_load {{.*}}nv_tileas.transfer = "cp.async"
// CHECK-LABEL: nv_tileas.func @unchanged_no_product
// CHECK-NOT: nv_tileas.transfer
// CHECK: nv_tileas.return
#layout = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}">
#layout1 = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 0]], block = []}">
#layout2 = #nv_tileas.layout<"{shape = [64, 64], register = [[1, 0], [8, 0], [16, 0], [32, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 32]], block = []}">
#layout3 = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 32]], block = []}">
#layout4 = #nv_tileas.layout<"{shape = [64, 64], register = [[2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [1, 0]], block = []}">
module {
  nv_tileas.func @both(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %a, %at = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout>
    %b, %bt = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout>
    %0 = nv_tileas.convert_layout %a : tensor<64x64xf16, #layout> -> tensor<64x64xf16, #layout1>
    %1 = nv_tileas.convert_layout %b : tensor<64x64xf16, #layout> -> tensor<64x64xf16, #layout2>
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #layout3>
    %d = nv_tileas.dot %0, %1, %c {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x64xf16, #layout1>, tensor<64x64xf16, #layout2> -> tensor<64x64xf32, #layout3>
    %2 = nv_tileas.convert_layout %d : tensor<64x64xf32, #layout3> -> tensor<64x64xf32, #layout4>
    %t = nv_tileas.tiled_store %2, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32, #layout4>, !nv_tileas.ptr<f32>
    nv_tileas.return
  }
  nv_tileas.func @unchanged_no_product(%p: !nv_tileas.ptr<f16>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %a, %at = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout>
    %d = arith.addf %a, %a : tensor<64x64xf16, #layout>
    %0 = nv_tileas.convert_layout %d : tensor<64x64xf16, #layout> -> tensor<64x64xf16, #layout4>
    %t = nv_tileas.tiled_store %0, %p[%z, %z] sizes [%n, %n] strides [%n, %one] token %at {bounds = array<i1: true, true>} : tensor<64x64xf16, #layout4>, !nv_tileas.ptr<f16>
    nv_tileas.return
  }
}
