// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%w: i32) {
  %x, %y = nvvm.unpack %w : i32 -> f16, f16
  nvvm.return
}
