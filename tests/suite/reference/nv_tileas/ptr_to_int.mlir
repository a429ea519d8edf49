// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%p: !nv_tileas.ptr<f32>) {
  %x = nv_tileas.ptr_to_int %p : !nv_tileas.ptr<f32> -> i64
  nv_tileas.return
}
