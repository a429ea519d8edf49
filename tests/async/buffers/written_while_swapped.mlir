// RUN: run-tileas --gpu-name=sm_80 --arg=i32[128] --arg=i32[512]=0,7,.. --print %s | FileCheck --match-full-lines %s

// Each iteration reads the one buffer and writes the other one.

// CHECK:      3 3 3 3 4 4 4 4 5 5 5 5 6 6 6 6
// CHECK-NEXT: 7 7 7 7 8 8 8 8 9 9 9 9 10 10 10 10
// CHECK-NEXT: 11 11 11 11 12 12 12 12 13 13 13 13 14 14 14 14
// CHECK-NEXT: 15 15 15 15 16 16 16 16 17 17 17 17 18 18 18 18
// CHECK-NEXT: 19 19 19 19 20 20 20 20 21 21 21 21 22 22 22 22
// CHECK-NEXT: 23 23 23 23 24 24 24 24 25 25 25 25 26 26 26 26
// CHECK-NEXT: 27 27 27 27 28 28 28 28 29 29 29 29 30 30 30 30
// CHECK-NEXT: 31 31 31 31 32 32 32 32 33 33 33 33 34 34 34 34

!rows = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>
!columns = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[8, 0], [16, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [], block = []}">>
!tile = !nv_tileas.buffer<32x4xi32, #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>
!numbers = tensor<32xi32, #nv_tileas.layout<"{shape = [32], register = [], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">>
!column = tensor<32x1xi32, #nv_tileas.layout<"{shape = [32, 1], register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c100 = arith.constant 100 : i32
  %at = arith.constant 0 : i64
  %zero = arith.constant 0 : i64
  %unit = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %many = arith.constant 1024 : i64
  %io = nv_tileas.make_range : !numbers
  %io1 = nv_tileas.reshape %io : !numbers -> !column
  %x = nv_tileas.broadcast %io1 : !column -> !rows
  %hundred = nv_tileas.splat %c100 : i32 -> !rows
  %y = arith.addi %x, %hundred : !rows
  %a = nv_tileas.alloc_shared : !tile
  %b = nv_tileas.alloc_shared : !tile
  nv_tileas.local_store %x, %a : !rows, !tile
  nv_tileas.local_store %y, %b : !rows, !tile
  %r, %other = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a, %o = %b) -> (!tile, !tile) : i32 {
    %now = nv_tileas.local_load %p : !tile -> !columns
    %one = nv_tileas.splat %c1 : i32 -> !columns
    %more = arith.addi %now, %one : !columns
    nv_tileas.local_store %more, %o : !columns, !tile
    scf.continue %o, %p : !tile, !tile
  }
  %cols = nv_tileas.local_load %r : !tile -> !columns
  %back = nv_tileas.alloc_shared : !tile
  nv_tileas.local_store %cols, %back : !columns, !tile
  %rows = nv_tileas.local_load %back : !tile -> !rows
  %done = nv_tileas.tiled_store %rows, %q[%at, %zero] sizes [%many, %four] strides [%four, %unit] {bounds = array<i1: true, true>} : !rows, !nv_tileas.ptr<i32>
  nv_tileas.return
}
