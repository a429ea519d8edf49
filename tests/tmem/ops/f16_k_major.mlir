// RUN: tile-run --grid=2 --arg=f32[8192]=0 --arg=f16[8192]=-2..2 --arg=f16[4096]=-3..3 --entry=k --out=0=%t.npy \
// RUN:   %S/Inputs/f16_k_major.mlir
// RUN: run-tileas --gpu-name=sm_100 --orders=1 --grid=2 --arg=f32[8192]=0 --arg=f16[8192]=-2..2 \
// RUN:   --arg=f16[4096]=-3..3 --check=0=%t.npy %s

// A tile of 128x64 times one of 64x64, f16, into TMEM. One MMA is waited for. The result is the product, as the
// kernel of Inputs computes it.

!a = tensor<128x64xf16, #nv_tileas.layout<"{shape = [128, 64], register = [[0, 1], [0, 2], [8, 0], [16, 0], [32, 0], [64, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]], block = []}">>
!b = tensor<64x64xf16, #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [0, 2], [8, 0], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]], block = []}">>
!shared_a = !nv_tileas.buffer<128x64xf16, #nv_tileas.shared<"{shape = [128, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]}">>
!shared_b = !nv_tileas.buffer<64x64xf16, #nv_tileas.shared<"{shape = [64, 64], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [8, 1], [16, 2], [32, 4], [0, 8], [0, 16], [0, 32]]}">>
!accumulator = !nv_tileas.buffer<128x64xf32, #nv_tileas.shared<"{shape = [128, 64], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]}">, space = tensor>
!mbarriers = !nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier], #nv_tileas.shared<"{shape = [1], offset = []}">>
!mbarrier = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>
!slot = !nv_tileas.buffer<4xi32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
!result = tensor<128x64xf32, #nv_tileas.layout<"{shape = [128, 64], register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}">>

nv_tileas.func @k(%q: !nv_tileas.ptr<f32>, %pa: !nv_tileas.ptr<f16>, %pb: !nv_tileas.ptr<f16>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %true = arith.constant 1 : i1
  %false = arith.constant 0 : i1
  %zero = arith.constant 0 : i64
  %unit = arith.constant 1 : i64
  %m = arith.constant 128 : i64
  %n = arith.constant 64 : i64
  %k = arith.constant 64 : i64
  %slot = nv_tileas.alloc_shared : !slot
  nv_tileas.reserve_tmem 64, %slot : !slot
  %acc = nv_tileas.alloc_tmem at 0 : !accumulator
  %bars = nv_tileas.alloc_shared : !mbarriers
  %bar = nv_tileas.buffer_stage %bars[%c0] : !mbarriers, i32
  %two = nv_tileas.buffer_stage %bars[%c1] : !mbarriers, i32
  nv_tileas.mbarrier_init %bar, 1 : !mbarrier
  nv_tileas.mbarrier_init %two, 1 : !mbarrier
  %a, %ta = nv_tileas.tiled_load %pa[%zero, %zero] sizes [%m, %k] strides [%k, %unit] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> !a
  %b, %tb = nv_tileas.tiled_load %pb[%zero, %zero] sizes [%k, %n] strides [%n, %unit] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> !b
  %sa = nv_tileas.alloc_shared align 1024 : !shared_a
  %sb = nv_tileas.alloc_shared align 1024 : !shared_b
  nv_tileas.local_store %a, %sa : !a, !shared_a
  nv_tileas.local_store %b, %sb : !b, !shared_b
  nv_tileas.fence_async
  nv_tileas.barrier
  nv_tileas.tmem_dot %sa, %sb, %acc if %false, %bar {mma = #nv_tileas.mma<tcgen05.mma, m128n64k16, warps = [4, 1]>} : !shared_a, !shared_b, !accumulator, !mbarrier
  nv_tileas.mma_wait 0 for %bar, %c0 : !mbarrier, i32
  %r = nv_tileas.tmem_load %acc : !accumulator -> !result
  %done = nv_tileas.tiled_store %r, %q[%zero, %zero] sizes [%m, %n] strides [%n, %unit] {bounds = array<i1: true, true>} : !result, !nv_tileas.ptr<f32>
  nv_tileas.release_tmem 64
  nv_tileas.return
}
