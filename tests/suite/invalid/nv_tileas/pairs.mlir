// RUN: tile-opt %s --split-input-file --verify-diagnostics

#a = #nv_tileas.shared<"{shape = [128, 16], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#b = #nv_tileas.shared<"{shape = [16, 16], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]}">
#mma = #nv_tileas.mma<tcgen05.mma.pair, m256n32k16, warps = [4, 1]>
nv_tileas.func @one_cta() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c = arith.constant dense<0.0> : tensor<128x32xf32>
  %x = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<128x16xf16, #a>
  %y = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<16x16xf16, #b>
  // expected-error@+1 {{'nv_tileas.dot_async' op 'two_ctas' needs a tile block that several CTAs share, but it has one}}
  %d = nv_tileas.dot_async %x, %y, %c {two_ctas, mma = #mma} : !nv_tileas.buffer<128x16xf16, #a>, !nv_tileas.buffer<16x16xf16, #b> -> tensor<128x32xf32>
  nv_tileas.return
}

// -----

#a = #nv_tileas.shared<"{shape = [128, 16], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#b = #nv_tileas.shared<"{shape = [16, 16], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]}">
#mma = #nv_tileas.mma<tcgen05.mma.pair, m256n16k16, warps = [4, 1]>
nv_tileas.func @columns() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>} {
  %c = arith.constant dense<0.0> : tensor<128x16xf32>
  %x = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<128x16xf16, #a>
  %y = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<16x16xf16, #b>
  // expected-error@+1 {{'nv_tileas.dot_async' op shapes [128 16] x [16 16] do not give [128 16]}}
  %d = nv_tileas.dot_async %x, %y, %c {two_ctas, mma = #mma} : !nv_tileas.buffer<128x16xf16, #a>, !nv_tileas.buffer<16x16xf16, #b> -> tensor<128x16xf32>
  nv_tileas.return
}

// -----

nv_tileas.func @dot() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>} {
  %a = arith.constant dense<0.0> : tensor<128x16xf16>
  %b = arith.constant dense<0.0> : tensor<16x32xf16>
  %c = arith.constant dense<0.0> : tensor<128x32xf32>
  // expected-error@+1 {{'nv_tileas.dot' op shapes [128 16] x [16 32] do not give [128 32]}}
  %d = nv_tileas.dot %a, %b, %c {two_ctas} : tensor<128x16xf16>, tensor<16x32xf16> -> tensor<128x32xf32>
  nv_tileas.return
}

// -----

#a = #nv_tileas.shared<"{shape = [128, 16], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#b = #nv_tileas.shared<"{shape = [16, 16], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]}">
#bar = #nv_tileas.shared<"{shape = [1], offset = []}">
#cells = #nv_tileas.shared<"{shape = [128, 32], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]}">
#mma = #nv_tileas.mma<tcgen05.mma.pair, m256n32k16, warps = [4, 1]>
nv_tileas.func @ready() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>} {
  %x = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<128x16xf16, #a>
  %y = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<16x16xf16, #b>
  %done = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>
  %sum = nv_tileas.alloc_tmem : !nv_tileas.buffer<128x32xf32, #cells, space = tmem>
  %no = arith.constant false
  // expected-error@+1 {{'nv_tileas.tmem_dot' op has an mbarrier for the other CTA, and its phase, if and only if it is of 'two_ctas'}}
  nv_tileas.tmem_dot %x, %y, %sum if %no, %done {two_ctas, mma = #mma} : !nv_tileas.buffer<128x16xf16, #a>, !nv_tileas.buffer<16x16xf16, #b>, !nv_tileas.buffer<128x32xf32, #cells, space = tmem>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>
  nv_tileas.return
}
