// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%p: !nvvm.ptr<1>, %s: !nvvm.ptr<3>) {
  nvvm.cp.async %s, %p {size = 4 : i32} : !nvvm.ptr<3>, !nvvm.ptr<1>
  nvvm.cp.async.commit.group
  // All groups have ended; the barrier lets the other threads see them.
  nvvm.cp.async.wait.group 0
  nvvm.barrier
  nvvm.return
}
