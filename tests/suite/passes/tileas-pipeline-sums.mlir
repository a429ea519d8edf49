// RUN: tile-opt %s --gpu-name=sm_100 --tileas-pipeline-loops | FileCheck %s
// RUN: tile-opt %s --gpu-name=sm_100 --tileas-pipeline-loops --tileas-promote-to-tmem | FileCheck %s --check-prefix=PLACE

#sum = #nv_tileas.layout<"{shape = [128, 32], register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}">
#one = #nv_tileas.layout<"{shape = [128, 16], register = [[8, 0], [16, 0], [32, 0], [64, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]], warp = [[2, 0], [4, 0]], block = []}">
#two = #nv_tileas.layout<"{shape = [16, 32], register = [[4, 0], [8, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [128, 16], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#b = #nv_tileas.shared<"{shape = [16, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0]]}">
#spec = #nv_tileaa.kernel_spec<num_warps = 4>
#mma = #nv_tileas.mma<tcgen05.mma, m128n32k16, warps = [4, 1]>

// Where computations overlap, the guard of the turns finishes the sum in both branches, since loops hand on what is under way, and ifs do not; the wait behind the loop is gone.
// CHECK-LABEL: nv_tileas.func @none_left(
// CHECK: %[[SUM:.*]] = scf.if
// CHECK: scf.for
// CHECK: scf.continue
// CHECK: %[[LAST:.*]] = nv_tileas.dot_async
// CHECK: %[[DONE:.*]] = nv_tileas.dot_wait %[[LAST]] {pending = 0 : i32}
// CHECK-NEXT: scf.yield %[[DONE]]
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[NONE:.*]] = nv_tileas.dot_wait %none {pending = 0 : i32}
// CHECK-NEXT: scf.yield %[[NONE]]
// CHECK-NOT: dot_wait
// CHECK: nv_tileas.tiled_store %[[SUM]]
// PLACE-LABEL: nv_tileas.func @none_left(
// PLACE: scf.if
// PLACE: %[[LOADED:.*]] = nv_tileas.tmem_load
// PLACE-NEXT: scf.yield %[[LOADED]],
// PLACE-NEXT: } else {
// PLACE-NOT: tmem_load
// PLACE: nv_tileas.return
nv_tileas.func @none_left(%p: !nv_tileas.ptr<bf16>, %q: !nv_tileas.ptr<f32>, %trips: i32) attributes {nv_tileaa.kernel_spec = #spec} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 32 : i64
  %k = arith.constant 16 : i64
  %m = arith.constant 128 : i64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<128x32xf32> as tensor<128x32xf32, #sum>
  %ones = arith.constant dense<1.0> : tensor<128x16xbf16> as tensor<128x16xbf16, #one>
  %a = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<128x16xbf16, #a>
  nv_tileas.local_store %ones, %a : tensor<128x16xbf16, #one>, !nv_tileas.buffer<128x16xbf16, #a>
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %none) -> (tensor<128x32xf32, #sum>) : i32 {
    %row = arith.extsi %i : i32 to i64
    %x, %t = nv_tileas.tiled_load %p[%row, %zero] sizes [%k, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<bf16> -> tensor<16x32xbf16, #two>
    %b = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<16x32xbf16, #b>
    nv_tileas.local_store %x, %b : tensor<16x32xbf16, #two>, !nv_tileas.buffer<16x32xbf16, #b>
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %a, %b, %acc {mma = #mma} : !nv_tileas.buffer<128x16xbf16, #a>, !nv_tileas.buffer<16x32xbf16, #b> -> tensor<128x32xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    scf.continue %d : tensor<128x32xf32, #sum>
  } {nv_tileas.schedule = #nv_tileas.schedule<ii = 114, unit = 3, at = [0, 0, 226, 294, 302, 303, 339]>}
  %s = nv_tileas.dot_wait %r {pending = 0 : i32} : tensor<128x32xf32, #sum>
  %u = nv_tileas.tiled_store %s, %q[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x32xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// With an overlap of two the loop as it was takes what is left, and its sum is waited for too.
// CHECK-LABEL: nv_tileas.func @one_left(
// CHECK: %[[SUM:.*]] = scf.if
// CHECK: } else {
// CHECK-NEXT: %[[LOOP:.*]] = scf.for
// CHECK: %[[DONE:.*]] = nv_tileas.dot_wait %[[LOOP]] {pending = 0 : i32}
// CHECK-NEXT: scf.yield %[[DONE]]
// CHECK-NOT: dot_wait
// CHECK: nv_tileas.tiled_store %[[SUM]]
// PLACE-LABEL: nv_tileas.func @one_left(
// PLACE: scf.if
// PLACE: nv_tileas.tmem_load
// PLACE-NEXT: scf.yield
// PLACE-NEXT: } else {
// PLACE: nv_tileas.tmem_load
// PLACE-NEXT: scf.yield
// PLACE-NOT: tmem_load
// PLACE: nv_tileas.return
nv_tileas.func @one_left(%p: !nv_tileas.ptr<bf16>, %q: !nv_tileas.ptr<f32>, %trips: i32) attributes {nv_tileaa.kernel_spec = #spec} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 32 : i64
  %k = arith.constant 16 : i64
  %m = arith.constant 128 : i64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<128x32xf32> as tensor<128x32xf32, #sum>
  %ones = arith.constant dense<1.0> : tensor<128x16xbf16> as tensor<128x16xbf16, #one>
  %a = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<128x16xbf16, #a>
  nv_tileas.local_store %ones, %a : tensor<128x16xbf16, #one>, !nv_tileas.buffer<128x16xbf16, #a>
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %none) -> (tensor<128x32xf32, #sum>) : i32 {
    %row = arith.extsi %i : i32 to i64
    %x, %t = nv_tileas.tiled_load %p[%row, %zero] sizes [%k, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<bf16> -> tensor<16x32xbf16, #two>
    %less = arith.negf %x : tensor<16x32xbf16, #two>
    %b = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<16x32xbf16, #b>
    nv_tileas.local_store %less, %b : tensor<16x32xbf16, #two>, !nv_tileas.buffer<16x32xbf16, #b>
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %a, %b, %acc {mma = #mma} : !nv_tileas.buffer<128x16xbf16, #a>, !nv_tileas.buffer<16x32xbf16, #b> -> tensor<128x32xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    scf.continue %d : tensor<128x32xf32, #sum>
  } {nv_tileas.schedule = #nv_tileas.schedule<ii = 114, unit = 3, at = [0, 0, 294, 456, 520, 528, 529, 565]>}
  %s = nv_tileas.dot_wait %r {pending = 0 : i32} : tensor<128x32xf32, #sum>
  %u = nv_tileas.tiled_store %s, %q[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x32xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
