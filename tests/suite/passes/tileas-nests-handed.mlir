// RUN: tile-opt %s --tileas-pipeline-loops --gpu-name=sm_90 | FileCheck %s

// The first copy of the inner loop is filled ahead, and the second is not: it starts where its data are used. So the
// fill makes nothing for the place of the second, which the store after the inner loop uses too.
// CHECK: scf.for
// CHECK: %[[ROW:.*]] = arith.extsi
// CHECK: scf.for
// CHECK: nv_tileas.tma_load {{.*}}[%[[ROW]],
// CHECK: nv_tileas.tiled_store {{.*}}[%[[ROW]],
#layout = #nv_tileas.layout<"{shape = [16, 32], register = [[4, 0], [8, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0]], block = []}">
#shared = #nv_tileas.shared<"{shape = [1], register = [], lane = [], warp = [], block = []}">
#shared1 = #nv_tileas.shared<"{shape = [16, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]]}">
nv_tileas.func @k(%p: !nv_tileas.ptr<bf16>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %c224 = arith.constant 224 : i64
  %map = nv_tileas.tensor_map %p sizes[%c16, %c224] strides[%c224, %c1] : !nv_tileas.ptr<bf16> -> !nv_tileas.tma_map<16x32xbf16, order = [1, 0]>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %at = arith.constant 32 : i64
  %none = arith.constant dense<0.000000e+00> : tensor<16x32xbf16> as tensor<16x32xbf16, #layout>
  %bar = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
  nv_tileas.mbarrier_init %bar, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
  %bar2 = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
  nv_tileas.mbarrier_init %bar2, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%t = %start, %phase = %zero, %phase2 = %zero) -> (!nv_tileas.mem_token, i32, i32) : i32 {
    %row = arith.extsi %i : i32 to i64
    %s:3 = scf.for %j = %zero to %three step %one iter_args(%sum = %none, %parity = %phase, %parity2 = %phase2) -> (tensor<16x32xbf16, #layout>, i32, i32) : i32 {
      %next = arith.xori %parity, %one : i32
      %next2 = arith.xori %parity2, %one : i32
      %buf = nv_tileas.alloc_shared : !nv_tileas.buffer<16x32xbf16, #shared1>
      nv_tileas.mbarrier_expect %bar, 1024 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
      %l = nv_tileas.tma_load %buf, %map[%at, %at], %bar {narrow} : !nv_tileas.buffer<16x32xbf16, #shared1>, !nv_tileas.tma_map<16x32xbf16, order = [1, 0]>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared> -> !nv_tileas.mem_token
      nv_tileas.mbarrier_wait %bar, %parity : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>, i32
      %buf2 = nv_tileas.alloc_shared : !nv_tileas.buffer<16x32xbf16, #shared1>
      nv_tileas.mbarrier_expect %bar2, 1024 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
      %l2 = nv_tileas.tma_load %buf2, %map[%row, %at], %bar2 {narrow} : !nv_tileas.buffer<16x32xbf16, #shared1>, !nv_tileas.tma_map<16x32xbf16, order = [1, 0]>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared> -> !nv_tileas.mem_token
      nv_tileas.mbarrier_wait %bar2, %parity2 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>, i32
      %x = nv_tileas.local_load %buf : !nv_tileas.buffer<16x32xbf16, #shared1> -> tensor<16x32xbf16, #layout>
      %y = nv_tileas.local_load %buf2 : !nv_tileas.buffer<16x32xbf16, #shared1> -> tensor<16x32xbf16, #layout>
      %z = arith.addf %x, %y : tensor<16x32xbf16, #layout>
      %u = arith.addf %z, %sum : tensor<16x32xbf16, #layout>
      scf.continue %u, %next, %next2 : tensor<16x32xbf16, #layout>, i32, i32
    } {nv_tileas.schedule = #nv_tileas.schedule<ii = 800, unit = 2, at = [800, 800, 400, 400, 400, 810, 800, 800, 800, 1205, 812, 1210, 1230, 1250]>}
    %v = nv_tileas.tiled_store %s#0, %p[%row, %at] sizes [%c16, %c224] strides [%c224, %c1] token %t {bounds = array<i1: true, true>, base_div = 2 : i64, offset_div = array<i64: 1, 1>, size_div = array<i64: 1, 1>, stride_div = array<i64: 1, 1>} : tensor<16x32xbf16, #layout>, !nv_tileas.ptr<bf16>
    scf.continue %v, %s#1, %s#2 : !nv_tileas.mem_token, i32, i32
  } {nv_tileas.fill_ahead}
  nv_tileas.return
}
