// RUN: tile-opt %s --tileas-pipeline-loops --gpu-name=sm_90 | FileCheck %s

// A product of the loop reads what threads have stored in front of it, and another one what threads store in the loop, so that the fences keep their places among those stores: the first product goes in front of them all, and
// has a fence in front of the loop.
// CHECK: nv_tileas.local_store %{{.*}}, %[[FRONT:.*]] : tensor<64x32xbf16
// CHECK-NOT: nv_tileas.dot_async
// CHECK: nv_tileas.fence_async
// CHECK-NOT: nv_tileas.dot_async
// CHECK: scf.for
// CHECK-NOT: nv_tileas.fence_async
// CHECK: nv_tileas.dot_async %[[FRONT]],
// CHECK: nv_tileas.local_store
// CHECK: nv_tileas.fence_async
// CHECK: nv_tileas.dot_async
// CHECK: scf.continue
#layout = #nv_tileas.layout<"{shape = [64, 32], register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#layout1 = #nv_tileas.layout<"{shape = [64, 32], register = [[4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0]], block = []}">
#layout2 = #nv_tileas.layout<"{shape = [64, 16], register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#layout3 = #nv_tileas.layout<"{shape = [16, 32], register = [[4, 0], [8, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0]], block = []}">
#layout4 = #nv_tileas.layout<"{shape = [1, 1], register = [], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]], block = []}">
#shared = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}">
#shared1 = #nv_tileas.shared<"{shape = [1], register = [], lane = [], warp = [], block = []}">
#shared2 = #nv_tileas.shared<"{shape = [32, 16], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]}">
#shared3 = #nv_tileas.shared<"{shape = [16, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0]]}">
nv_tileas.func @k(%in_i32: !nv_tileas.ptr<i32>, %few_i32: !nv_tileas.ptr<i32>, %few_bf16: !nv_tileas.ptr<bf16>, %out_i32: !nv_tileas.ptr<i32>, %out_i64: !nv_tileas.ptr<i64>, %out_f32: !nv_tileas.ptr<f32>, %n0: i32, %n1: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, tilewright.state = {gpu = "sm_90", holds = ["atomics-once", "instructions-chosen", "layouts-assigned", "loops-scheduled", "warp-reduces"], opt_level = 3 : i32, tensor_maps = "params"}} {
  %0 = arith.constant 32 : i64
  %v10 = arith.constant 112 : i64
  %1 = arith.constant 1 : i64
  %2 = nv_tileas.tensor_map %few_bf16 sizes[%0, %v10] strides[%v10, %1] : !nv_tileas.ptr<bf16> -> !nv_tileas.tma_map<32x16xbf16, order = [1, 0], swizzle = 32>
  %v10_0 = arith.constant 112 : i64
  %v14 = arith.constant 112 : i32
  %v18 = arith.constant 32 : i32
  %v29 = arith.constant 3 : i32
  %v30 = arith.constant 7 : i32
  %3 = arith.constant 32 : i64
  %4 = arith.constant 1 : i64
  %5 = arith.constant 0 : i64
  %6 = arith.constant 16 : i64
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %v15 = arith.addi %n0, %v14 : i32
  %v19 = arith.addi %n0, %v18 : i32
  %7 = arith.extsi %v15 : i32 to i64
  %8 = arith.extsi %v19 : i32 to i64
  %9 = arith.extsi %n1 : i32 to i64
  %v27 = arith.constant dense<0.000000e+00> : tensor<64x32xf32> as tensor<64x32xf32, #layout>
  %10 = arith.constant dense<0.000000e+00> : tensor<64x32xbf16> as tensor<64x32xbf16, #layout1>
  %11 = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<64x32xbf16, #shared>
  nv_tileas.local_store %10, %11 : tensor<64x32xbf16, #layout1>, !nv_tileas.buffer<64x32xbf16, #shared>
  %v22 = arith.constant dense<0.000000e+00> : tensor<64x16xf32> as tensor<64x16xf32, #layout2>
  %12 = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>
  nv_tileas.mbarrier_init %12, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>
  %13 = arith.constant 0 : i32
  %14:2 = scf.for %arg0 = %n0 to %v30 step %v29 iter_args(%arg1 = %v27, %arg2 = %13) -> (tensor<64x32xf32, #layout>, i32) : i32 {
    %17 = arith.extsi %arg0 : i32 to i64
    %18 = arith.muli %17, %6 : i64
    %19 = arith.constant 1 : i32
    %20 = arith.xori %arg2, %19 : i32
    %21 = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<32x16xbf16, #shared2>
    nv_tileas.mbarrier_expect %12, 1024 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>
    %22 = nv_tileas.tma_load %21, %2[%5, %18], %12 : !nv_tileas.buffer<32x16xbf16, #shared2>, !nv_tileas.tma_map<32x16xbf16, order = [1, 0], swizzle = 32>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1> -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %12, %arg2 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>, i32
    nv_tileas.fence_async
    %23 = nv_tileas.dot_async %11, %21, %v22 {mma = #nv_tileas.mma<wgmma, m64n16k16, warps = [4, 1]>} : !nv_tileas.buffer<64x32xbf16, #shared>, !nv_tileas.buffer<32x16xbf16, #shared2> -> tensor<64x16xf32, #layout2>
    %24 = nv_tileas.dot_wait %23 {pending = 0 : i32} : tensor<64x16xf32, #layout2>
    %v45 = arith.ftof %24 : tensor<64x16xf32, #layout2> to tensor<64x16xbf16, #layout2>
    %v48, %v49 = nv_tileas.tiled_load %few_bf16[%18, %5] sizes [%7, %8] strides [%9, %4] {padding = "zero", bounds = array<i1: true, true>, base_div = 1 : i64, offset_div = array<i64: 16, 4611686018427387904>, size_div = array<i64: 1, 1>, stride_div = array<i64: 1, 1>, objects = #nv_tileaa.objects<arg 2>, nv_tileas.rejected = "tma: the base is not known to be aligned to 16 bytes; cp.async: only 2 bytes are known to be consecutive and aligned, and cp.async moves at least 4", nv_tileas.transfer = "registers"} : !nv_tileas.ptr<bf16> -> tensor<16x32xbf16, #layout3>
    %25 = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<16x32xbf16, #shared3>
    nv_tileas.local_store %v48, %25 : tensor<16x32xbf16, #layout3>, !nv_tileas.buffer<16x32xbf16, #shared3>
    nv_tileas.fence_async
    %26 = nv_tileas.dot_async %v45, %25, %arg1 {mma = #nv_tileas.mma<wgmma, m64n32k16, warps = [4, 1]>} : tensor<64x16xbf16, #layout2>, !nv_tileas.buffer<16x32xbf16, #shared3> -> tensor<64x32xf32, #layout>
    nv_tileas.dot_wait {pending = 0 : i32}
    scf.continue %26, %20 : tensor<64x32xf32, #layout>, i32
  } {nv_tileas.schedule = #nv_tileas.schedule<ii = 136, unit = 3, at = [0, 0, 0, 0, 0, 0, 0, 0, 555, 554, 574, 575, 408, 556, 662, 670, 671, 679]>}
  %15 = nv_tileas.dot_wait %14#0 {pending = 0 : i32} : tensor<64x32xf32, #layout>
  %v59 = nv_tileas.splat %out_f32 : !nv_tileas.ptr<f32> -> tensor<1x1x!nv_tileas.ptr<f32>, #layout4>
  %v60 = nv_tileas.broadcast %v59 : tensor<1x1x!nv_tileas.ptr<f32>, #layout4> -> tensor<64x32x!nv_tileas.ptr<f32>, #layout1>
  %16 = nv_tileas.convert_layout %15 : tensor<64x32xf32, #layout> -> tensor<64x32xf32, #layout1>
  %false = arith.constant dense<false> : tensor<64x32xi1> as tensor<64x32xi1, #layout1>
  %v65 = nv_tileas.store %v60, %16 mask %false : tensor<64x32xi1, #layout1> token %start : !nv_tileas.mem_token {objects = #nv_tileaa.objects<arg 5>} : tensor<64x32x!nv_tileas.ptr<f32>, #layout1>, tensor<64x32xf32, #layout1> -> !nv_tileas.mem_token
  nv_tileas.return
}
