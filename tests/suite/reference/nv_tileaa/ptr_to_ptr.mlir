// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%p: !nv_tileaa.ptr<f32>) {
  %q = nv_tileaa.ptr_to_ptr %p : !nv_tileaa.ptr<f32> -> !nv_tileaa.ptr<i8>
  nv_tileaa.return
}
