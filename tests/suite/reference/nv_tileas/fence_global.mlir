// RUN: tile-opt %s --verify-roundtrip

#layout = #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">
#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">

nv_tileas.func @example(%p: !nv_tileas.ptr<f32>) {
  %x = arith.constant dense<1.000000e+00> : tensor<32x4xf32> as tensor<32x4xf32, #layout>
  %zero = arith.constant 0 : i64
  %four = arith.constant 4 : i64
  %rows = arith.constant 32 : i64
  %unit = arith.constant 1 : i64
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<32x4xf32, #shared>
  %bar = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.mbarrier_init %bar, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  %stored = nv_tileas.tiled_store %x, %p[%zero, %zero] sizes [%rows, %four] strides [%four, %unit] {bounds = array<i1: true, true>} : tensor<32x4xf32, #layout>, !nv_tileas.ptr<f32>
  // What all threads have stored, a barrier behind it, and a fence of the thread that starts the copy.
  nv_tileas.barrier
  %fenced = nv_tileas.fence_global %stored : !nv_tileas.mem_token -> !nv_tileas.mem_token
  nv_tileas.mbarrier_expect %bar, 512 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  %t = nv_tileas.bulk_load %m, %p, %bar token(%fenced : !nv_tileas.mem_token) : !nv_tileas.buffer<32x4xf32, #shared>, !nv_tileas.ptr<f32>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one> -> !nv_tileas.mem_token
  nv_tileas.return
}
