// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example() {
  %p = nv_tileaa.alloca 256 {alignment = 16 : i64} : !nv_tileaa.ptr<f32>
  nv_tileaa.return
}
