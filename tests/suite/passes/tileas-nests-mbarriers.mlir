// RUN: tile-opt %s --tileas-pipeline-loops --gpu-name=sm_90 | FileCheck %s

// The phases of the mbarrier continue through both loops, so that nothing invalidates it after the inner one. The outer
// loop ends right after the inner one, and is made anew by the rotation.
// CHECK: nv_tileas.mbarrier_init
// CHECK: nv_tileas.tma_load
// CHECK: scf.for
// CHECK: nv_tileas.mbarrier_wait
// CHECK-NOT: nv_tileas.mbarrier_inval
#layout = #nv_tileas.layout<"{shape = [16, 32], register = [[4, 0], [8, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0]], block = []}">
#single = #nv_tileas.layout<"{shape = [1, 1], register = [], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]], block = []}">
#shared = #nv_tileas.shared<"{shape = [1], register = [], lane = [], warp = [], block = []}">
#shared1 = #nv_tileas.shared<"{shape = [16, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]]}">
nv_tileas.func @k(%p: !nv_tileas.ptr<bf16>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %p1 = nv_tileas.splat %p : !nv_tileas.ptr<bf16> -> tensor<1x1x!nv_tileas.ptr<bf16>, #single>
  %q = nv_tileas.broadcast %p1 : tensor<1x1x!nv_tileas.ptr<bf16>, #single> -> tensor<16x32x!nv_tileas.ptr<bf16>, #layout>
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %c224 = arith.constant 224 : i64
  %map = nv_tileas.tensor_map %p sizes[%c16, %c224] strides[%c224, %c1] : !nv_tileas.ptr<bf16> -> !nv_tileas.tma_map<16x32xbf16, order = [1, 0]>
  %from = arith.constant 1 : i16
  %to = arith.constant 3 : i16
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %at = arith.constant 32 : i64
  %bar = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
  nv_tileas.mbarrier_init %bar, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%t = %start, %phase = %zero) -> (!nv_tileas.mem_token, i32) : i32 {
    %s:2 = scf.for %j = %from to %to step %from iter_args(%u = %t, %parity = %phase) -> (!nv_tileas.mem_token, i32) : i16 {
      %next = arith.xori %parity, %one : i32
      %buf = nv_tileas.alloc_shared : !nv_tileas.buffer<16x32xbf16, #shared1>
      nv_tileas.mbarrier_expect %bar, 1024 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
      %l = nv_tileas.tma_load %buf, %map[%at, %at], %bar {narrow} : !nv_tileas.buffer<16x32xbf16, #shared1>, !nv_tileas.tma_map<16x32xbf16, order = [1, 0]>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared> -> !nv_tileas.mem_token
      nv_tileas.mbarrier_wait %bar, %parity : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>, i32
      %x = nv_tileas.local_load %buf : !nv_tileas.buffer<16x32xbf16, #shared1> -> tensor<16x32xbf16, #layout>
      %v = nv_tileas.store %q, %x token %u : !nv_tileas.mem_token {ordering = "release", scope = "sys"} : tensor<16x32x!nv_tileas.ptr<bf16>, #layout>, tensor<16x32xbf16, #layout> -> !nv_tileas.mem_token
      scf.continue %v, %next : !nv_tileas.mem_token, i32
    } {nv_tileas.schedule = #nv_tileas.schedule<ii = 32, unit = 2, at = [0, 0, 0, 0, 0, 134, 146]>}
    scf.continue %s#0, %s#1 : !nv_tileas.mem_token, i32
  } {nv_tileas.fill_ahead}
  nv_tileas.return
}
