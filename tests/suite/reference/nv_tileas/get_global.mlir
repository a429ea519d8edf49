// RUN: tile-opt %s --verify-roundtrip

nv_tileas.global @table = dense<[1, 2, 3, 4]> : tensor<4xi32>

nv_tileas.func @example() {
  %p = nv_tileas.get_global "table" : !nv_tileas.ptr<i32>
  nv_tileas.return
}
