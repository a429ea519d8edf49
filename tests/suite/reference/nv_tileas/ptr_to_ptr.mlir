// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%p: !nv_tileas.ptr<f32>) {
  %q = nv_tileas.ptr_to_ptr %p : !nv_tileas.ptr<f32> -> !nv_tileas.ptr<i8>
  nv_tileas.return
}
