// RUN: tile-opt %s --tileas-specialize-warps --gpu-name=sm_100 | FileCheck %s --check-prefix=PIPES
// RUN: tile-opt %s --tileas-specialize-warps --tileas-lower-pipes --tileas-promote-to-tmem --tileas-allocate-tmem --gpu-name=sm_100 | FileCheck %s --check-prefix=WARP
// RUN: tile-opt %s --tileas-specialize-warps=no-mma-warp=true --tileas-lower-pipes --gpu-name=sm_100 | FileCheck %s
// RUN: tile-opt %s --tileas-specialize-warps=no-mma-warp=true --tileas-lower-pipes --tileas-promote-to-tmem --tileas-allocate-tmem --gpu-name=sm_100 | FileCheck %s --check-prefix=TENSOR

// The MMA warp of the even CTA issues for both: pipes of two CTAs, and an if around what it does.
// PIPES: %[[AB:.*]] = nv_tileas.pipe_create {{.*}} -> !nv_tileas.pipe<two_ctas tma -> mma,
// PIPES: %[[SUM:.*]] = nv_tileas.pipe_create {{.*}} -> !nv_tileas.pipe<two_ctas mma -> threads,
// PIPES: role "load"
// PIPES: nv_tileas.tma_load {{.*}} {two_ctas}
// PIPES: nv_tileas.pipe_drain %[[AB]]
// PIPES: role "product"
// PIPES: %[[RANK:.*]] = nv_tileas.get_cta_rank
// PIPES: %[[ODD:.*]] = arith.andi %[[RANK]],
// PIPES: %[[EVEN:.*]] = arith.cmpi eq, %[[ODD]],
// PIPES: scf.if %[[EVEN]] {
// PIPES: nv_tileas.pipe_wait %[[AB]]
// PIPES: nv_tileas.tmem_dot {{.*}}two_ctas
// PIPES: nv_tileas.mma_commit {{.*}} {two_ctas}

// The even CTA counts the bytes of both. The producer waits for its own stages, at last once more for each. CTAs meet before the roles and after them.
// WARP: nv_tileas.reserve_tmem 64, %{{.*}} {two_ctas}
// WARP: %[[FULL:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<4 x [1x!nv_tileas.mbarrier]
// WARP: %[[FREE:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<4 x [1x!nv_tileas.mbarrier]
// WARP: nv_tileas.cluster_barrier
// WARP: role "load"
// WARP: %[[F:.*]] = nv_tileas.buffer_stage %[[FREE]]
// WARP-NEXT: nv_tileas.mbarrier_wait %[[F]],
// WARP: nv_tileas.mbarrier_expect %{{.*}}, 40960 {two_ctas}
// WARP: nv_tileas.tma_load {{.*}} {two_ctas}
// WARP: scf.continue
// WARP-COUNT-4: nv_tileas.mbarrier_wait
// WARP: role "product"
// WARP: nv_tileas.tmem_dot
// WARP-SAME: {two_ctas,
// WARP: nv_tileas.mma_commit {{.*}} {two_ctas}
// WARP: nv_tileas.mma_wait 0
// WARP: nv_tileas.cluster_barrier
// WARP-NOT: nv_tileas.cluster_barrier
// WARP: nv_tileas.release_tmem 64 {two_ctas}

// Without an MMA warp, an MMA is in flight when its iteration ends, and its stage is freed an iteration later.
// CHECK: nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<4 x [128x64xf16]
// CHECK: role "compute"
// CHECK: nv_tileas.dot_async {{.*}}two_ctas
// CHECK: nv_tileas.dot_wait {pending = 1 : i32}
// CHECK: nv_tileas.mbarrier_arrive
// CHECK: role "load"
// CHECK: nv_tileas.buffer_stage %{{.*}}[%{{.*}} + 3] : !nv_tileas.buffer<4 x [128x64xf16]

