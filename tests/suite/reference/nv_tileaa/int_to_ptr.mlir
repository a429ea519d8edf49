// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%x: i64) {
  %p = nv_tileaa.int_to_ptr %x : i64 -> !nv_tileaa.ptr<f32>
  nv_tileaa.return
}
