// RUN: tile-opt %s --verify-roundtrip

#a = #nv_tileas.shared<"{shape = [128, 16], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#b = #nv_tileas.shared<"{shape = [16, 16], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]}">
#bar = #nv_tileas.shared<"{shape = [1], offset = []}">
#cells = #nv_tileas.shared<"{shape = [128, 16], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1], [0, 2], [0, 4], [0, 8]]}">
#four = #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">
#mma = #nv_tileas.mma<tcgen05.mma, m128n16k16, warps = [4, 1]>

nv_tileas.func @example() {
  %start = arith.constant dense<1.0> : tensor<128x16xf32>
  %a = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<128x16xf16, #a>
  %b = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<16x16xf16, #b>
  %add = arith.constant 1 : i1
  %parity = arith.constant 0 : i32
  %place = nv_tileas.alloc_shared : !nv_tileas.buffer<4xi32, #four>
  nv_tileas.reserve_tmem 32, %place : !nv_tileas.buffer<4xi32, #four>
  %sum = nv_tileas.alloc_tmem at 0 : !nv_tileas.buffer<128x16xf32, #cells, space = tmem>
  %done = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>
  nv_tileas.mbarrier_init %done, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>
  nv_tileas.tmem_store %start, %sum : tensor<128x16xf32>, !nv_tileas.buffer<128x16xf32, #cells, space = tmem>
  // One thread starts the MMA, of what all have stored.
  nv_tileas.barrier
  nv_tileas.tmem_dot %a, %b, %sum if %add, %done {mma = #mma} : !nv_tileas.buffer<128x16xf16, #a>, !nv_tileas.buffer<16x16xf16, #b>, !nv_tileas.buffer<128x16xf32, #cells, space = tmem>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>
  // All threads wait, so no barrier is needed behind it.
  nv_tileas.mma_wait 0 for %done, %parity : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>, i32
  %all = nv_tileas.tmem_load %sum : !nv_tileas.buffer<128x16xf32, #cells, space = tmem> -> tensor<128x16xf32>
  nv_tileas.release_tmem 32
  nv_tileas.return
}
