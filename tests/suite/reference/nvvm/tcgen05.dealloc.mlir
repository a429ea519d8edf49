// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%s: !nvvm.ptr<3>, %done: !nvvm.ptr<3>, %a: i64, %b: i64, %descriptor: i32, %parity: i32, %x: f32) {
  %add = arith.constant 1 : i1
  // By a warp as a whole; the others read the address behind the barrier.
  nvvm.tcgen05.alloc %s, 32 : !nvvm.ptr<3>
  nvvm.tcgen05.fence.before_thread_sync
  nvvm.barrier
  nvvm.tcgen05.fence.after_thread_sync
  %t = nvvm.ld %s : !nvvm.ptr<3> -> i32
  nvvm.tcgen05.st %t + 2, %x, %x : i32, f32, f32
  // By one thread.
  nvvm.tcgen05.mma "f16" %t, %a, %b, %descriptor if %add : i64
  nvvm.tcgen05.commit %done : !nvvm.ptr<3>
  nvvm.mbarrier.wait.parity %done, %parity : !nvvm.ptr<3>, i32
  %r:4 = nvvm.tcgen05.ld %t : i32 -> f32, f32, f32, f32
  nvvm.tcgen05.dealloc %t, 32 : i32
  nvvm.return
}
