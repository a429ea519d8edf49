// RUN: tile-opt %s --split-input-file --tileas-lower-pipes | FileCheck %s

// A stage has an mbarrier for each side, and a role its index and parity. The role that fills begins with the parity
// before the first phase, so that all stages are free.
// CHECK-LABEL: nv_tileas.func @around
// CHECK: %[[DATA:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<3 x [32x4xf32]
// CHECK: %[[FULL:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<3 x [1x!nv_tileas.mbarrier]
// CHECK-COUNT-3: nv_tileas.mbarrier_init %{{.*}}, 1 :
// CHECK: %[[EMPTY:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<3 x [1x!nv_tileas.mbarrier]
// CHECK-COUNT-3: nv_tileas.mbarrier_init %{{.*}}, 1 :
// CHECK: role "fill"
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: scf.for {{.*}} iter_args(%[[AT:.*]] = %[[ZERO]], %[[PHASE:.*]] = %[[ONE]])
// CHECK: %[[E:.*]] = nv_tileas.buffer_stage %[[EMPTY]][%[[AT]]]
// CHECK-NEXT: nv_tileas.mbarrier_wait %[[E]], %[[PHASE]]
// CHECK-NEXT: %[[TO:.*]] = nv_tileas.buffer_stage %[[DATA]][%[[AT]]]
// CHECK-NEXT: nv_tileas.local_store %{{.*}}, %[[TO]]
// CHECK-NEXT: %[[F:.*]] = nv_tileas.buffer_stage %[[FULL]][%[[AT]]]
// CHECK-NEXT: nv_tileas.mbarrier_arrive %[[F]], 1
// CHECK: %[[LAST:.*]] = arith.cmpi eq, %[[AT]], %
// CHECK: %[[NEXT:.*]] = arith.select %[[LAST]]
// CHECK: %[[FLIP:.*]] = arith.xori %[[PHASE]]
// CHECK: scf.continue %[[NEXT]], %[[FLIP]]
// CHECK: role "read"
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-NEXT: %[[FIRST:.*]] = arith.constant 0 : i32
// CHECK: scf.for {{.*}} iter_args(%[[AT:.*]] = %[[ZERO]], %[[PHASE:.*]] = %[[FIRST]])
// CHECK: nv_tileas.mbarrier_wait %{{.*}}, %[[PHASE]]
// CHECK-NEXT: nv_tileas.local_load
// CHECK: nv_tileas.mbarrier_arrive
#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
#layout = #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">
!two = !nv_tileas.buffer<3 x [32x4xf32], #shared>
!one = !nv_tileas.buffer<32x4xf32, #shared>
!p = !nv_tileas.pipe<threads -> threads, !two>
nv_tileas.func @around(%n: i32, %out: !nv_tileas.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %z = arith.constant 0 : i32
  %s = arith.constant 1 : i32
  %data = nv_tileas.alloc_shared : !two
  %p = nv_tileas.pipe_create %data : !two -> !p
  nv_tileas.warp_specialize {
    role "fill" warps(1) {
      %ones = arith.constant dense<1.0> : tensor<32x4xf32> as tensor<32x4xf32, #layout>
      scf.for %i = %z to %n step %s : i32 {
        %x = nv_tileas.pipe_acquire %p : !p
        nv_tileas.local_store %ones, %x : tensor<32x4xf32, #layout>, !one
        nv_tileas.pipe_commit %p : !p
        scf.continue
      }
    }
    role "read" warps(1) {
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %c4 = arith.constant 4 : i64
      %c32 = arith.constant 32 : i64
      scf.for %i = %z to %n step %s : i32 {
        %x = nv_tileas.pipe_wait %p : !p
        %y = nv_tileas.local_load %x : !one -> tensor<32x4xf32, #layout>
        nv_tileas.pipe_release %p : !p
        %t = nv_tileas.tiled_store %y, %out[%c0, %c0] sizes [%c32, %c4] strides [%c4, %c1] {bounds = array<i1: false, false>} : tensor<32x4xf32, #layout>, !nv_tileas.ptr<f32>
        scf.continue
      }
    }
  }
  nv_tileas.return
}

