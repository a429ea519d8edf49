// RUN: not tile-run --strict --entry=k --grid=1 --arg=i32[128] --arg=i32[512] %s 2>&1 | FileCheck %s

// The interpreter rejects the contents of a buffer whose iteration has ended.

// CHECK: stores an unspecified value

!rows = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>
!tile = !nv_tileas.buffer<32x4xi32, #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>
!numbers = tensor<32xi32, #nv_tileas.layout<"{shape = [32], register = [], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">>
!column = tensor<32x1xi32, #nv_tileas.layout<"{shape = [32, 1], register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %at = arith.constant 0 : i64
  %zero = arith.constant 0 : i64
  %unit = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %many = arith.constant 1024 : i64
  %io = nv_tileas.make_range : !numbers
  %io1 = nv_tileas.reshape %io : !numbers -> !column
  %x = nv_tileas.broadcast %io1 : !column -> !rows
  %a = nv_tileas.alloc_shared : !tile
  nv_tileas.local_store %x, %a : !rows, !tile
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a) -> (!tile) : i32 {
    %n = nv_tileas.alloc_shared : !tile
    %now = nv_tileas.local_load %p : !tile -> !rows
    %done = nv_tileas.tiled_store %now, %q[%at, %zero] sizes [%many, %four] strides [%four, %unit] {bounds = array<i1: true, true>} : !rows, !nv_tileas.ptr<i32>
    nv_tileas.local_store %x, %n : !rows, !tile
    scf.continue %n : !tile
  }
  nv_tileas.return
}