// Two rings of mbarriers: one for products that are done, and one at which the odd CTA says that it is ready. The CTAs come together in front of all and behind.
// TENSOR: nv_tileas.reserve_tmem 64, %{{.*}} {two_ctas}
// TENSOR: %[[DONE:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier]
// TENSOR: %[[READY:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier]
// TENSOR: nv_tileas.cluster_barrier
// TENSOR: %[[N:.*]] = arith.andi %[[COUNT:[a-z0-9_]+]], %{{.*}} : i32
// TENSOR: %[[R:.*]] = nv_tileas.buffer_stage %[[READY]][%[[N]]]
// TENSOR: %[[PHASE:.*]] = arith.andi
// TENSOR: nv_tileas.tmem_dot %{{.*}} ready %[[R]], %[[PHASE]] {two_ctas, mma = #nv_tileas.mma<tcgen05.mma.pair, m256n64k16, warps = [4, 1]>}
// TENSOR: nv_tileas.mma_wait 1 for
// TENSOR: nv_tileas.cluster_barrier
// TENSOR: nv_tileas.release_tmem 64 {two_ctas}
// TENSOR: nv_tileas.return
#layout = #nv_tileas.layout<"{shape = [128, 64], register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}">
#shared = #nv_tileas.shared<"{shape = [1], register = [], lane = [], warp = [], block = []}">
#shared1 = #nv_tileas.shared<"{shape = [128, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#shared2 = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}">
#shared3 = #nv_tileas.shared<"{shape = [128, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0], [64, 0], [0, 32]]}">
nv_tileas.func @k(%a0: !nv_tileas.ptr<f16>, %b0: !nv_tileas.ptr<f16>, %c0: !nv_tileas.ptr<f32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>} {
  %0 = arith.constant 256 : i64
  %1 = arith.constant 64 : i64
  %2 = arith.constant 1 : i64
  %3 = nv_tileas.tensor_map %b0 sizes[%0, %1] strides[%1, %2] : !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>
  %4 = arith.constant 512 : i64
  %5 = arith.constant 256 : i64
  %6 = arith.constant 1 : i64
  %7 = nv_tileas.tensor_map %a0 sizes[%4, %5] strides[%5, %6] : !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<128x64xf16, order = [1, 0], swizzle = 128>
  %8 = arith.constant 512 : i64
  %9 = arith.constant 64 : i64
  %10 = arith.constant 1 : i64
  %11 = nv_tileas.tensor_map %c0 sizes[%8, %9] strides[%9, %10] : !nv_tileas.ptr<f32> -> !nv_tileas.tma_map<128x32xf32, order = [1, 0], swizzle = 128>
  %12 = nv_tileas.get_cta_rank : i32
  %13 = arith.constant 1 : i32
  %14 = arith.andi %12, %13 : i32
  %15 = arith.extui %14 : i32 to i64
  %16 = arith.constant 32 : i64
  %17 = arith.muli %15, %16 : i64
  %18 = nv_tileas.get_cta_rank : i32
  %19 = arith.constant 0 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %20 = arith.constant 512 : i64
  %21 = arith.constant 256 : i64
  %22 = arith.constant 1 : i64
  %23 = arith.constant 64 : i64
  %24 = arith.constant 0 : i64
  %x, %y, %z = nv_tileas.get_program_id : i32, i32, i32
  %25 = arith.extsi %x : i32 to i64
  %26 = arith.muli %25, %21 : i64
  %27 = arith.constant dense<0.000000e+00> : tensor<128x64xf32> as tensor<128x64xf32, #layout>
  %28 = arith.extsi %18 : i32 to i64
  %29 = arith.constant 128 : i64
  %30 = arith.muli %28, %29 : i64
  %31 = arith.addi %26, %30 : i64
  %32 = arith.addi %24, %17 : i64
  %33 = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
  nv_tileas.mbarrier_init %33, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
  %34 = arith.constant 0 : i32
  %35 = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
  nv_tileas.mbarrier_init %35, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
  %36 = arith.constant 0 : i32
  %37:3 = scf.for %arg0 = %zero to %n step %one iter_args(%arg1 = %27, %arg2 = %34, %arg3 = %36) -> (tensor<128x64xf32, #layout>, i32, i32) : i32 {
    %48 = arith.extsi %arg0 : i32 to i64
    %49 = arith.muli %48, %23 : i64
    %50 = arith.constant 1 : i32
    %51 = arith.xori %arg2, %50 : i32
    %52 = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<128x64xf16, #shared1>
    nv_tileas.mbarrier_expect %33, 16384 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
    %53 = nv_tileas.tma_load %52, %7[%31, %49], %33 : !nv_tileas.buffer<128x64xf16, #shared1>, !nv_tileas.tma_map<128x64xf16, order = [1, 0], swizzle = 128>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared> -> !nv_tileas.mem_token
    %54 = arith.constant 1 : i32
    %55 = arith.xori %arg3, %54 : i32
    %56 = nv_tileas.alloc_shared align 512 : !nv_tileas.buffer<64x32xf16, #shared2>
    nv_tileas.mbarrier_expect %35, 4096 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
    %57 = nv_tileas.tma_load %56, %3[%49, %32], %35 : !nv_tileas.buffer<64x32xf16, #shared2>, !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared> -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %33, %arg2 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>, i32
    nv_tileas.mbarrier_wait %35, %arg3 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>, i32
    nv_tileas.fence_async
    %58 = nv_tileas.dot_async %52, %56, %arg1 {two_ctas, mma = #nv_tileas.mma<tcgen05.mma.pair, m256n64k16, warps = [4, 1]>} : !nv_tileas.buffer<128x64xf16, #shared1>, !nv_tileas.buffer<64x32xf16, #shared2> -> tensor<128x64xf32, #layout>
    nv_tileas.dot_wait {pending = 0 : i32}
    scf.continue %58, %51, %55 : tensor<128x64xf32, #layout>, i32, i32
  }
  %38 = nv_tileas.dot_wait %37#0 {pending = 0 : i32} : tensor<128x64xf32, #layout>
  %39 = arith.extsi %x : i32 to i64
  %40 = arith.muli %39, %21 : i64
  %41 = arith.extsi %18 : i32 to i64
  %42 = arith.constant 128 : i64
  %43 = arith.muli %41, %42 : i64
  %44 = arith.addi %40, %43 : i64
  %45 = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<128x64xf32, #shared3>
  nv_tileas.local_store %38, %45 : tensor<128x64xf32, #layout>, !nv_tileas.buffer<128x64xf32, #shared3>
  nv_tileas.fence_async
  %46 = nv_tileas.tma_store %45, %11[%44, %24] : !nv_tileas.buffer<128x64xf32, #shared3>, !nv_tileas.tma_map<128x32xf32, order = [1, 0], swizzle = 128> -> !nv_tileas.mem_token
  %47 = nv_tileas.bulk_commit : !nv_tileas.group
  nv_tileas.bulk_wait read 0 for %47 : !nv_tileas.group
  nv_tileas.return
}

