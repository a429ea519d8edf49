// RUN: tile-opt %s --verify-roundtrip

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">

nv_tileas.func @example(%i: i32) {
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<3 x [32x4xf32], #shared>
  %s = nv_tileas.buffer_stage %m[%i] : !nv_tileas.buffer<3 x [32x4xf32], #shared>, i32
  nv_tileas.return
}
