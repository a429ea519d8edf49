// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%p: !nvvm.ptr<1>, %a: f32, %b: f32, %c: i1) {
  nvvm.red %p, %a, %b {scope = "gpu"} : !nvvm.ptr<1>, f32, f32
  nvvm.red %p + 16, %a, %b, %b, %a if %c {ordering = "release", scope = "sys"} : !nvvm.ptr<1>, f32, f32, f32, f32
  nvvm.return
}
