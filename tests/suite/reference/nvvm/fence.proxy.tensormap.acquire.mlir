// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%map: !nvvm.ptr<1>) {
  // Behind a barrier with the warp that has made the map.
  nvvm.barrier
  nvvm.fence.proxy.tensormap.acquire %map : !nvvm.ptr<1>
  nvvm.return
}
