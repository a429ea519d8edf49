// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%s: !nvvm.ptr<3>, %cta: i32, %speaks: i1, %parity: i32) {
  // Each of some lanes arrives at the mbarrier of another CTA, where it has read a stage.
  nvvm.mbarrier.arrive.remote %s of %cta if %speaks : !nvvm.ptr<3>, i32
  // Who waits there sees what this thread wrote.
  nvvm.mbarrier.arrive.remote %s of %cta if %speaks cluster : !nvvm.ptr<3>, i32
  nvvm.mbarrier.wait.parity %s, %parity cluster : !nvvm.ptr<3>, i32
  nvvm.return
}
