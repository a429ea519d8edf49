// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example() {
  nvvm.bar.warp.sync
  nvvm.return
}
