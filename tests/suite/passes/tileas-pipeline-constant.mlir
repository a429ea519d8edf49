// The loop has ten iterations. Their number is a constant at once: what a loop costs depends on it (tileaa-plan-kernel).
//
// RUN: tile-opt %s --tileas-pipeline-loops --gpu-name=sm_90 | FileCheck %s
// CHECK-LABEL: nv_tileas.func @constant
// CHECK-NOT: arith.ceildivui
// CHECK: %[[ALL:.*]] = arith.constant 10 : i32
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[ALL]] step
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#shared = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [32, 0], [2, 8], [4, 16]]}">
#shared1 = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0], [1, 8], [2, 16], [4, 32]]}">
module {
  nv_tileas.func @constant(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %m: i32, %n: i32, %k: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %0 = arith.constant 32 : i64
    %1 = arith.constant 64 : i64
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %2 = arith.constant 1 : i64
    %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
    %3 = arith.extsi %m : i32 to i64
    %4 = arith.extsi %k : i32 to i64
    %5 = arith.extsi %n : i32 to i64
    %x, %y, %z = nv_tileas.get_program_id : i32, i32, i32
    %6 = arith.ceildivsi %4, %0 : i64
    %steps = arith.trunci %6 : i64 to i32
    %7 = arith.extsi %x : i32 to i64
    %8 = arith.muli %7, %1 : i64
    %9 = arith.extsi %y : i32 to i64
    %10 = arith.muli %9, %1 : i64
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
    %first = arith.constant 2 : i32
    %last = arith.constant 22 : i32
    %two = arith.constant 2 : i32
    %sum = scf.for %s = %first to %last step %two iter_args(%acc = %none) -> (tensor<64x64xf32, #sum>) : i32 {
      %16 = arith.extsi %s : i32 to i64
      %17 = arith.muli %16, %0 : i64
      %18 = nv_tileas.alloc_shared : !nv_tileas.buffer<64x32xf16, #shared>
      %19 = nv_tileas.copy_async %18, %p[%8, %17] sizes [%3, %4] strides [%4, %2] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 32>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 0>} : !nv_tileas.buffer<64x32xf16, #shared>, !nv_tileas.ptr<f16>
      %20 = nv_tileas.commit_group : !nv_tileas.group
      %21 = nv_tileas.alloc_shared : !nv_tileas.buffer<32x64xf16, #shared1>
      %22 = nv_tileas.copy_async %21, %q[%17, %10] sizes [%4, %5] strides [%5, %2] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 1>} : !nv_tileas.buffer<32x64xf16, #shared1>, !nv_tileas.ptr<f16>
      %23 = nv_tileas.commit_group : !nv_tileas.group
      nv_tileas.wait_group 0 for %20, %23 : !nv_tileas.group, !nv_tileas.group
      nv_tileas.fence_async
      %d = nv_tileas.dot_async %18, %21, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !nv_tileas.buffer<64x32xf16, #shared>, !nv_tileas.buffer<32x64xf16, #shared1> -> tensor<64x64xf32, #sum>
      nv_tileas.dot_wait {pending = 0 : i32}
      scf.continue %d : tensor<64x64xf32, #sum>
    } {nv_tileas.schedule = #nv_tileas.schedule<ii = 39, unit = 5, at = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 160, 234]>}
    %finished = nv_tileas.dot_wait %sum {pending = 0 : i32} : tensor<64x64xf32, #sum>
    %11 = arith.extsi %x : i32 to i64
    %12 = arith.muli %11, %1 : i64
    %13 = arith.extsi %y : i32 to i64
    %14 = arith.muli %13, %1 : i64
    %done = nv_tileas.tiled_store %finished, %r[%12, %14] sizes [%3, %5] strides [%5, %2] token %start {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 2>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
    nv_tileas.return
  }
}

