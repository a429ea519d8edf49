// RUN: tile-opt %s --tileas-allocate-shared --tileas-insert-barriers | FileCheck %s

// Only what is before the loop conflicts with it, so the barrier is there too: before one group of warps has its turn.
// CHECK-LABEL: nv_tileas.func @before
// CHECK: nv_tileas.local_store
// CHECK-NEXT: nv_tileas.pingpong_signal id 1 groups 2 {open}
// CHECK-NEXT: nv_tileas.barrier id 3 warps 8
// CHECK-NEXT: nv_tileas.pingpong_wait id 1
// CHECK-NEXT: scf.for
// CHECK-NOT: nv_tileas.barrier
// CHECK: nv_tileas.return
#rows = #nv_tileas.layout<"{shape = [32, 8], register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 1], [0, 2], [0, 4]], block = []}">
#columns = #nv_tileas.layout<"{shape = [32, 8], register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]], block = []}">
#shared = #nv_tileas.shared<"{shape = [32, 8], offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
nv_tileas.func @before(%n: i32, %x: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<32x8xi32, #shared>
  nv_tileas.warp_specialize {
    role "compute" warps(8) {
      %s = nv_tileas.splat %x : i32 -> tensor<32x8xi32, #rows>
      nv_tileas.local_store %s, %m : tensor<32x8xi32, #rows>, !nv_tileas.buffer<32x8xi32, #shared>
      nv_tileas.pingpong_signal id 1 groups 2 {open}
      nv_tileas.pingpong_wait id 1 groups 2
      scf.for %i = %z to %n step %one : i32 {
        %l = nv_tileas.local_load %m : !nv_tileas.buffer<32x8xi32, #shared> -> tensor<32x8xi32, #columns>
        nv_tileas.pingpong_signal id 1 groups 2
        nv_tileas.pingpong_wait id 1 groups 2
        scf.continue
      }
      nv_tileas.pingpong_signal id 1 groups 2
      nv_tileas.pingpong_wait id 1 groups 2 {close}
    }
  }
  nv_tileas.return
}

// A loop that stores too needs barriers of its own, and the one before the load does for both stores.
// CHECK-LABEL: nv_tileas.func @within
// CHECK: nv_tileas.local_store
// CHECK-NEXT: scf.for
// CHECK-NEXT: nv_tileas.barrier
// CHECK-NEXT: nv_tileas.local_load
// CHECK-NEXT: nv_tileas.barrier
// CHECK-NEXT: nv_tileas.local_store
nv_tileas.func @within(%n: i32, %x: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<32x8xi32, #shared>
  %s = nv_tileas.splat %x : i32 -> tensor<32x8xi32, #rows>
  nv_tileas.local_store %s, %m : tensor<32x8xi32, #rows>, !nv_tileas.buffer<32x8xi32, #shared>
  scf.for %i = %z to %n step %one : i32 {
    %l = nv_tileas.local_load %m : !nv_tileas.buffer<32x8xi32, #shared> -> tensor<32x8xi32, #columns>
    nv_tileas.local_store %s, %m : tensor<32x8xi32, #rows>, !nv_tileas.buffer<32x8xi32, #shared>
    scf.continue
  }
  nv_tileas.return
}

// A warp may still wait for the phase of the last iteration, which must not be two ahead before the warp has seen it.
// CHECK-LABEL: nv_tileas.func @seen
// CHECK: scf.for
// CHECK-NEXT: nv_tileas.mbarrier_expect
// CHECK-NEXT: nv_tileas.barrier
// CHECK-NEXT: nv_tileas.bulk_load
// CHECK-NEXT: nv_tileas.mbarrier_wait
#linear = #nv_tileas.shared<"{shape = [256], offset = [[1], [2], [4], [8], [16], [32], [64], [128]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
nv_tileas.func @seen(%n: i32, %p: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  %m = nv_tileas.alloc_shared align 128 : !nv_tileas.buffer<256xi32, #linear>
  %bar = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.mbarrier_init %bar, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.barrier
  %end = scf.for %i = %z to %n step %o iter_args(%phase = %z) -> (i32) : i32 {
    nv_tileas.mbarrier_expect %bar, 1024 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
    %t = nv_tileas.bulk_load %m, %p, %bar : !nv_tileas.buffer<256xi32, #linear>, !nv_tileas.ptr<i32>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one> -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bar, %phase : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>, i32
    %next = arith.xori %phase, %o : i32
    scf.continue %next : i32
  }
  nv_tileas.return
}
