// RUN: tile-opt %s --verify-roundtrip

#a = #nv_tileas.shared<"{shape = [128, 16], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#b = #nv_tileas.shared<"{shape = [16, 16], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]}">
#bar = #nv_tileas.shared<"{shape = [1], offset = []}">
#four = #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">
#cells = #nv_tileas.shared<"{shape = [128, 32], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]}">
#mma = #nv_tileas.mma<tcgen05.mma.pair, m256n32k16, warps = [4, 1]>
#one = #nv_tileas.mma<tcgen05.mma, m128n16k16, warps = [4, 1]>
#half = #nv_tileas.shared<"{shape = [128, 16], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1], [0, 2], [0, 4], [0, 8]]}">
#spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>
module {
  nv_tileaa.func @above() attributes {nv_tileaa.kernel_spec = #spec} {
    %a = arith.constant dense<1.0> : tensor<128x16xf16>
    %b = arith.constant dense<1.0> : tensor<16x16xf16>
    %c = arith.constant dense<0.0> : tensor<128x32xf32>
    %d = nv_tileaa.dot %a, %b, %c {two_ctas} : tensor<128x16xf16>, tensor<16x16xf16> -> tensor<128x32xf32>
    nv_tileaa.return
  }
  nv_tileas.func @pair() attributes {nv_tileaa.kernel_spec = #spec} {
    %x = arith.constant dense<1.0> : tensor<128x16xf16>
    %y = arith.constant dense<1.0> : tensor<16x16xf16>
    %c = arith.constant dense<0.0> : tensor<128x32xf32>
    %d = nv_tileas.dot %x, %y, %c {two_ctas, mma = #mma} : tensor<128x16xf16>, tensor<16x16xf16> -> tensor<128x32xf32>
    %a = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<128x16xf16, #a>
    %b = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<16x16xf16, #b>
    %e = nv_tileas.dot_async %a, %b, %c {two_ctas, mma = #mma} : !nv_tileas.buffer<128x16xf16, #a>, !nv_tileas.buffer<16x16xf16, #b> -> tensor<128x32xf32>
    %place = nv_tileas.alloc_shared : !nv_tileas.buffer<4xi32, #four>
    nv_tileas.reserve_tmem 32, %place {two_ctas} : !nv_tileas.buffer<4xi32, #four>
    %sum = nv_tileas.alloc_tmem at 0 : !nv_tileas.buffer<128x32xf32, #cells, space = tmem>
    %done = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>
    %ready = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>
    nv_tileas.mbarrier_init %done, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>
    nv_tileas.mbarrier_init %ready, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>
    nv_tileas.cluster_barrier
    %add = arith.constant false
    %phase = arith.constant 0 : i32
    nv_tileas.tmem_dot %a, %b, %sum if %add, %done ready %ready, %phase {two_ctas, mma = #mma} : !nv_tileas.buffer<128x16xf16, #a>, !nv_tileas.buffer<16x16xf16, #b>, !nv_tileas.buffer<128x32xf32, #cells, space = tmem>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar> ready !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>, i32
    nv_tileas.mma_wait 0 for %done, %phase : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>, i32
    nv_tileas.cluster_barrier
    nv_tileas.release_tmem 32 {two_ctas}
    nv_tileas.return
  }
  // The MMA warp of a CTA signals all CTAs of the cluster, or that of the even CTA issues for two.
  nv_tileas.func @warp(%add: i1) attributes {nv_tileaa.kernel_spec = #spec} {
    %a = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<128x16xf16, #a>
    %b = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<16x16xf16, #b>
    %sum = nv_tileas.alloc_tmem : !nv_tileas.buffer<128x16xf32, #half, space = tmem>
    %both = nv_tileas.alloc_tmem : !nv_tileas.buffer<128x32xf32, #cells, space = tmem>
    %done = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>
    nv_tileas.tmem_dot %a, %b, %sum if %add, %done {cluster, mma = #one} : !nv_tileas.buffer<128x16xf16, #a>, !nv_tileas.buffer<16x16xf16, #b>, !nv_tileas.buffer<128x16xf32, #half, space = tmem>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>
    nv_tileas.tmem_dot %a, %b, %both if %add, %done {two_ctas, mma = #mma} : !nv_tileas.buffer<128x16xf16, #a>, !nv_tileas.buffer<16x16xf16, #b>, !nv_tileas.buffer<128x32xf32, #cells, space = tmem>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>
    nv_tileas.return
  }
}
