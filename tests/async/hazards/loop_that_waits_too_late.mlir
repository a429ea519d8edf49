// RUN: not tile-opt --gpu-name=sm_80 --pass-pipeline='builtin.module(nv_tileas.func(tileas-allocate-shared,tileas-insert-barriers))' %s 2>&1 | FileCheck %s

// A copy may not write the buffer of the copy before it, which is in flight.

// CHECK: 'nv_tileas.copy_async' op accesses what 'nv_tileas.copy_async' accesses while that may be in flight

!tile = !nv_tileas.buffer<32x4xi32, #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %zero = arith.constant 0 : i64
  %unit = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %all = arith.constant 128 : i64
  %a = nv_tileas.alloc_shared : !tile
  scf.for %i = %c0 to %c4 step %c1 : i32 {
    %t = nv_tileas.copy_async %a, %src[%zero, %zero] sizes [%all, %four] strides [%four, %unit] {bounds = array<i1: true, false>, base_div = 16 : i64, offset_div = array<i64: 4, 16>, size_div = array<i64: 1, 4>, stride_div = array<i64: 4, 1>, padding = "zero"} : !tile, !nv_tileas.ptr<i32>
    %g = nv_tileas.commit_group : !nv_tileas.group
    nv_tileas.wait_group 1
    scf.continue
  }
  nv_tileas.wait_group 0
  nv_tileas.return
}
