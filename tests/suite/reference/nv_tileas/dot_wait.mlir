// RUN: tile-opt %s --verify-roundtrip

#b = #nv_tileas.shared<"{shape = [16, 8], offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]}">
#mma = #nv_tileas.mma<wgmma, m64n8k16, warps = [4, 1]>

nv_tileas.func @example() {
  %a = arith.constant dense<1.0> : tensor<64x16xf16>
  %c = arith.constant dense<0.0> : tensor<64x8xf32>
  %x = nv_tileas.alloc_shared : !nv_tileas.buffer<16x8xf16, #b>
  %y = nv_tileas.alloc_shared : !nv_tileas.buffer<16x8xf16, #b>
  %d = nv_tileas.dot_async %a, %x, %c {mma = #mma} : tensor<64x16xf16>, !nv_tileas.buffer<16x8xf16, #b> -> tensor<64x8xf32>
  %e = nv_tileas.dot_async %a, %y, %d {mma = #mma} : tensor<64x16xf16>, !nv_tileas.buffer<16x8xf16, #b> -> tensor<64x8xf32>
  // Behind this %x may be written, but not yet %y.
  nv_tileas.dot_wait {pending = 1 : i32}
  %r = nv_tileas.dot_wait %e {pending = 0 : i32} : tensor<64x8xf32>
  nv_tileas.return
}
