// RUN: tile-opt %s --verify-roundtrip

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
#flat = #nv_tileas.shared<"{shape = [512], offset = [[1], [2], [4], [8], [16], [32], [64], [128], [256]]}">

nv_tileas.func @example() {
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<2 x [32x4xf32], #shared>
  %s = nv_tileas.buffer_reinterpret %m : !nv_tileas.buffer<2 x [32x4xf32], #shared> -> !nv_tileas.buffer<512xf16, #flat>
  nv_tileas.return
}
