// RUN: run-tileas --gpu-name=sm_80 --arg=i32[128] --arg=i32[512]=0,7,.. --print %s | FileCheck --match-full-lines %s

// Each iteration writes a stage of its own.

// CHECK:      1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
// CHECK-NEXT: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
// CHECK-NEXT: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
// CHECK-NEXT: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
// CHECK-NEXT: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
// CHECK-NEXT: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
// CHECK-NEXT: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
// CHECK-NEXT: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1

!rows = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>
!columns = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[8, 0], [16, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [], block = []}">>
!tile = !nv_tileas.buffer<32x4xi32, #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>
!ring3 = !nv_tileas.buffer<3 x [32x4xi32], #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %at = arith.constant 0 : i64
  %zero = arith.constant 0 : i64
  %unit = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %many = arith.constant 1024 : i64
  %s = nv_tileas.alloc_shared : !ring3
  %l = scf.for %i = %c0 to %c3 step %c1 iter_args(%last = %c0) -> (i32) : i32 {
    %slot = nv_tileas.buffer_stage %s[%i] : !ring3, i32
    %t = nv_tileas.splat %i : i32 -> !rows
    nv_tileas.local_store %t, %slot : !rows, !tile
    scf.continue %i : i32
  }
  %r = nv_tileas.buffer_stage %s[%c1] : !ring3, i32
  %cols = nv_tileas.local_load %r : !tile -> !columns
  %back = nv_tileas.alloc_shared : !tile
  nv_tileas.local_store %cols, %back : !columns, !tile
  %rows = nv_tileas.local_load %back : !tile -> !rows
  %done = nv_tileas.tiled_store %rows, %q[%at, %zero] sizes [%many, %four] strides [%four, %unit] {bounds = array<i1: true, true>} : !rows, !nv_tileas.ptr<i32>
  nv_tileas.return
}
