// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%a: i32, %b: i32) {
  %s = nvvm.mul.wide %a, %b
  %u = nvvm.mul.wide unsigned %a, %b
  nvvm.return
}
