// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%a: i32, %b: i32, %c: f32) {
  %d, %d1, %d2, %d3 = nvvm.mma.sync [%a, %a, %a, %a], [%b, %b], [%c, %c, %c, %c] {shape = "m16n8k16", a_type = "f16", b_type = "f16", d_type = "f32"} : i32, i32, f32
  nvvm.return
}
