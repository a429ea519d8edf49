// RUN: tile-opt %s --tileas-specialize-warps --tileas-lower-pipes --tileas-multicast-copies --gpu-name=sm_100 | FileCheck %s

// Two CTAs have the same operand B, and MMA warps of their own. An MMA tells both CTAs that it has read its stage. The producer waits for that of both, at last once more for each stage.
// CHECK: nv_tileas.mbarrier_init %{{.*}}, 1 :
// CHECK: nv_tileas.mbarrier_init %{{.*}}, 2 :
// CHECK: nv_tileas.cluster_barrier
// CHECK: nv_tileas.warp_specialize
// CHECK: role "load"
// CHECK: nv_tileas.mbarrier_wait %{{.*}}, %{{[a-z0-9_]*}} cluster :
// CHECK: nv_tileas.tma_load {{.*}} {multicast} :
// CHECK: scf.continue
// CHECK: nv_tileas.mbarrier_wait %{{.*}}, %{{[a-z0-9_]*}} cluster :
// CHECK: role "product"
// CHECK: nv_tileas.tmem_dot
// CHECK-SAME: {cluster, mma =
// CHECK: nv_tileas.mma_commit %{{[a-z0-9_]*}} :
// CHECK: nv_tileas.cluster_barrier

#layout = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 32]], warp = [[16, 0], [32, 0]], block = []}">
#shared = #nv_tileas.shared<"{shape = [1], register = [], lane = [], warp = [], block = []}">
#shared1 = #nv_tileas.shared<"{shape = [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]}">
#shared2 = #nv_tileas.shared<"{shape = [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0], [0, 32]]}">
nv_tileas.func @k(%a0: !nv_tileas.ptr<f16>, %b0: !nv_tileas.ptr<f16>, %c0: !nv_tileas.ptr<f32>, %n: i32, %few: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>, tilewright.state = {after = "tileas-tile-mma-k", from = "cuda_tile", gpu = "sm_100", holds = ["atomics-once", "fenced", "instructions-chosen", "layouts-assigned", "warp-reduces"], opt_level = 3 : i32, tensor_maps = "params"}} {
  %0 = arith.constant 184 : i64
  %1 = arith.constant 64 : i64
  %2 = arith.constant 1 : i64
  %3 = nv_tileas.tensor_map %b0 sizes[%0, %1] strides[%1, %2] : !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>
  %4 = arith.constant 1024 : i64
  %5 = arith.constant 192 : i64
  %6 = arith.constant 1 : i64
  %7 = nv_tileas.tensor_map %a0 sizes[%4, %5] strides[%5, %6] : !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>
  %8 = arith.constant 1024 : i64
  %9 = arith.constant 64 : i64
  %10 = arith.constant 1 : i64
  %11 = nv_tileas.tensor_map %c0 sizes[%8, %9] strides[%9, %10] : !nv_tileas.ptr<f32> -> !nv_tileas.tma_map<64x32xf32, order = [1, 0], swizzle = 128>
  %12 = nv_tileas.get_cta_rank : i32
  %13 = arith.constant 0 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %14 = arith.constant 1024 : i64
  %15 = arith.constant 192 : i64
  %16 = arith.constant 1 : i64
  %17 = arith.constant 184 : i64
  %18 = arith.constant 64 : i64
  %19 = arith.constant 128 : i64
  %20 = arith.constant 0 : i64
  %x, %y, %z = nv_tileas.get_program_id : i32, i32, i32
  %21 = arith.extsi %x : i32 to i64
  %22 = arith.muli %21, %19 : i64
  %23 = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #layout>
  %24 = arith.extsi %12 : i32 to i64
  %25 = arith.constant 64 : i64
  %26 = arith.muli %24, %25 : i64
  %27 = arith.addi %22, %26 : i64
  %28 = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
  nv_tileas.mbarrier_init %28, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
  %29 = arith.constant 0 : i32
  %30 = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
  nv_tileas.mbarrier_init %30, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
  %31 = arith.constant 0 : i32
  %32:3 = scf.for %arg0 = %zero to %n step %one iter_args(%arg1 = %23, %arg2 = %29, %arg3 = %31) -> (tensor<64x64xf32, #layout>, i32, i32) : i32 {
    %43 = arith.extsi %arg0 : i32 to i64
    %44 = arith.muli %43, %18 : i64
    %45 = arith.constant 1 : i32
    %46 = arith.xori %arg2, %45 : i32
    %47 = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<64x64xf16, #shared1>
    nv_tileas.mbarrier_expect %28, 8192 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
    %48 = nv_tileas.tma_load %47, %7[%27, %44], %28 : !nv_tileas.buffer<64x64xf16, #shared1>, !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared> -> !nv_tileas.mem_token
    %49 = arith.constant 1 : i32
    %50 = arith.xori %arg3, %49 : i32
    %51 = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<64x64xf16, #shared1>
    nv_tileas.mbarrier_expect %30, 8192 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
    %52 = nv_tileas.tma_load %51, %3[%44, %20], %30 : !nv_tileas.buffer<64x64xf16, #shared1>, !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared> -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %28, %arg2 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>, i32
    nv_tileas.mbarrier_wait %30, %arg3 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>, i32
    nv_tileas.fence_async
    %53 = nv_tileas.dot_async %47, %51, %arg1 {mma = #nv_tileas.mma<tcgen05.mma, m64n64k16, warps = [4, 1]>} : !nv_tileas.buffer<64x64xf16, #shared1>, !nv_tileas.buffer<64x64xf16, #shared1> -> tensor<64x64xf32, #layout>
    nv_tileas.dot_wait {pending = 0 : i32}
    scf.continue %53, %46, %50 : tensor<64x64xf32, #layout>, i32, i32
  }
  %33 = nv_tileas.dot_wait %32#0 {pending = 0 : i32} : tensor<64x64xf32, #layout>
  %34 = arith.extsi %x : i32 to i64
  %35 = arith.muli %34, %19 : i64
  %36 = arith.extsi %12 : i32 to i64
  %37 = arith.constant 64 : i64
  %38 = arith.muli %36, %37 : i64
  %39 = arith.addi %35, %38 : i64
  %40 = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<64x64xf32, #shared2>
  nv_tileas.local_store %33, %40 : tensor<64x64xf32, #layout>, !nv_tileas.buffer<64x64xf32, #shared2>
  nv_tileas.fence_async
  %41 = nv_tileas.tma_store %40, %11[%39, %20] : !nv_tileas.buffer<64x64xf32, #shared2>, !nv_tileas.tma_map<64x32xf32, order = [1, 0], swizzle = 128> -> !nv_tileas.mem_token
  %42 = nv_tileas.bulk_commit : !nv_tileas.group
  nv_tileas.bulk_wait read 0 for %42 : !nv_tileas.group
  nv_tileas.return
}
