// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example() {
  %p = nv_tileas.alloca 256 {alignment = 16 : i64} : !nv_tileas.ptr<f32>
  nv_tileas.return
}
