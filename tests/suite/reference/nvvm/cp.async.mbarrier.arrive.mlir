// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%p: !nvvm.ptr<1>, %s: !nvvm.ptr<3>, %b: !nvvm.ptr<3>, %parity: i32) {
  nvvm.cp.async %s, %p {size = 4 : i32} : !nvvm.ptr<3>, !nvvm.ptr<1>
  nvvm.cp.async.mbarrier.arrive %b : !nvvm.ptr<3>
  nvvm.mbarrier.wait.parity %b, %parity : !nvvm.ptr<3>, i32
  nvvm.return
}
