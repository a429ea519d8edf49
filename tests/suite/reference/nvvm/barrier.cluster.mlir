// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%s: !nvvm.ptr<3>, %first: i1) {
  nvvm.mbarrier.init %s, 2 if %first : !nvvm.ptr<3>
  nvvm.fence.mbarrier.init
  // Behind it the mbarriers of all CTAs are there.
  nvvm.barrier.cluster
  nvvm.return
}
