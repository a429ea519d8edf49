// RUN: tile-opt %s --verify-roundtrip

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">

nv_tileas.func @example(%p: !nv_tileas.ptr<f32>) {
  %before = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<32x4xf32, #shared>
  // What was stored to the buffer: a fence of each thread, then a barrier.
  nv_tileas.fence_async
  nv_tileas.barrier
  %t = nv_tileas.bulk_store %m, %p token(%before : !nv_tileas.mem_token) : !nv_tileas.buffer<32x4xf32, #shared>, !nv_tileas.ptr<f32> -> !nv_tileas.mem_token
  %g = nv_tileas.bulk_commit : !nv_tileas.group
  nv_tileas.bulk_wait 0 for %g : !nv_tileas.group
  nv_tileas.return
}
