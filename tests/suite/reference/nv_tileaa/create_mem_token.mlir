// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example() {
  %t = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
  nv_tileaa.return
}
