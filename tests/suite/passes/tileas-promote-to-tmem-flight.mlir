// RUN: tile-opt %s --gpu-name=sm_100 --tileas-promote-to-tmem | FileCheck %s

#a = #nv_tileas.shared<"{shape = [128, 16], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#b = #nv_tileas.shared<"{shape = [16, 16], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]}">
#sum = #nv_tileas.layout<"{shape = [128, 16], register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}">
#spec = #nv_tileaa.kernel_spec<num_warps = 4>
#mma = #nv_tileas.mma<tcgen05.mma, m128n16k16, warps = [4, 1]>

// Two in a row are two under way, though the wait leaves none: each has an mbarrier.
// CHECK-LABEL: nv_tileas.func @row(
// CHECK: nv_tileas.alloc_shared : !nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier]
// CHECK: nv_tileas.tmem_dot
// CHECK-NOT: nv_tileas.mma_wait
// CHECK: nv_tileas.tmem_dot
// CHECK: nv_tileas.mma_wait 0 for
nv_tileas.func @row(%q: !nv_tileas.ptr<f32>) attributes {nv_tileaa.kernel_spec = #spec} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 16 : i64
  %m = arith.constant 128 : i64
  %x = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<128x16xf16, #a>
  %y = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<16x16xf16, #b>
  %c = arith.constant dense<0.0> : tensor<128x16xf32> as tensor<128x16xf32, #sum>
  %d = nv_tileas.dot_async %x, %y, %c {mma = #mma} : !nv_tileas.buffer<128x16xf16, #a>, !nv_tileas.buffer<16x16xf16, #b> -> tensor<128x16xf32, #sum>
  %e = nv_tileas.dot_async %x, %y, %d {mma = #mma} : !nv_tileas.buffer<128x16xf16, #a>, !nv_tileas.buffer<16x16xf16, #b> -> tensor<128x16xf32, #sum>
  %r = nv_tileas.dot_wait %e {pending = 0 : i32} : tensor<128x16xf32, #sum>
  %t = nv_tileas.tiled_store %r, %q[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x16xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// Products that nothing in their loop waits for wait for the one that had their mbarrier before.
// CHECK-LABEL: nv_tileas.func @held(
// CHECK: nv_tileas.alloc_shared : !nv_tileas.buffer<4 x [1x!nv_tileas.mbarrier]
// CHECK: scf.for
// CHECK: nv_tileas.mma_wait 3 for
// CHECK: nv_tileas.tmem_dot
// CHECK: scf.continue
// CHECK: nv_tileas.mma_wait 0 for
nv_tileas.func @held(%q: !nv_tileas.ptr<f32>, %trips: i32) attributes {nv_tileaa.kernel_spec = #spec} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 16 : i64
  %m = arith.constant 128 : i64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<128x16xf16, #a>
  %y = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<16x16xf16, #b>
  %c = arith.constant dense<0.0> : tensor<128x16xf32> as tensor<128x16xf32, #sum>
  %s = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %c) -> (tensor<128x16xf32, #sum>) : i32 {
    %d = nv_tileas.dot_async %x, %y, %acc {mma = #mma} : !nv_tileas.buffer<128x16xf16, #a>, !nv_tileas.buffer<16x16xf16, #b> -> tensor<128x16xf32, #sum>
    scf.continue %d : tensor<128x16xf32, #sum>
  }
  %r = nv_tileas.dot_wait %s {pending = 0 : i32} : tensor<128x16xf32, #sum>
  %t = nv_tileas.tiled_store %r, %q[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x16xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
