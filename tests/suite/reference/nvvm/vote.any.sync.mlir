// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%b: !nvvm.ptr<3>) {
  %elected = nvvm.elect.sync
  %any = nvvm.vote.any.sync %elected
  // Once for each warp.
  nvvm.mbarrier.arrive %b if %elected : !nvvm.ptr<3>
  nvvm.return
}
