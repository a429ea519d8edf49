// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%p: !nv_tileaa.ptr<f32>) {
  %x = nv_tileaa.ptr_to_int %p : !nv_tileaa.ptr<f32> -> i64
  nv_tileaa.return
}
