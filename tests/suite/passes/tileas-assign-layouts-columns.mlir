// RUN: tile-opt %s --tileas-assign-layouts --gpu-name=sm_100 --remarks 2>&1 | FileCheck %s

// Scores of two loops, one after the other, share 256 columns of TMEM; the result of both loops takes 128 more. Counted
// one by one they would be 640 of 512, and the second loop multiplied by mma.sync.
// CHECK: remark: MMA uses mma.sync, not tcgen05.mma: with its accumulator those that are live together take 768 of 512 columns of TMEM
// CHECK-LABEL: nv_tileas.func @one_after_the_other
// CHECK-COUNT-4: mma = #nv_tileas.mma<tcgen05
// CHECK-LABEL: nv_tileas.func @together
// CHECK-COUNT-2: mma = #nv_tileas.mma<tcgen05
// CHECK: mma = #nv_tileas.mma<mma.sync
nv_tileas.func @one_after_the_other(%p: !nv_tileas.ptr<bf16>, %r: !nv_tileas.ptr<f32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %s = arith.constant 4096 : i64
  %none = arith.constant dense<0.000000e+00> : tensor<256x128xf32>
  %start = arith.constant dense<0.000000e+00> : tensor<256x64xf32>
  %q, %tq = nv_tileas.tiled_load %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<bf16> -> tensor<256x64xbf16>
  %k, %tk = nv_tileas.tiled_load %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<bf16> -> tensor<64x128xbf16>
  %v, %tv = nv_tileas.tiled_load %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<bf16> -> tensor<128x64xbf16>
  %first = scf.for %i = %i0 to %n step %i1 iter_args(%o = %start) -> (tensor<256x64xf32>) : i32 {
    %scores = nv_tileas.dot %q, %k, %none : tensor<256x64xbf16>, tensor<64x128xbf16> -> tensor<256x128xf32>
    %h = arith.ftof %scores : tensor<256x128xf32> to tensor<256x128xbf16>
    %next = nv_tileas.dot %h, %v, %o : tensor<256x128xbf16>, tensor<128x64xbf16> -> tensor<256x64xf32>
    scf.continue %next : tensor<256x64xf32>
  }
  %second = scf.for %i = %i0 to %n step %i1 iter_args(%o = %first) -> (tensor<256x64xf32>) : i32 {
    %scores = nv_tileas.dot %q, %k, %none : tensor<256x64xbf16>, tensor<64x128xbf16> -> tensor<256x128xf32>
    %scaled = arith.mulf %scores, %scores : tensor<256x128xf32>
    %h = arith.ftof %scaled : tensor<256x128xf32> to tensor<256x128xbf16>
    %next = nv_tileas.dot %h, %v, %o : tensor<256x128xbf16>, tensor<128x64xbf16> -> tensor<256x64xf32>
    scf.continue %next : tensor<256x64xf32>
  }
  %t = nv_tileas.tiled_store %second, %r[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: false, false>} : tensor<256x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

nv_tileas.func @together(%p: !nv_tileas.ptr<bf16>, %r: !nv_tileas.ptr<f32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %s = arith.constant 4096 : i64
  %start = arith.constant dense<0.000000e+00> : tensor<256x128xf32>
  %q, %tq = nv_tileas.tiled_load %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<bf16> -> tensor<256x64xbf16>
  %k, %tk = nv_tileas.tiled_load %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<bf16> -> tensor<64x128xbf16>
  %a, %b, %c = scf.for %i = %i0 to %n step %i1 iter_args(%x = %start, %y = %start, %w = %start) -> (tensor<256x128xf32>, tensor<256x128xf32>, tensor<256x128xf32>) : i32 {
    %d = nv_tileas.dot %q, %k, %x : tensor<256x64xbf16>, tensor<64x128xbf16> -> tensor<256x128xf32>
    %e = nv_tileas.dot %q, %k, %y : tensor<256x64xbf16>, tensor<64x128xbf16> -> tensor<256x128xf32>
    %f = nv_tileas.dot %q, %k, %w : tensor<256x64xbf16>, tensor<64x128xbf16> -> tensor<256x128xf32>
    scf.continue %d, %e, %f : tensor<256x128xf32>, tensor<256x128xf32>, tensor<256x128xf32>
  }
  %t = nv_tileas.tiled_store %a, %r[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: false, false>} : tensor<256x128xf32>, !nv_tileas.ptr<f32>
  %u = nv_tileas.tiled_store %b, %r[%z, %z] sizes [%s, %s] strides [%s, %one] token %t {bounds = array<i1: false, false>} : tensor<256x128xf32>, !nv_tileas.ptr<f32>
  %m = nv_tileas.tiled_store %c, %r[%z, %z] sizes [%s, %s] strides [%s, %one] token %u {bounds = array<i1: false, false>} : tensor<256x128xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
