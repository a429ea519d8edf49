// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// Factors of products are bytes, each of two f4E2M1FN along the depth.
#bar = #nv_tileas.shared<"{shape = [1], offset = []}">
#ab = #nv_tileas.shared<"{shape = [128, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#bb = #nv_tileas.shared<"{shape = [32, 32], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]}">
#cells = #nv_tileas.shared<"{shape = [128, 32], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]}">
#rows = #nv_tileas.shared<"{shape = [128, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#cols = #nv_tileas.shared<"{shape = [4, 32], offset = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]}">
#mma = #nv_tileas.mma<tcgen05.mma.scaled, m128n32k64, warps = [4, 1]>

nv_tileaa.func @tiles() {
  %a = arith.constant dense<1> : tensor<128x32xi8>
  %b = arith.constant dense<1> : tensor<32x32xi8>
  %c = arith.constant dense<1.0> : tensor<128x32xf32>
  %s = arith.constant dense<1.0> : tensor<128x4xf8E4M3FN>
  %t = arith.constant dense<1.0> : tensor<4x32xf8E4M3FN>
  // CHECK: nv_tileaa.dot_scaled %a, %b, %c, %s, %t {pairs}
  %d = nv_tileaa.dot_scaled %a, %b, %c, %s, %t {pairs} : tensor<128x32xi8>, tensor<32x32xi8>, tensor<128x4xf8E4M3FN>, tensor<4x32xf8E4M3FN> -> tensor<128x32xf32>
  nv_tileaa.return
}
nv_tileas.func @beside() {
  %a = arith.constant dense<1> : tensor<128x32xi8>
  %b = arith.constant dense<1> : tensor<32x32xi8>
  %c = arith.constant dense<1.0> : tensor<128x32xf32>
  %s = arith.constant dense<1.0> : tensor<128x4xf8E4M3FN>
  %t = arith.constant dense<1.0> : tensor<4x32xf8E4M3FN>
  // CHECK: nv_tileas.dot_scaled %a, %b, %c, %s, %t {pairs}
  %d = nv_tileas.dot_scaled %a, %b, %c, %s, %t {pairs} : tensor<128x32xi8>, tensor<32x32xi8>, tensor<128x4xf8E4M3FN>, tensor<4x32xf8E4M3FN> -> tensor<128x32xf32>
  %x = nv_tileas.alloc_shared : !nv_tileas.buffer<128x32xi8, #ab>
  %y = nv_tileas.alloc_shared : !nv_tileas.buffer<32x32xi8, #bb>
  // CHECK: nv_tileas.dot_async %x, %y, %c scaled %s, %t {pairs, mma =
  %e = nv_tileas.dot_async %x, %y, %c scaled %s, %t {pairs, mma = #mma} : !nv_tileas.buffer<128x32xi8, #ab>, !nv_tileas.buffer<32x32xi8, #bb>, tensor<128x4xf8E4M3FN>, tensor<4x32xf8E4M3FN> -> tensor<128x32xf32>
  %add = arith.constant 0 : i1
  %done = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>
  %sum = nv_tileas.alloc_tmem : !nv_tileas.buffer<128x32xf32, #cells, space = tmem>
  %sa = nv_tileas.alloc_tmem : !nv_tileas.buffer<128x4xf8E4M3FN, #rows, space = tmem>
  %sb = nv_tileas.alloc_tmem : !nv_tileas.buffer<4x32xf8E4M3FN, #cols, space = tmem>
  // CHECK: nv_tileas.tmem_dot %x, %y, %sum if %add, %done scaled %sa, %sb {pairs, mma =
  nv_tileas.tmem_dot %x, %y, %sum if %add, %done scaled %sa, %sb {pairs, mma = #mma} : !nv_tileas.buffer<128x32xi8, #ab>, !nv_tileas.buffer<32x32xi8, #bb>, !nv_tileas.buffer<128x32xf32, #cells, space = tmem>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>, !nv_tileas.buffer<128x4xf8E4M3FN, #rows, space = tmem>, !nv_tileas.buffer<4x32xf8E4M3FN, #cols, space = tmem>
  nv_tileas.return
}
