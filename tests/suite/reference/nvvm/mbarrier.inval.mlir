// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%b: !nvvm.ptr<3>, %first: i1) {
  nvvm.mbarrier.init %b, 1 if %first : !nvvm.ptr<3>
  nvvm.barrier
  nvvm.mbarrier.inval %b if %first : !nvvm.ptr<3>
  nvvm.return
}
