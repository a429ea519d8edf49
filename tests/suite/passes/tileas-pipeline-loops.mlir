// RUN: tile-opt %s --tileas-pipeline-loops --gpu-name=sm_80 | FileCheck %s

// Copies run two turns ahead, in three slots; each turn has one wait at its head, which leaves the group of one later turn under way.
// CHECK-LABEL: nv_tileas.func @product
// CHECK: %[[A:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<3 x [64x32xf16], #{{.*}}>
// CHECK: %[[B:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<3 x [32x64xf16], #{{.*}}>
// Two turns in front of the loop, each a group, with nothing to copy where there is no iteration.
// CHECK: nv_tileas.copy_async {{.*}} if %
// CHECK: nv_tileas.copy_async {{.*}} if %
// CHECK: nv_tileas.commit_group
// CHECK: nv_tileas.copy_async
// CHECK: nv_tileas.copy_async
// CHECK: nv_tileas.commit_group
// CHECK-NOT: nv_tileas.copy_async
// CHECK: scf.for {{.*}} iter_args(%[[SLOT:.*]] = %{{.*}}, %[[ACC:.*]] = %none)
// CHECK-NEXT: nv_tileas.wait_group 1
// CHECK: %[[FROM:.*]] = nv_tileas.buffer_stage %[[A]][%[[SLOT]]]
// CHECK-NEXT: nv_tileas.local_load %[[FROM]]
// CHECK: %[[TO:.*]] = nv_tileas.buffer_stage %[[A]][%[[SLOT]] + 2]
// CHECK: nv_tileas.copy_async %[[TO]]
// CHECK: nv_tileas.buffer_stage %[[B]][%[[SLOT]] + 2]
// CHECK: nv_tileas.copy_async
// CHECK-NEXT: nv_tileas.commit_group
// CHECK: %[[SUM:.*]] = nv_tileas.dot %{{.*}}, %{{.*}}, %[[ACC]]
// CHECK: scf.continue %{{.*}}, %[[SUM]]
// CHECK: nv_tileas.wait_group 0
// CHECK-NOT: nv_tileas.schedule

// A loop without a schedule stays.
// CHECK-LABEL: nv_tileas.func @unchanged_chase
#layout = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 32]], block = []}">
#layout1 = #nv_tileas.layout<"{shape = [64, 32], register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 0]], block = []}">
#layout2 = #nv_tileas.layout<"{shape = [32, 64], register = [[1, 0], [8, 0], [16, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 32]], block = []}">
#layout3 = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [0, 2], [8, 0], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]], block = []}">
#shared = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [32, 0], [2, 8], [4, 16]]}">
#shared1 = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0], [1, 8], [2, 16], [4, 32]]}">
module {
  nv_tileas.func @product(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %m: i32, %n: i32, %k: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
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
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #layout>
    %sum = scf.for %s = %zero to %steps step %one iter_args(%acc = %none) -> (tensor<64x64xf32, #layout>) : i32 {
      %16 = arith.extsi %s : i32 to i64
      %17 = arith.muli %16, %0 : i64
      %18 = nv_tileas.alloc_shared : !nv_tileas.buffer<64x32xf16, #shared>
      %19 = nv_tileas.copy_async %18, %p[%8, %17] sizes [%3, %4] strides [%4, %2] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 32>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 0>} : !nv_tileas.buffer<64x32xf16, #shared>, !nv_tileas.ptr<f16>
      %20 = nv_tileas.commit_group : !nv_tileas.group
      %21 = nv_tileas.alloc_shared : !nv_tileas.buffer<32x64xf16, #shared1>
      %22 = nv_tileas.copy_async %21, %q[%17, %10] sizes [%4, %5] strides [%5, %2] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 1>} : !nv_tileas.buffer<32x64xf16, #shared1>, !nv_tileas.ptr<f16>
      %23 = nv_tileas.commit_group : !nv_tileas.group
      nv_tileas.wait_group 0 for %20, %23 : !nv_tileas.group, !nv_tileas.group
      %24 = nv_tileas.local_load %18 : !nv_tileas.buffer<64x32xf16, #shared> -> tensor<64x32xf16, #layout1>
      %25 = nv_tileas.local_load %21 : !nv_tileas.buffer<32x64xf16, #shared1> -> tensor<32x64xf16, #layout2>
      %d = nv_tileas.dot %24, %25, %acc {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x32xf16, #layout1>, tensor<32x64xf16, #layout2> -> tensor<64x64xf32, #layout>
      scf.continue %d : tensor<64x64xf32, #layout>
    } {nv_tileas.schedule = #nv_tileas.schedule<ii = 44, unit = 4, at = [0, 0, 0, 0, 0, 0, 0, 0, 5, 92, 108, 116]>}
    %11 = arith.extsi %x : i32 to i64
    %12 = arith.muli %11, %1 : i64
    %13 = arith.extsi %y : i32 to i64
    %14 = arith.muli %13, %1 : i64
    %15 = nv_tileas.convert_layout %sum : tensor<64x64xf32, #layout> -> tensor<64x64xf32, #layout3>
    %done = nv_tileas.tiled_store %15, %r[%12, %14] sizes [%3, %5] strides [%5, %2] token %start {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 2>} : tensor<64x64xf32, #layout3>, !nv_tileas.ptr<f32>
    nv_tileas.return
  }
  nv_tileas.func @unchanged_chase(%p: !nv_tileas.ptr<i32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %tok = nv_tileas.create_mem_token : !nv_tileas.mem_token
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0) -> (i32) : i32 {
      %q_0 = nv_tileas.addptr %p, %at : !nv_tileas.ptr<i32>, i32
      %v, %t = nv_tileas.load %q_0 token %tok : !nv_tileas.mem_token : !nv_tileas.ptr<i32> -> i32, !nv_tileas.mem_token
      scf.continue %v : i32
    }
    %q = nv_tileas.addptr %p, %r : !nv_tileas.ptr<i32>, i32
    %s = nv_tileas.store %q, %r token %tok : !nv_tileas.mem_token : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
    nv_tileas.return
  }
}
