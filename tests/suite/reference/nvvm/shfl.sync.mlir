// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%x: f32) {
  // The value of the lane whose number differs in bit 0.
  %one = arith.constant 1 : i32
  %other = nvvm.shfl.sync bfly %x, %one : f32
  nvvm.return
}
