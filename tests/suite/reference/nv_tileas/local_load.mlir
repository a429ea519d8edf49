// RUN: tile-opt %s --verify-roundtrip

#rows = #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">
#columns = #nv_tileas.layout<"{shape = [32, 4], register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">
#half = #nv_tileas.layout<"{shape = [16, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 0]], warp = [], block = []}">
#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">

nv_tileas.func @example(%x: f32, %i: i32) {
  %a = nv_tileas.splat %x : f32 -> tensor<32x4xf32, #rows>
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<32x4xf32, #shared>
  nv_tileas.local_store %a, %m : tensor<32x4xf32, #rows>, !nv_tileas.buffer<32x4xf32, #shared>
  nv_tileas.barrier
  %b = nv_tileas.local_load %m : !nv_tileas.buffer<32x4xf32, #shared> -> tensor<32x4xf32, #columns>
  %c = nv_tileas.local_load %m from [16, 0] : !nv_tileas.buffer<32x4xf32, #shared> -> tensor<16x4xf32, #half>
  %d = nv_tileas.local_load %m from [0, 0] + %i along 0 : !nv_tileas.buffer<32x4xf32, #shared> -> tensor<16x4xf32, #half>
  nv_tileas.return
}