// -----

// Two pipes that advance together share a position. An if carries it past both of its branches, and so does the loop
// that an inner if leaves early.
// CHECK-LABEL: nv_tileas.func @together
// CHECK: role "fill"
// CHECK: scf.for {{.*}} iter_args(%[[AT:.*]] = %{{.*}}, %[[PHASE:.*]] = %{{.*}}) -> (i32, i32)
// CHECK: %[[AFTER:.*]]:2 = scf.if %{{.*}} -> (i32, i32)
// CHECK-COUNT-2: nv_tileas.mbarrier_wait
// CHECK-COUNT-2: nv_tileas.mbarrier_arrive
// CHECK: scf.yield %{{.*}}, %{{.*}} : i32, i32
// CHECK: } else {
// CHECK: scf.yield %[[AT]], %[[PHASE]] : i32, i32
// CHECK: scf.if %{{.*}} {
// CHECK-NEXT: scf.continue %[[AFTER]]#0, %[[AFTER]]#1 : i32, i32
// CHECK: scf.continue %[[AFTER]]#0, %[[AFTER]]#1 : i32, i32
// CHECK: role "read"
#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
#layout = #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">
!two = !nv_tileas.buffer<2 x [32x4xf32], #shared>
!one = !nv_tileas.buffer<32x4xf32, #shared>
!p = !nv_tileas.pipe<threads -> threads, !two>
nv_tileas.func @together(%n: i32, %yes: i1, %early: i1) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %z = arith.constant 0 : i32
  %s = arith.constant 1 : i32
  %a = nv_tileas.alloc_shared : !two
  %b = nv_tileas.alloc_shared : !two
  %p = nv_tileas.pipe_create %a : !two -> !p
  %q = nv_tileas.pipe_create %b : !two -> !p
  nv_tileas.warp_specialize {
    role "fill" warps(1) {
      %ones = arith.constant dense<1.0> : tensor<32x4xf32> as tensor<32x4xf32, #layout>
      scf.for %i = %z to %n step %s : i32 {
        scf.if %yes {
          %x = nv_tileas.pipe_acquire %p : !p
          %y = nv_tileas.pipe_acquire %q : !p
          nv_tileas.local_store %ones, %x : tensor<32x4xf32, #layout>, !one
          nv_tileas.local_store %ones, %y : tensor<32x4xf32, #layout>, !one
          nv_tileas.pipe_commit %p : !p
          nv_tileas.pipe_commit %q : !p
          scf.yield
        }
        scf.if %early {
          scf.continue
        }
        scf.continue
      }
    }
    role "read" warps(1) {
      scf.for %i = %z to %n step %s : i32 {
        %x = nv_tileas.pipe_wait %p : !p
        nv_tileas.pipe_release %p : !p
        %y = nv_tileas.pipe_wait %q : !p
        nv_tileas.pipe_release %q : !p
        scf.continue
      }
    }
  }
  nv_tileas.return
}

// -----

