// RUN: run-tileas --gpu-name=sm_80 --arg=i32[128] --arg=i32[512]=0,7,.. --print %s | FileCheck --match-full-lines %s

// A loop copies a tile from stage to stage around a circular buffer.

// CHECK:      0 0 0 0 1 1 1 1 2 2 2 2 3 3 3 3
// CHECK-NEXT: 4 4 4 4 5 5 5 5 6 6 6 6 7 7 7 7
// CHECK-NEXT: 8 8 8 8 9 9 9 9 10 10 10 10 11 11 11 11
// CHECK-NEXT: 12 12 12 12 13 13 13 13 14 14 14 14 15 15 15 15
// CHECK-NEXT: 16 16 16 16 17 17 17 17 18 18 18 18 19 19 19 19
// CHECK-NEXT: 20 20 20 20 21 21 21 21 22 22 22 22 23 23 23 23
// CHECK-NEXT: 24 24 24 24 25 25 25 25 26 26 26 26 27 27 27 27
// CHECK-NEXT: 28 28 28 28 29 29 29 29 30 30 30 30 31 31 31 31

!rows = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>
!columns = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[8, 0], [16, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [], block = []}">>
!tile = !nv_tileas.buffer<32x4xi32, #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>
!ring3 = !nv_tileas.buffer<3 x [32x4xi32], #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>
!numbers = tensor<32xi32, #nv_tileas.layout<"{shape = [32], register = [], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">>
!column = tensor<32x1xi32, #nv_tileas.layout<"{shape = [32, 1], register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %at = arith.constant 0 : i64
  %zero = arith.constant 0 : i64
  %unit = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %many = arith.constant 1024 : i64
  %io = nv_tileas.make_range : !numbers
  %io1 = nv_tileas.reshape %io : !numbers -> !column
  %x = nv_tileas.broadcast %io1 : !column -> !rows
  %s = nv_tileas.alloc_shared : !ring3
  %first = nv_tileas.buffer_stage %s[%c0] : !ring3, i32
  nv_tileas.local_store %x, %first : !rows, !tile
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%k = %c0) -> (i32) : i32 {
    %from = nv_tileas.buffer_stage %s[%k] : !ring3, i32
    %now = nv_tileas.local_load %from : !tile -> !columns
    %inc = arith.addi %k, %c1 : i32
    %next = arith.remsi %inc, %c3 : i32
    %to = nv_tileas.buffer_stage %s[%next] : !ring3, i32
    nv_tileas.local_store %now, %to : !columns, !tile
    scf.continue %next : i32
  }
  %r = nv_tileas.buffer_stage %s[%last] : !ring3, i32
  %cols = nv_tileas.local_load %r : !tile -> !columns
  %back = nv_tileas.alloc_shared : !tile
  nv_tileas.local_store %cols, %back : !columns, !tile
  %rows = nv_tileas.local_load %back : !tile -> !rows
  %done = nv_tileas.tiled_store %rows, %q[%at, %zero] sizes [%many, %four] strides [%four, %unit] {bounds = array<i1: true, true>} : !rows, !nv_tileas.ptr<i32>
  nv_tileas.return
}
