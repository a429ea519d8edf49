// RUN: tile-opt %s --verify-roundtrip

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
#half = #nv_tileas.shared<"{shape = [16, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0]]}">

nv_tileas.func @example() {
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<32x4xf32, #shared>
  %s = nv_tileas.buffer_slice %m [16, 0] : !nv_tileas.buffer<32x4xf32, #shared> -> !nv_tileas.buffer<16x4xf32, #half>
  nv_tileas.return
}
