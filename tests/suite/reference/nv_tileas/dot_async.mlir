// RUN: tile-opt %s --verify-roundtrip

#a = #nv_tileas.shared<"{shape = [64, 16], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [16, 8], offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]}">
#mma = #nv_tileas.mma<wgmma, m64n8k16, warps = [4, 1]>

nv_tileas.func @example() {
  %a = arith.constant dense<1.0> : tensor<64x16xf16>
  %c = arith.constant dense<0.0> : tensor<64x8xf32>
  %b = arith.constant dense<2.0> : tensor<16x8xf16>
  %x = nv_tileas.alloc_shared : !nv_tileas.buffer<64x16xf16, #a>
  %y = nv_tileas.alloc_shared : !nv_tileas.buffer<16x8xf16, #b>
  nv_tileas.local_store %a, %x : tensor<64x16xf16>, !nv_tileas.buffer<64x16xf16, #a>
  nv_tileas.local_store %b, %y : tensor<16x8xf16>, !nv_tileas.buffer<16x8xf16, #b>
  // What was stored to the buffers: a fence of each thread, then a barrier.
  nv_tileas.fence_async
  nv_tileas.barrier
  %d = nv_tileas.dot_async %x, %y, %c {mma = #mma} : !nv_tileas.buffer<64x16xf16, #a>, !nv_tileas.buffer<16x8xf16, #b> -> tensor<64x8xf32>
  // The sum of one MMA is in flight when the next one, with A in registers, is started.
  %e = nv_tileas.dot_async %a, %y, %d {mma = #mma} : tensor<64x16xf16>, !nv_tileas.buffer<16x8xf16, #b> -> tensor<64x8xf32>
  %r = nv_tileas.dot_wait %e {pending = 0 : i32} : tensor<64x8xf32>
  nv_tileas.return
}
