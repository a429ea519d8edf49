// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%x: i64) {
  %p = nv_tileas.int_to_ptr %x : i64 -> !nv_tileas.ptr<f32>
  nv_tileas.return
}
