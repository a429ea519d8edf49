// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example() {
  nvvm.setmaxnreg 40
  nvvm.setmaxnreg more 232
  nvvm.return
}
