// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%s: !nvvm.ptr<3>, %p: !nvvm.ptr<1>, %first: i1) {
  nvvm.fence.proxy.async.global
  nvvm.barrier
  nvvm.cp.async.bulk.store %p, %s if %first {size = 512 : i32} : !nvvm.ptr<1>, !nvvm.ptr<3>
  nvvm.cp.async.bulk.commit.group
  nvvm.cp.async.bulk.wait.group 0
  nvvm.return
}
