// RUN: tile-opt %s '--tileas-schedule-loops=prefetch=2' --tileas-pipeline-loops --gpu-name=sm_80 | FileCheck %s
// RUN: tile-opt %s '--tileas-schedule-loops=scheduler=exact prefetch=2' --tileas-pipeline-loops --gpu-name=sm_80 --remarks 2>&1 | FileCheck %s --check-prefix=EXACT

// A copy takes its place from memory: the number of a page. The number is loaded further ahead than the page, so that
// the copy need not wait for it: copies run 2 ahead in 3 stages, and numbers 2 more.
//
// EXACT: loop pipelined: {{.*}} prefetch distance 2
// EXACT: loop pipelined: {{.*}} prefetch distance 2
//
// CHECK-LABEL: nv_tileas.func @paged
// CHECK: nv_tileas.alloc_shared : !nv_tileas.buffer<3 x [1x32x64xf16], #{{.*}}>
// CHECK: nv_tileas.tiled_load %table
// CHECK-NOT: nv_tileas.copy_async
// CHECK: %[[NUMBER:.*]], %{{.*}} = nv_tileas.tiled_load %table
// CHECK: scf.for {{.*}} iter_args(%[[STAGE:.*]] = %{{.*}}, %[[LAST:.*]] = %{{.*}}, %[[FIRST:.*]] = %{{.*}}, %[[ACC:.*]] = %zero)
// CHECK-NEXT: nv_tileas.wait_group 1
// CHECK: %[[NEXT:.*]], %{{.*}} = nv_tileas.tiled_load %table
// CHECK: %[[PAGE:.*]] = nv_tileas.unsplat %[[FIRST]]
// CHECK: %[[WIDE:.*]] = arith.extsi %[[PAGE]]
// CHECK: nv_tileas.copy_async %{{.*}}, %pages[%[[WIDE]],
// CHECK: nv_tileas.commit_group
// CHECK: scf.continue %{{.*}}, %[[NEXT]], %[[LAST]], %{{.*}}

