// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%w: i32) {
  %low, %high = nvvm.cvt.f16x2 e4m3 %w : i32 -> i32, i32
  nvvm.return
}
