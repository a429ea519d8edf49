// RUN: tile-opt %s --verify-roundtrip

#layout = #nv_tileas.layout<"{shape = [8, 64], register = [[0, 1], [0, 2], [0, 4], [4, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [], block = []}">
#shared = #nv_tileas.shared<"{shape = [8, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]}">

nv_tileas.func @example(%p: !nv_tileas.ptr<f16>, %rows: i64, %columns: i64, %pitch: i64) {
  %half = arith.constant 0.5 : f16
  %x = nv_tileas.splat %half : f16 -> tensor<8x64xf16, #layout>
  %unit = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %map = nv_tileas.tensor_map %p sizes[%rows, %columns] strides[%pitch, %unit] : !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>
  %m = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<8x64xf16, #shared>
  nv_tileas.local_store %x, %m : tensor<8x64xf16, #layout>, !nv_tileas.buffer<8x64xf16, #shared>
  nv_tileas.fence_async
  nv_tileas.barrier
  // Rows and columns of the tile that the matrix does not have are not changed.
  %t = nv_tileas.tma_reduce addf %m, %map[%zero, %zero] : !nv_tileas.buffer<8x64xf16, #shared>, !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128> -> !nv_tileas.mem_token
  %g = nv_tileas.bulk_commit : !nv_tileas.group
  nv_tileas.bulk_wait 0 for %g : !nv_tileas.group
  nv_tileas.return
}