// The number of a page stands in a table of tables: one load runs ahead of the other.
// CHECK-LABEL: nv_tileas.func @tables
// CHECK: scf.for
// CHECK: %[[PLACE:.*]], %{{.*}} = nv_tileas.tiled_load %table
// CHECK: nv_tileas.tiled_load %table
// CHECK: nv_tileas.copy_async
// CHECK: scf.continue
#layout = #nv_tileas.layout<"{shape = [16, 64], register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 16], [0, 32]], block = []}">
#layout1 = #nv_tileas.layout<"{shape = [16, 32], register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [0, 0]], block = []}">
#layout2 = #nv_tileas.layout<"{shape = [1], register = [], lane = [[0], [0], [0], [0], [0]], warp = [[0], [0]], block = []}">
#layout3 = #nv_tileas.layout<"{shape = [16, 16], register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [0, 0]], block = []}">
#layout4 = #nv_tileas.layout<"{shape = [16, 64], register = [[1, 0], [8, 0], [0, 8]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32]], block = []}">
#rows = #nv_tileas.layout<"{shape = [32], register = [[16]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]], block = []}">
#rows1 = #nv_tileas.layout<"{shape = [32, 1], register = [[16, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}">
#rows2 = #nv_tileas.layout<"{shape = [32, 64], register = [[0, 1], [0, 2], [0, 4], [16, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}">
#shared = #nv_tileas.shared<"{shape = [1, 32, 64], offset = [[0, 0, 1], [0, 0, 2], [0, 0, 4], [0, 0, 8], [0, 0, 16], [0, 0, 32], [0, 8, 0], [0, 16, 0], [0, 1, 8], [0, 2, 16], [0, 4, 32]]}">
#shared1 = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0], [1, 8], [2, 16], [4, 32]]}">
nv_tileas.func @paged(%q: !nv_tileas.ptr<f16>, %pages: !nv_tileas.ptr<f16>, %table: !nv_tileas.ptr<i32>, %n: i32, %out: !nv_tileas.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = arith.constant 8 : i64
  %1 = arith.constant 32 : i64
  %2 = arith.constant 64 : i64
  %3 = arith.constant 2048 : i64
  %4 = arith.constant 1 : i64
  %5 = arith.constant 16 : i64
  %6 = arith.constant 0 : i64
  %t = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %7 = arith.extsi %n : i32 to i64
  %zero = arith.constant dense<0.000000e+00> : tensor<16x64xf32> as tensor<16x64xf32, #layout>
  %a = arith.constant dense<1.000000e+00> : tensor<16x32xf16> as tensor<16x32xf16, #layout1>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x64xf32, #layout>) : i32 {
    %8 = arith.extsi %i : i32 to i64
    %number, %tn = nv_tileas.tiled_load %table[%8] sizes [%7] strides [%4] token %t {padding = "zero", bounds = array<i1: true>, base_div = 1 : i64, offset_div = array<i64: 1>, size_div = array<i64: 1>, stride_div = array<i64: 1>, objects = #nv_tileaa.objects<arg 2>} : !nv_tileas.ptr<i32> -> tensor<1xi32, #layout2>
    %page = nv_tileas.unsplat %number : tensor<1xi32, #layout2> -> i32
    %9 = arith.extsi %page : i32 to i64
    %10 = nv_tileas.alloc_shared : !nv_tileas.buffer<1x32x64xf16, #shared>
    %11 = nv_tileas.copy_async %10, %pages[%9, %6, %6] sizes [%0, %1, %2] strides [%3, %2, %4] token %t {padding = "zero", bounds = array<i1: true, true, true>, base_div = 16 : i64, offset_div = array<i64: 1, 4611686018427387904, 4611686018427387904>, size_div = array<i64: 8, 32, 64>, stride_div = array<i64: 2048, 64, 1>, objects = #nv_tileaa.objects<arg 1>} : !nv_tileas.buffer<1x32x64xf16, #shared>, !nv_tileas.ptr<f16>
    %12 = nv_tileas.commit_group : !nv_tileas.group
    %13 = nv_tileas.buffer_reinterpret %10 : !nv_tileas.buffer<1x32x64xf16, #shared> -> !nv_tileas.buffer<32x64xf16, #shared1>
    nv_tileas.wait_group 0 for %12 : !nv_tileas.group
    %14 = arith.constant 0 : i32
    %15 = arith.constant 0 : i32
    %16 = nv_tileas.extract %a[%14, %15] : tensor<16x32xf16, #layout1>, i32, i32 -> tensor<16x16xf16, #layout3>
    %17 = nv_tileas.local_load %13 from [0, 0] : !nv_tileas.buffer<32x64xf16, #shared1> -> tensor<16x64xf16, #layout4>
    %18 = nv_tileas.dot %16, %17, %acc {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [1, 4]>} : tensor<16x16xf16, #layout3>, tensor<16x64xf16, #layout4> -> tensor<16x64xf32, #layout>
    %19 = arith.constant 0 : i32
    %20 = arith.constant 1 : i32
    %21 = nv_tileas.extract %a[%19, %20] : tensor<16x32xf16, #layout1>, i32, i32 -> tensor<16x16xf16, #layout3>
    %22 = nv_tileas.local_load %13 from [16, 0] : !nv_tileas.buffer<32x64xf16, #shared1> -> tensor<16x64xf16, #layout4>
    %23 = nv_tileas.dot %21, %22, %18 {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [1, 4]>} : tensor<16x16xf16, #layout3>, tensor<16x64xf16, #layout4> -> tensor<16x64xf32, #layout>
    scf.continue %23 : tensor<16x64xf32, #layout>
  }
  %s = nv_tileas.tiled_store %sum, %out[%6, %6] sizes [%5, %2] strides [%2, %4] token %t {bounds = array<i1: true, true>, base_div = 1 : i64, offset_div = array<i64: 4611686018427387904, 4611686018427387904>, size_div = array<i64: 16, 64>, stride_div = array<i64: 64, 1>, objects = #nv_tileaa.objects<arg 4>} : tensor<16x64xf32, #layout>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

nv_tileas.func @tables(%q: !nv_tileas.ptr<f16>, %pages: !nv_tileas.ptr<f16>, %table: !nv_tileas.ptr<i32>, %n: i32, %out: !nv_tileas.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = arith.constant 8 : i64
  %1 = arith.constant 32 : i64
  %2 = arith.constant 64 : i64
  %3 = arith.constant 2048 : i64
  %4 = arith.constant 1 : i64
  %5 = arith.constant 16 : i64
  %6 = arith.constant 0 : i64
  %t = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %7 = arith.extsi %n : i32 to i64
  %zero = arith.constant dense<0.000000e+00> : tensor<16x64xf32> as tensor<16x64xf32, #layout>
  %a = arith.constant dense<1.000000e+00> : tensor<16x32xf16> as tensor<16x32xf16, #layout1>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x64xf32, #layout>) : i32 {
    %8 = arith.extsi %i : i32 to i64
    %number, %tn = nv_tileas.tiled_load %table[%8] sizes [%7] strides [%4] token %t {padding = "zero", bounds = array<i1: true>, base_div = 1 : i64, offset_div = array<i64: 1>, size_div = array<i64: 1>, stride_div = array<i64: 1>, objects = #nv_tileaa.objects<arg 2>} : !nv_tileas.ptr<i32> -> tensor<1xi32, #layout2>
    %place = nv_tileas.unsplat %number : tensor<1xi32, #layout2> -> i32
    %place2 = arith.extsi %place : i32 to i64
    %number2, %tn2 = nv_tileas.tiled_load %table[%place2] sizes [%7] strides [%4] token %t {padding = "zero", bounds = array<i1: true>, base_div = 1 : i64, offset_div = array<i64: 1>, size_div = array<i64: 1>, stride_div = array<i64: 1>, objects = #nv_tileaa.objects<arg 2>} : !nv_tileas.ptr<i32> -> tensor<1xi32, #layout2>
    %page = nv_tileas.unsplat %number2 : tensor<1xi32, #layout2> -> i32
    %9 = arith.extsi %page : i32 to i64
    %10 = nv_tileas.alloc_shared : !nv_tileas.buffer<1x32x64xf16, #shared>
    %11 = nv_tileas.copy_async %10, %pages[%9, %6, %6] sizes [%0, %1, %2] strides [%3, %2, %4] token %t {padding = "zero", bounds = array<i1: true, true, true>, base_div = 16 : i64, offset_div = array<i64: 1, 4611686018427387904, 4611686018427387904>, size_div = array<i64: 8, 32, 64>, stride_div = array<i64: 2048, 64, 1>, objects = #nv_tileaa.objects<arg 1>} : !nv_tileas.buffer<1x32x64xf16, #shared>, !nv_tileas.ptr<f16>
    %12 = nv_tileas.commit_group : !nv_tileas.group
    %13 = nv_tileas.buffer_reinterpret %10 : !nv_tileas.buffer<1x32x64xf16, #shared> -> !nv_tileas.buffer<32x64xf16, #shared1>
    nv_tileas.wait_group 0 for %12 : !nv_tileas.group
    %14 = arith.constant 0 : i32
    %15 = arith.constant 0 : i32
    %16 = nv_tileas.extract %a[%14, %15] : tensor<16x32xf16, #layout1>, i32, i32 -> tensor<16x16xf16, #layout3>
    %17 = nv_tileas.local_load %13 from [0, 0] : !nv_tileas.buffer<32x64xf16, #shared1> -> tensor<16x64xf16, #layout4>
    %18 = nv_tileas.dot %16, %17, %acc {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [1, 4]>} : tensor<16x16xf16, #layout3>, tensor<16x64xf16, #layout4> -> tensor<16x64xf32, #layout>
    %19 = arith.constant 0 : i32
    %20 = arith.constant 1 : i32
    %21 = nv_tileas.extract %a[%19, %20] : tensor<16x32xf16, #layout1>, i32, i32 -> tensor<16x16xf16, #layout3>
    %22 = nv_tileas.local_load %13 from [16, 0] : !nv_tileas.buffer<32x64xf16, #shared1> -> tensor<16x64xf16, #layout4>
    %23 = nv_tileas.dot %21, %22, %18 {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [1, 4]>} : tensor<16x16xf16, #layout3>, tensor<16x64xf16, #layout4> -> tensor<16x64xf32, #layout>
    scf.continue %23 : tensor<16x64xf32, #layout>
  }
  %s = nv_tileas.tiled_store %sum, %out[%6, %6] sizes [%5, %2] strides [%2, %4] token %t {bounds = array<i1: true, true>, base_div = 1 : i64, offset_div = array<i64: 4611686018427387904, 4611686018427387904>, size_div = array<i64: 16, 64>, stride_div = array<i64: 64, 1>, objects = #nv_tileaa.objects<arg 4>} : tensor<16x64xf32, #layout>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

nv_tileas.func @rows(%q: !nv_tileas.ptr<f16>, %pages: !nv_tileas.ptr<f16>, %table: !nv_tileas.ptr<i32>, %n: i32, %out: !nv_tileas.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = arith.constant 8 : i64
  %1 = arith.constant 32 : i64
  %2 = arith.constant 64 : i64
  %3 = arith.constant 2048 : i64
  %4 = arith.constant 1 : i64
  %5 = arith.constant 16 : i64
  %6 = arith.constant 0 : i64
  %t = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %7 = arith.extsi %n : i32 to i64
  %zero = arith.constant dense<0.000000e+00> : tensor<16x64xf32> as tensor<16x64xf32, #layout>
  %a = arith.constant dense<1.000000e+00> : tensor<16x32xf16> as tensor<16x32xf16, #layout1>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x64xf32, #layout>) : i32 {
    %8 = nv_tileas.splat %i : i32 -> tensor<32xi32, #rows>
    %r = nv_tileas.make_range : tensor<32xi32, #rows>
    %c32 = arith.constant dense<32> : tensor<32xi32> as tensor<32xi32, #rows>
    %first = arith.muli %8, %c32 : tensor<32xi32, #rows>
    %which = arith.addi %first, %r : tensor<32xi32, #rows>
    %pt = nv_tileas.splat %table : !nv_tileas.ptr<i32> -> tensor<32x!nv_tileas.ptr<i32>, #rows>
    %at = nv_tileas.addptr %pt, %which : tensor<32x!nv_tileas.ptr<i32>, #rows>, tensor<32xi32, #rows>
    %number, %tn = nv_tileas.load %at token %t : !nv_tileas.mem_token {objects = #nv_tileaa.objects<arg 2>} : tensor<32x!nv_tileas.ptr<i32>, #rows> -> tensor<32xi32, #rows>, !nv_tileas.mem_token
    %9 = arith.extsi %number : tensor<32xi32, #rows> to tensor<32xi64, #rows>
    %col = nv_tileas.reshape %9 : tensor<32xi64, #rows> -> tensor<32x1xi64, #rows1>
    %wide = nv_tileas.broadcast %col : tensor<32x1xi64, #rows1> -> tensor<32x64xi64, #rows2>
    %pp = nv_tileas.splat %pages : !nv_tileas.ptr<f16> -> tensor<32x64x!nv_tileas.ptr<f16>, #rows2>
    %ptrs = nv_tileas.addptr %pp, %wide : tensor<32x64x!nv_tileas.ptr<f16>, #rows2>, tensor<32x64xi64, #rows2>
    %13 = nv_tileas.alloc_shared : !nv_tileas.buffer<32x64xf16, #shared1>
    %11 = nv_tileas.gather_async %13, %ptrs token %t : !nv_tileas.mem_token {runs = array<i64: 1, 8>, objects = #nv_tileaa.objects<arg 1>} : !nv_tileas.buffer<32x64xf16, #shared1>, tensor<32x64x!nv_tileas.ptr<f16>, #rows2> -> !nv_tileas.mem_token
    %12 = nv_tileas.commit_group : !nv_tileas.group
    nv_tileas.wait_group 0 for %12 : !nv_tileas.group
    %14 = arith.constant 0 : i32
    %15 = arith.constant 0 : i32
    %16 = nv_tileas.extract %a[%14, %15] : tensor<16x32xf16, #layout1>, i32, i32 -> tensor<16x16xf16, #layout3>
    %17 = nv_tileas.local_load %13 from [0, 0] : !nv_tileas.buffer<32x64xf16, #shared1> -> tensor<16x64xf16, #layout4>
    %18 = nv_tileas.dot %16, %17, %acc {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [1, 4]>} : tensor<16x16xf16, #layout3>, tensor<16x64xf16, #layout4> -> tensor<16x64xf32, #layout>
    %19 = arith.constant 0 : i32
    %20 = arith.constant 1 : i32
    %21 = nv_tileas.extract %a[%19, %20] : tensor<16x32xf16, #layout1>, i32, i32 -> tensor<16x16xf16, #layout3>
    %22 = nv_tileas.local_load %13 from [16, 0] : !nv_tileas.buffer<32x64xf16, #shared1> -> tensor<16x64xf16, #layout4>
    %23 = nv_tileas.dot %21, %22, %18 {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [1, 4]>} : tensor<16x16xf16, #layout3>, tensor<16x64xf16, #layout4> -> tensor<16x64xf32, #layout>
    scf.continue %23 : tensor<16x64xf32, #layout>
  }
  %s = nv_tileas.tiled_store %sum, %out[%6, %6] sizes [%5, %2] strides [%2, %4] token %t {bounds = array<i1: true, true>, base_div = 1 : i64, offset_div = array<i64: 4611686018427387904, 4611686018427387904>, size_div = array<i64: 16, 64>, stride_div = array<i64: 64, 1>, objects = #nv_tileaa.objects<arg 4>} : tensor<16x64xf32, #layout>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
