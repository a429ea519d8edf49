// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example() {
  nvvm.fence.proxy.alias
  nvvm.return
}
