// RUN: tile-opt %s --verify-roundtrip

#rows = #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">
#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">

nv_tileas.func @example(%x: f32) {
  %a = nv_tileas.splat %x : f32 -> tensor<32x4xf32, #rows>
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<32x4xf32, #shared>
  nv_tileas.local_store %a, %m : tensor<32x4xf32, #rows>, !nv_tileas.buffer<32x4xf32, #shared>
  // From here on each thread sees what the others have stored.
  nv_tileas.barrier
  nv_tileas.return
}
