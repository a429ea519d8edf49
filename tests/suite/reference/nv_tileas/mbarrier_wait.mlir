// RUN: tile-opt %s --verify-roundtrip

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">

nv_tileas.func @example(%p: !nv_tileas.ptr<f32>) {
  %zero = arith.constant 0 : i32
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<32x4xf32, #shared>
  %b = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.mbarrier_init %b, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.barrier
  nv_tileas.mbarrier_expect %b, 512 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  %t = nv_tileas.bulk_load %m, %p, %b : !nv_tileas.buffer<32x4xf32, #shared>, !nv_tileas.ptr<f32>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one> -> !nv_tileas.mem_token
  // The 512 bytes have come, for every thread.
  nv_tileas.mbarrier_wait %b, %zero : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>, i32
  nv_tileas.return
}
