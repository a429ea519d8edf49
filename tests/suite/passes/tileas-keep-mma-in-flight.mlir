// RUN: tile-opt %s --tileas-keep-mma-in-flight --gpu-name=sm_90 | FileCheck %s

#a = #nv_tileas.shared<"{shape = [64, 16], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [16, 8], offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]}">
#sum = #nv_tileas.layout<"{shape = [64, 8], register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#mma = #nv_tileas.mma<wgmma, m64n8k16, warps = [4, 1]>
#other = #nv_tileas.mma<wgmma, m64n8k16, warps = [2, 2]>

// What only the next product takes goes on under way, through a loop and behind another product; the waits in it are for buffers then, and one behind the loop is for the sum.
// CHECK-LABEL: nv_tileas.func @chain(
// CHECK: %[[LOOP:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %c)
// CHECK-NEXT: %[[D:.*]] = nv_tileas.dot_async %a, %b, %[[ACC]]
// CHECK-NEXT: nv_tileas.dot_wait {pending = 0 : i32}{{$}}
// CHECK-NEXT: %[[F:.*]] = nv_tileas.dot_async %a, %b, %[[D]]
// CHECK-NEXT: nv_tileas.dot_wait {pending = 0 : i32}{{$}}
// CHECK-NEXT: scf.continue %[[F]]
// CHECK: %[[R:.*]] = nv_tileas.dot_wait %[[LOOP]] {pending = 0 : i32}
// CHECK: arith.addf %[[R]], %[[R]]
nv_tileas.func @chain(%z: i32, %n: i32, %one: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = nv_tileas.alloc_shared : !nv_tileas.buffer<64x16xf16, #a>
  %b = nv_tileas.alloc_shared : !nv_tileas.buffer<16x8xf16, #b>
  %c = arith.constant dense<0.0> : tensor<64x8xf32> as tensor<64x8xf32, #sum>
  %r = scf.for %i = %z to %n step %one iter_args(%acc = %c) -> (tensor<64x8xf32, #sum>) : i32 {
    %d = nv_tileas.dot_async %a, %b, %acc {mma = #mma} : !nv_tileas.buffer<64x16xf16, #a>, !nv_tileas.buffer<16x8xf16, #b> -> tensor<64x8xf32, #sum>
    %e = nv_tileas.dot_wait %d {pending = 0 : i32} : tensor<64x8xf32, #sum>
    %f = nv_tileas.dot_async %a, %b, %e {mma = #mma} : !nv_tileas.buffer<64x16xf16, #a>, !nv_tileas.buffer<16x8xf16, #b> -> tensor<64x8xf32, #sum>
    %g = nv_tileas.dot_wait %f {pending = 0 : i32} : tensor<64x8xf32, #sum>
    scf.continue %g : tensor<64x8xf32, #sum>
  }
  %s = arith.addf %r, %r : tensor<64x8xf32, #sum>
  nv_tileas.return
}

// Two sums that one wait is for: one goes on, the other is taken.
// CHECK-LABEL: nv_tileas.func @one_of_two(
// CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} iter_args(%[[ACC:.*]] = %c, %[[MOST:.*]] = %c)
// CHECK-NEXT: %[[D:.*]] = nv_tileas.dot_async %a, %b, %[[ACC]]
// CHECK-NEXT: %[[F:.*]] = nv_tileas.dot_async %a, %b, %c
// CHECK-NEXT: %[[R:.*]] = nv_tileas.dot_wait %[[F]] {pending = 0 : i32}
// CHECK-NEXT: %[[M:.*]] = arith.maxnumf %[[R]], %[[MOST]]
// CHECK-NEXT: scf.continue %[[D]], %[[M]]
// CHECK: nv_tileas.dot_wait %[[LOOP]]#0 {pending = 0 : i32}
nv_tileas.func @one_of_two(%z: i32, %n: i32, %one: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = nv_tileas.alloc_shared : !nv_tileas.buffer<64x16xf16, #a>
  %b = nv_tileas.alloc_shared : !nv_tileas.buffer<16x8xf16, #b>
  %c = arith.constant dense<0.0> : tensor<64x8xf32> as tensor<64x8xf32, #sum>
  %r:2 = scf.for %i = %z to %n step %one iter_args(%acc = %c, %most = %c) -> (tensor<64x8xf32, #sum>, tensor<64x8xf32, #sum>) : i32 {
    %d = nv_tileas.dot_async %a, %b, %acc {mma = #mma} : !nv_tileas.buffer<64x16xf16, #a>, !nv_tileas.buffer<16x8xf16, #b> -> tensor<64x8xf32, #sum>
    %f = nv_tileas.dot_async %a, %b, %c {mma = #mma} : !nv_tileas.buffer<64x16xf16, #a>, !nv_tileas.buffer<16x8xf16, #b> -> tensor<64x8xf32, #sum>
    %e:2 = nv_tileas.dot_wait %d, %f {pending = 0 : i32} : tensor<64x8xf32, #sum>, tensor<64x8xf32, #sum>
    %m = arith.maxnumf %e#1, %most : tensor<64x8xf32, #sum>
    scf.continue %e#0, %m : tensor<64x8xf32, #sum>, tensor<64x8xf32, #sum>
  }
  %s = arith.addf %r#0, %r#1 : tensor<64x8xf32, #sum>
  nv_tileas.return
}

// A sum that its iteration takes, one that the next iteration takes otherwise, one that goes on in a product of another instruction, and one that something besides a product takes stay as they are.
// CHECK-LABEL: nv_tileas.func @unchanged(
// CHECK: %[[D:.*]] = nv_tileas.dot_async
// CHECK-NEXT: %[[E:.*]] = nv_tileas.dot_wait %[[D]] {pending = 0 : i32}
// CHECK-NEXT: arith.addf %[[E]]
// CHECK: %[[F:.*]] = nv_tileas.dot_async
// CHECK-NEXT: nv_tileas.dot_wait %[[F]] {pending = 0 : i32}
// CHECK-NEXT: %[[G:.*]] = nv_tileas.dot_async
// CHECK-NEXT: nv_tileas.dot_wait %[[G]] {pending = 0 : i32}
// CHECK-NEXT: nv_tileas.dot_async {{.*}}warps = [2, 2]
// CHECK: %[[T:.*]] = nv_tileas.dot_async
// CHECK-NEXT: nv_tileas.dot_wait %[[T]] {pending = 0 : i32}
// CHECK: scf.continue
nv_tileas.func @unchanged(%z: i32, %n: i32, %one: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = nv_tileas.alloc_shared : !nv_tileas.buffer<64x16xf16, #a>
  %b = nv_tileas.alloc_shared : !nv_tileas.buffer<16x8xf16, #b>
  %c = arith.constant dense<0.0> : tensor<64x8xf32> as tensor<64x8xf32, #sum>
  %r:4 = scf.for %i = %z to %n step %one iter_args(%u = %c, %v = %c, %w = %c, %x = %c) -> (tensor<64x8xf32, #sum>, tensor<64x8xf32, #sum>, tensor<64x8xf32, #sum>, tensor<64x8xf32, #sum>) : i32 {
    %d = nv_tileas.dot_async %a, %b, %u {mma = #mma} : !nv_tileas.buffer<64x16xf16, #a>, !nv_tileas.buffer<16x8xf16, #b> -> tensor<64x8xf32, #sum>
    %e = nv_tileas.dot_wait %d {pending = 0 : i32} : tensor<64x8xf32, #sum>
    %taken = arith.addf %e, %v : tensor<64x8xf32, #sum>
    %f = nv_tileas.dot_async %a, %b, %taken {mma = #mma} : !nv_tileas.buffer<64x16xf16, #a>, !nv_tileas.buffer<16x8xf16, #b> -> tensor<64x8xf32, #sum>
    %next = nv_tileas.dot_wait %f {pending = 0 : i32} : tensor<64x8xf32, #sum>
    %g = nv_tileas.dot_async %a, %b, %w {mma = #mma} : !nv_tileas.buffer<64x16xf16, #a>, !nv_tileas.buffer<16x8xf16, #b> -> tensor<64x8xf32, #sum>
    %h = nv_tileas.dot_wait %g {pending = 0 : i32} : tensor<64x8xf32, #sum>
    %o = nv_tileas.dot_async %a, %b, %h {mma = #other} : !nv_tileas.buffer<64x16xf16, #a>, !nv_tileas.buffer<16x8xf16, #b> -> tensor<64x8xf32, #sum>
    %p = nv_tileas.dot_wait %o {pending = 0 : i32} : tensor<64x8xf32, #sum>
    %t = nv_tileas.dot_async %a, %b, %x {mma = #mma} : !nv_tileas.buffer<64x16xf16, #a>, !nv_tileas.buffer<16x8xf16, #b> -> tensor<64x8xf32, #sum>
    %y = nv_tileas.dot_wait %t {pending = 0 : i32} : tensor<64x8xf32, #sum>
    %both = nv_tileas.dot_async %a, %b, %y {mma = #mma} : !nv_tileas.buffer<64x16xf16, #a>, !nv_tileas.buffer<16x8xf16, #b> -> tensor<64x8xf32, #sum>
    %z2 = nv_tileas.dot_wait %both {pending = 0 : i32} : tensor<64x8xf32, #sum>
    %u2 = arith.addf %y, %z2 : tensor<64x8xf32, #sum>
    scf.continue %e, %next, %p, %u2 : tensor<64x8xf32, #sum>, tensor<64x8xf32, #sum>, tensor<64x8xf32, #sum>, tensor<64x8xf32, #sum>
  }
  %s = arith.addf %r#0, %r#1 : tensor<64x8xf32, #sum>
  nv_tileas.return
}
