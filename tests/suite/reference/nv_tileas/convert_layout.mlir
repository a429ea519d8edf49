// RUN: tile-opt %s --verify-roundtrip

#rows = #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">
#columns = #nv_tileas.layout<"{shape = [32, 4], register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">

nv_tileas.func @example(%x: f32) {
  // Each lane holds one row of four elements, then four elements of a column.
  %a = nv_tileas.splat %x : f32 -> tensor<32x4xf32, #rows>
  %b = nv_tileas.convert_layout %a : tensor<32x4xf32, #rows> -> tensor<32x4xf32, #columns>
  nv_tileas.return
}
