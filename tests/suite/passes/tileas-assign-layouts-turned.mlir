// RUN: tile-opt %s --tileas-assign-layouts --gpu-name=sm_100 --mlir-print-local-scope | FileCheck %s

// tcgen05.mma reads tf32 along K only, and B lies in memory along its columns. So threads turn it: they read 16 bytes of
// a row and write 4 along K. A warp that read an entire row would write 32 words in two banks; here it reads 16 columns
// of 8 rows.
// CHECK: nv_tileas.dot {{.*}} {mma = #nv_tileas.mma<tcgen05.mma{{.*}}tensor<32x128xtf32, #nv_tileas.layout<"{shape = [32, 128], register = {{\[\[}}0, 1], [0, 2], [0, 16], [0, 32], [0, 64]], lane = {{\[\[}}0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}8, 0], [16, 0]]
nv_tileas.func @k(%p: !nv_tileas.ptr<f32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %s = arith.constant 4096 : i64
  %start = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
  %sum = scf.for %i = %i0 to %n step %i1 iter_args(%acc = %start) -> (tensor<128x128xf32>) : i32 {
    %a, %ta = nv_tileas.tiled_load %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f32> -> tensor<128x32xf32>
    %b, %tb = nv_tileas.tiled_load %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f32> -> tensor<32x128xf32>
    %x = arith.ftof %a : tensor<128x32xf32> to tensor<128x32xtf32>
    %y = arith.ftof %b : tensor<32x128xf32> to tensor<32x128xtf32>
    %d = nv_tileas.dot %x, %y, %acc : tensor<128x32xtf32>, tensor<32x128xtf32> -> tensor<128x128xf32>
    scf.continue %d : tensor<128x128xf32>
  }
  %t = nv_tileas.tiled_store %sum, %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: false, false>} : tensor<128x128xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
