// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%a: i64, %b: i64, %x: f32) {
  nvvm.wgmma.fence
  %d:4 = nvvm.wgmma.mma_async from %a by %b {shape = "m64n8k16", a_type = "f16", b_type = "f16", d_type = "f32"} -> f32, f32, f32, f32
  nvvm.wgmma.commit_group
  // The square is computed during the MMA, and not after the wait.
  %y = arith.mulf %x, %x : f32
  nvvm.sched_barrier %y : f32
  %r:4 = nvvm.wgmma.wait_group 0 for %d#0, %d#1, %d#2, %d#3 : f32, f32, f32, f32
  nvvm.return
}
