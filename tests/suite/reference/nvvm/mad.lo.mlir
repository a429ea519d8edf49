// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%a: i32, %w: i64, %p: !nvvm.ptr<1>) {
  %i = nvvm.mad.lo %a, %a, %a : i32, i32, i32
  %q = nvvm.mad.lo %w, %w, %p : i64, i64, !nvvm.ptr<1>
  nvvm.return
}
