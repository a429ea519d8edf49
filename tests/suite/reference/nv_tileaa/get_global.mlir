// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.global @table = dense<[1, 2, 3, 4]> : tensor<4xi32>

nv_tileaa.func @example() {
  %p = nv_tileaa.get_global "table" : !nv_tileaa.ptr<i32>
  nv_tileaa.return
}