// A release that lags: the role that fills waits for an arrival ahead of its stage. Two stages in one iteration are two
// steps.
// CHECK-LABEL: nv_tileas.func @lags
// CHECK: role "fill"
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: scf.for {{.*}} iter_args(%[[AT:.*]] = %[[ONE]],
// CHECK: %[[E:.*]] = nv_tileas.buffer_stage %{{.*}}[%[[AT]]]
// CHECK-NEXT: nv_tileas.mbarrier_wait %[[E]]
// CHECK: nv_tileas.buffer_stage %{{.*}}[%[[AT]] + 3]
// CHECK: %[[THEN:.*]] = arith.select
// CHECK: nv_tileas.buffer_stage %{{.*}}[%[[THEN]]]
// CHECK: %[[END:.*]] = arith.select
// CHECK: scf.continue %[[END]],
#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
#layout = #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">
!two = !nv_tileas.buffer<4 x [32x4xf32], #shared>
!one = !nv_tileas.buffer<32x4xf32, #shared>
!p = !nv_tileas.pipe<threads -> threads, !two>
nv_tileas.func @lags(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %z = arith.constant 0 : i32
  %s = arith.constant 1 : i32
  %a = nv_tileas.alloc_shared : !two
  %p = nv_tileas.pipe_create %a : !two -> !p
  nv_tileas.warp_specialize {
    role "fill" warps(1) {
      %ones = arith.constant dense<1.0> : tensor<32x4xf32> as tensor<32x4xf32, #layout>
      scf.for %i = %z to %n step %s : i32 {
        %x = nv_tileas.pipe_acquire %p : !p
        nv_tileas.local_store %ones, %x : tensor<32x4xf32, #layout>, !one
        nv_tileas.pipe_commit %p : !p
        %y = nv_tileas.pipe_acquire %p : !p
        nv_tileas.pipe_commit %p : !p
        scf.continue
      }
    }
    role "read" warps(1) {
      scf.for %i = %z to %n step %s : i32 {
        nv_tileas.pipe_release %p lag 1 : !p
        %x = nv_tileas.pipe_wait %p : !p
        %y = nv_tileas.pipe_wait %p : !p
        nv_tileas.pipe_release %p lag 1 : !p
        scf.continue
      }
    }
  }
  nv_tileas.return
}

// -----

// Without pipes there is nothing to do.
// CHECK-LABEL: nv_tileas.func @unchanged_without_pipes
// CHECK-NEXT: nv_tileas.return
nv_tileas.func @unchanged_without_pipes() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  nv_tileas.return
}

// -----

// The role that drains waits for the phase of the last stage. If nothing has filled it, that is the phase before the
// first, which is over.
// CHECK-LABEL: nv_tileas.func @filled_in_an_if
// CHECK: role "mma"
// CHECK: %[[BEFORE:.*]] = arith.constant 1 : i32
// CHECK: %[[PHASE:.*]] = scf.if %{{.*}} -> (i32)
// CHECK: nv_tileas.mma_commit %[[FULL:.*]] :
// CHECK: %[[FLIP:.*]] = arith.xori %[[BEFORE]]
// CHECK: scf.yield %[[FLIP]] : i32
// CHECK: scf.yield %[[BEFORE]] : i32
// CHECK: nv_tileas.mma_wait 0 for %[[FULL]], %[[PHASE]]
#shared = #nv_tileas.shared<"{shape = [128, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#b = #nv_tileas.shared<"{shape = [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]}">
#accumulator = #nv_tileas.shared<"{shape = [128, 64], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]}">
!a = !nv_tileas.buffer<128x64xf16, #shared>
!b = !nv_tileas.buffer<64x64xf16, #b>
!c = !nv_tileas.buffer<128x64xf32, #accumulator, space = tmem>
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>
!pipe = !nv_tileas.pipe<mma -> threads, !c>

nv_tileas.func @filled_in_an_if(%yes: i1) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 5>} {
  %x = nv_tileas.alloc_shared align 1024 : !a
  %y = nv_tileas.alloc_shared align 1024 : !b
  %bar = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bar, 1 : !bar
  %c = nv_tileas.alloc_tmem : !c
  %pipe = nv_tileas.pipe_create %c : !c -> !pipe
  nv_tileas.warp_specialize {
    role "compute" warps(4) {
      scf.if %yes {
        %done = nv_tileas.pipe_wait %pipe : !pipe
        scf.yield
      }
    }
    role "mma" warps(1) {
      %add = arith.constant false
      scf.if %yes {
        %to:2 = nv_tileas.pipe_acquire %pipe : !pipe
        nv_tileas.tmem_dot %x, %y, %to#0 if %add, %bar {mma = #nv_tileas.mma<tcgen05.mma, m128n64k16, warps = [4, 1]>} : !a, !b, !c, !bar
        nv_tileas.mma_commit %to#1 : !bar
        nv_tileas.pipe_commit %pipe : !pipe
        scf.yield
      }
      nv_tileas.pipe_drain %pipe : !pipe
    }
  }
  nv_tileas.return
}
