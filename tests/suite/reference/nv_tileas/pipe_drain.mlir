// RUN: tile-opt %s --verify-roundtrip

#shared = #nv_tileas.shared<"{shape = [128, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#b = #nv_tileas.shared<"{shape = [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]}">
#accumulator = #nv_tileas.shared<"{shape = [128, 64], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]}">
#layout = #nv_tileas.layout<"{shape = [128, 64], register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}">
!a = !nv_tileas.buffer<128x64xf16, #shared>
!b = !nv_tileas.buffer<64x64xf16, #b>
!c = !nv_tileas.buffer<128x64xf32, #accumulator, space = tmem>
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>
!pipe = !nv_tileas.pipe<mma -> threads, !c>

nv_tileas.func @example(%a: !nv_tileas.ptr<f16>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 5>} {
  %x = nv_tileas.alloc_shared align 1024 : !a
  %y = nv_tileas.alloc_shared align 1024 : !b
  %bar = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bar, 1 : !bar
  %c = nv_tileas.alloc_tmem : !c
  %pipe = nv_tileas.pipe_create %c : !c -> !pipe
  nv_tileas.warp_specialize {
    role "compute" warps(4) {
      %done = nv_tileas.pipe_wait %pipe : !pipe
      %sum = nv_tileas.tmem_load %done : !c -> tensor<128x64xf32, #layout>
    }
    role "mma" warps(1) {
      %add = arith.constant false
      %to:2 = nv_tileas.pipe_acquire %pipe : !pipe
      nv_tileas.tmem_dot %x, %y, %to#0 if %add, %bar {mma = #nv_tileas.mma<tcgen05.mma, m128n64k16, warps = [4, 1]>} : !a, !b, !c, !bar
      nv_tileas.mma_commit %to#1 : !bar
      nv_tileas.pipe_commit %pipe : !pipe
      // The role must not end before its MMAs.
      nv_tileas.pipe_drain %pipe : !pipe
    }
  }
  nv_tileas.return
}
