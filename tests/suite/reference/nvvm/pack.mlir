// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%x: f16, %y: f16, %b: i8, %i: i32) {
  %w = nvvm.pack %x, %y : f16, f16 -> i32
  %v = nvvm.pack %b, %b, %b, %b : i8, i8, i8, i8 -> i32
  %u = nvvm.pack %i, %i : i32, i32 -> i64
  nvvm.return
}
