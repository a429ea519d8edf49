// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

nvvm.func @example(%s: !nvvm.ptr<3>, %done: !nvvm.ptr<3>, %a: i64, %b: i64, %descriptor: i32, %parity: i32, %x: f32) {
  %add = arith.constant 1 : i1
  // By a warp as a whole; the others read the address behind the barrier.
  // CHECK: nvvm.tcgen05.alloc %s, 32
  nvvm.tcgen05.alloc %s, 32 : !nvvm.ptr<3>
  // CHECK: nvvm.tcgen05.fence.before_thread_sync
  nvvm.tcgen05.fence.before_thread_sync
  nvvm.barrier
  // CHECK: nvvm.tcgen05.fence.after_thread_sync
  nvvm.tcgen05.fence.after_thread_sync
  %t = nvvm.ld %s : !nvvm.ptr<3> -> i32
  // CHECK: nvvm.tcgen05.st %t + 2, %x, %x
  nvvm.tcgen05.st %t + 2, %x, %x : i32, f32, f32
  // By one thread.
  // CHECK: nvvm.tcgen05.mma "f16" %t, %a, %b, %descriptor if %add : i64
  nvvm.tcgen05.mma "f16" %t, %a, %b, %descriptor if %add : i64
  // CHECK: nvvm.tcgen05.commit %done
  nvvm.tcgen05.commit %done : !nvvm.ptr<3>
  nvvm.mbarrier.wait.parity %done, %parity : !nvvm.ptr<3>, i32
  // CHECK: %r:4 = nvvm.tcgen05.ld %t
  %r:4 = nvvm.tcgen05.ld %t : i32 -> f32, f32, f32, f32
  // CHECK: nvvm.tcgen05.ld %t + 2 : i32 -> i32
  %two = nvvm.tcgen05.ld %t + 2 : i32 -> i32
  // CHECK: nvvm.tcgen05.st %t, %x : i32, f32
  nvvm.tcgen05.st %t, %x : i32, f32
  // Half of the lanes: the upper threads have columns further on.
  // CHECK: %half:2 = nvvm.tcgen05.ld %t split 2 : i32 -> f32, f32
  %half:2 = nvvm.tcgen05.ld %t split 2 : i32 -> f32, f32
  // CHECK: nvvm.tcgen05.st %t + 4 split 2, %half#0, %half#1 : i32, f32, f32
  nvvm.tcgen05.st %t + 4 split 2, %half#0, %half#1 : i32, f32, f32
  nvvm.tcgen05.dealloc %t, 32 : i32
  nvvm.return
}

// By the CTAs of a pair; a commit tells those of the mask.
nvvm.func @two_ctas(%s: !nvvm.ptr<3>, %done: !nvvm.ptr<3>, %a: i64, %b: i64, %descriptor: i32, %t: i32, %both: i16) {
  %add = arith.constant 1 : i1
  // CHECK: nvvm.tcgen05.alloc %s, 32 {two_ctas}
  nvvm.tcgen05.alloc %s, 32 {two_ctas} : !nvvm.ptr<3>
  // CHECK: nvvm.tcgen05.mma "f16" %t, %a, %b, %descriptor if %add {two_ctas} : i64
  nvvm.tcgen05.mma "f16" %t, %a, %b, %descriptor if %add {two_ctas} : i64
  // CHECK: nvvm.tcgen05.commit %done to %both {two_ctas}
  nvvm.tcgen05.commit %done to %both {two_ctas} : !nvvm.ptr<3>
  // CHECK: nvvm.tcgen05.dealloc %t, 32 {two_ctas}
  nvvm.tcgen05.dealloc %t, 32 {two_ctas} : i32
  nvvm.return
}
