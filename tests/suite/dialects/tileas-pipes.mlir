// RUN: tile-opt %s --verify-roundtrip | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
#accumulator = #nv_tileas.shared<"{shape = [128, 64], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]}">
#layout = #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">

// One pipe between threads, and one that TMA fills, of which a release lags by an iteration.
// CHECK-LABEL: nv_tileas.func @pipes
// CHECK: %[[P:.*]] = nv_tileas.pipe_create %[[B:.*]] : !nv_tileas.buffer<2 x [32x4xf32], #shared> -> !nv_tileas.pipe<threads -> threads, !nv_tileas.buffer<2 x [32x4xf32], #shared>>
// CHECK: %[[Q:.*]] = nv_tileas.pipe_create %{{.*}}, %{{.*}} : {{.*}} -> !nv_tileas.pipe<tma -> threads, !nv_tileas.buffer<2 x [32x4xf32], #shared>, !nv_tileas.buffer<2 x [32x4xf32], #shared>>
// CHECK: nv_tileas.pipe_acquire %[[P]] : !nv_tileas.pipe<threads -> threads,
// CHECK: nv_tileas.pipe_commit %[[P]]
// CHECK: %{{.*}}:3 = nv_tileas.pipe_acquire %[[Q]] : !nv_tileas.pipe<tma -> threads,
// CHECK: nv_tileas.pipe_commit %[[Q]]
// CHECK: nv_tileas.pipe_drain %[[Q]] landed : !nv_tileas.pipe<tma -> threads,
// CHECK: nv_tileas.pipe_wait %[[P]]
// CHECK: nv_tileas.pipe_release %[[P]] :
// CHECK: nv_tileas.pipe_release %[[Q]] lag 1 :
// CHECK: %{{.*}}:2 = nv_tileas.pipe_wait %[[Q]]
// CHECK-LABEL: nv_tileas.func @drained
// CHECK: %[[P:.*]] = nv_tileas.pipe_create %{{.*}} : {{.*}} -> !nv_tileas.pipe<mma -> threads,
// CHECK: nv_tileas.pipe_drain %[[P]] :
// CHECK-LABEL: nv_tileas.func @handed_back
// CHECK: %[[P:.*]] = nv_tileas.pipe_create %{{.*}} : {{.*}} -> !nv_tileas.pipe<threads <-> mma, !nv_tileas.buffer<128x64xf32,
// CHECK: nv_tileas.pipe_drain %[[P]] :
!two = !nv_tileas.buffer<2 x [32x4xf32], #shared>
!p = !nv_tileas.pipe<threads -> threads, !two>
!q = !nv_tileas.pipe<tma -> threads, !two, !two>
nv_tileas.func @pipes() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %a = nv_tileas.alloc_shared : !two
  %b = nv_tileas.alloc_shared : !two
  %c = nv_tileas.alloc_shared : !two
  %p = nv_tileas.pipe_create %a : !two -> !p
  %q = nv_tileas.pipe_create %b, %c : !two, !two -> !q
  nv_tileas.warp_specialize {
    role "fill" warps(1) {
      %x = nv_tileas.pipe_acquire %p : !p
      nv_tileas.pipe_commit %p : !p
      %y:3 = nv_tileas.pipe_acquire %q : !q
      nv_tileas.pipe_commit %q : !q
      nv_tileas.pipe_drain %q landed : !q
    }
    role "read" warps(1) {
      %x = nv_tileas.pipe_wait %p : !p
      nv_tileas.pipe_release %p : !p
      nv_tileas.pipe_release %q lag 1 : !q
      %y:2 = nv_tileas.pipe_wait %q : !q
    }
  }
  nv_tileas.return
}

// A pipe of accumulators.
!c = !nv_tileas.buffer<128x64xf32, #accumulator, space = tmem>
!r = !nv_tileas.pipe<mma -> threads, !c>
nv_tileas.func @drained() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 5>} {
  %c = nv_tileas.alloc_tmem : !c
  %r = nv_tileas.pipe_create %c : !c -> !r
  nv_tileas.warp_specialize {
    role "compute" warps(4) {
      %x = nv_tileas.pipe_wait %r : !r
    }
    role "mma" warps(1) {
      %x:2 = nv_tileas.pipe_acquire %r : !r
      nv_tileas.mma_commit %x#1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>
      nv_tileas.pipe_commit %r : !r
      nv_tileas.pipe_drain %r : !r
    }
  }
  nv_tileas.return
}

// A stage that comes back: threads acquire it again, with what the MMAs have left there.
!b = !nv_tileas.pipe<threads <-> mma, !c>
nv_tileas.func @handed_back() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 5>} {
  %c = nv_tileas.alloc_tmem : !c
  %b = nv_tileas.pipe_create %c : !c -> !b
  nv_tileas.warp_specialize {
    role "compute" warps(4) {
      %x = nv_tileas.pipe_acquire %b : !b
      %y = nv_tileas.pipe_acquire %b : !b
      nv_tileas.pipe_commit %b : !b
      %z = nv_tileas.pipe_acquire %b : !b
    }
    role "mma" warps(1) {
      %x:2 = nv_tileas.pipe_wait %b : !b
      nv_tileas.mma_commit %x#1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>
      nv_tileas.pipe_release %b : !b
      nv_tileas.pipe_drain %b : !b
    }
  }
  nv_tileas.return
}

// A pipe of two CTAs: producers of both fill it, and the MMA warp of one reads it.
!s = !nv_tileas.pipe<two_ctas tma -> mma, !two>
// CHECK-LABEL: @shared
nv_tileas.func @shared() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2, num_ctas = 2>} {
  %a = nv_tileas.alloc_shared : !two
  // CHECK: nv_tileas.pipe_create {{.*}} -> !nv_tileas.pipe<two_ctas tma -> mma, !nv_tileas.buffer<2 x
  %s = nv_tileas.pipe_create %a : !two -> !s
  nv_tileas.warp_specialize {
    role "load" warps(1) {
      %x:2 = nv_tileas.pipe_acquire %s : !s
      nv_tileas.pipe_commit %s : !s
      // CHECK: nv_tileas.pipe_drain {{.*}} : !nv_tileas.pipe<two_ctas tma -> mma,
      nv_tileas.pipe_drain %s : !s
    }
    role "mma" warps(1) {
      %x:2 = nv_tileas.pipe_wait %s : !s
      nv_tileas.mma_commit %x#1 {two_ctas} : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>
      nv_tileas.pipe_release %s : !s
    }
  }
  nv_tileas.return
}
