// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%s: !nvvm.ptr<3>, %b: !nvvm.ptr<3>, %p: !nvvm.ptr<1>, %first: i1, %parity: i32) {
  nvvm.mbarrier.init %b, 1 if %first : !nvvm.ptr<3>
  nvvm.fence.mbarrier.init
  nvvm.barrier
  nvvm.mbarrier.arrive %b expect 512 if %first : !nvvm.ptr<3>
  nvvm.cp.async.bulk.load %s, %p, %b if %first {size = 512 : i32} : !nvvm.ptr<3>, !nvvm.ptr<1>, !nvvm.ptr<3>
  nvvm.mbarrier.wait.parity %b, %parity : !nvvm.ptr<3>, i32
  nvvm.return
}
