// RUN: tile-opt %s --tileas-assign-layouts --gpu-name=sm_100 | FileCheck %s

// Each MMA is a block of K that starts from zero, and threads scale it and add it up. Its accumulator is loaded from TMEM
// after 16 of K. That is 128 cycles at 512 bytes a cycle, and tcgen05.mma saves 192 of the 256 that mma.sync would take.
// CHECK: mma = #nv_tileas.mma<tcgen05.mma
nv_tileas.func @k(%p: !nv_tileas.ptr<bf16>, %r: !nv_tileas.ptr<f32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %s = arith.constant 4096 : i64
  %none = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
  %scale = arith.constant dense<2.500000e-01> : tensor<128x128xf32>
  %sum = scf.for %i = %i0 to %n step %i1 iter_args(%acc = %none) -> (tensor<128x128xf32>) : i32 {
    %a, %ta = nv_tileas.tiled_load %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<bf16> -> tensor<128x16xbf16>
    %b, %tb = nv_tileas.tiled_load %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<bf16> -> tensor<16x128xbf16>
    %d = nv_tileas.dot %a, %b, %none : tensor<128x16xbf16>, tensor<16x128xbf16> -> tensor<128x128xf32>
    %part = arith.mulf %d, %scale : tensor<128x128xf32>
    %next = arith.addf %acc, %part : tensor<128x128xf32>
    scf.continue %next : tensor<128x128xf32>
  }
  %t = nv_tileas.tiled_store %sum, %r[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: false, false>} : tensor<128x128xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
