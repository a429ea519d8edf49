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
  %z = arith.constant 0 : i32
  // expected-error@+1 {{'nv_tileas.tmem_dot' op has an mbarrier for the other CTA with its phase, and only if it is of 'two_ctas'}}
  nv_tileas.tmem_dot %x, %y, %sum if %no, %done ready %done, %z {mma = #mma} : !nv_tileas.buffer<128x16xf16, #a>, !nv_tileas.buffer<16x16xf16, #b>, !nv_tileas.buffer<128x32xf32, #cells, space = tmem>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar> ready !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>, i32
  nv_tileas.return
}

// -----

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
// expected-error@+1 {{two CTAs share what their MMAs fill or read, and nothing else}}
!p = !nv_tileas.pipe<two_ctas tma -> threads, !nv_tileas.buffer<2 x [32x4xf32], #shared>>

// -----

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
// expected-error@+1 {{threads of two CTAs hand nothing to MMAs}}
!p = !nv_tileas.pipe<two_ctas threads -> mma, !nv_tileas.buffer<2 x [32x4xf32], #shared>>

// -----

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
!two = !nv_tileas.buffer<2 x [32x4xf32], #shared>
nv_tileas.func @alone() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %a = nv_tileas.alloc_shared : !two
  // expected-error@+1 {{'nv_tileas.pipe_create' op 'two_ctas' needs a tile block that several CTAs share, but it has one}}
  %p = nv_tileas.pipe_create %a : !two -> !nv_tileas.pipe<two_ctas tma -> mma, !two>
  nv_tileas.return
}

// -----

#bar = #nv_tileas.shared<"{shape = [1], offset = []}">
nv_tileas.func @one_cta() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %b = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>
  // expected-error@+1 {{'nv_tileas.mbarrier_expect' op 'two_ctas' needs a tile block that several CTAs share, but it has one}}
  nv_tileas.mbarrier_expect %b, 128 {two_ctas} : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>
  nv_tileas.return
}

// -----

#bar = #nv_tileas.shared<"{shape = [1], offset = []}">
nv_tileas.func @signals() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2, num_ctas = 2>} {
  %b = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>
  // expected-error@+1 {{'nv_tileas.mma_commit' op signals the CTAs of a pair, or all of the cluster}}
  nv_tileas.mma_commit %b {two_ctas, cluster} : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>
  nv_tileas.return
}
