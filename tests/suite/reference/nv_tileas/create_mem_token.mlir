// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example() {
  %t = nv_tileas.create_mem_token : !nv_tileas.mem_token
  nv_tileas.return
}
