// RUN: not tile-opt %s --convert-tileas-to-nvvm 2>&1 | FileCheck %s

// Layouts in a role are over the warps of the role.

// CHECK: has a layout over another number of warps than its role has

!rows = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>
!tile = !nv_tileas.buffer<32x4xi32, #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>
!ring3 = !nv_tileas.buffer<3 x [32x4xi32], #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>
!numbers = tensor<32xi32, #nv_tileas.layout<"{shape = [32], register = [], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">>
!column = tensor<32x1xi32, #nv_tileas.layout<"{shape = [32, 1], register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 3>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %at = arith.constant 0 : i64
  %zero = arith.constant 0 : i64
  %unit = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %many = arith.constant 1024 : i64
  %ring = nv_tileas.alloc_shared : !ring3
  %c6 = arith.constant 6 : i32
  nv_tileas.warp_specialize {
    role "load" warps(2) regs(40) {
      scf.for %i = %c0 to %c6 step %c1 : i32 {
        %k = arith.remsi %i, %c3 : i32
        %io = nv_tileas.make_range : !numbers
        %io1 = nv_tileas.reshape %io : !numbers -> !column
        %x = nv_tileas.broadcast %io1 : !column -> !rows
        %t = nv_tileas.splat %i : i32 -> !rows
        %y = arith.addi %x, %t : !rows
        %slot = nv_tileas.buffer_stage %ring[%k] : !ring3, i32
        nv_tileas.local_store %y, %slot : !rows, !tile
        scf.continue
      }
    }
    role "add" warps(1) regs(232) {
      %none = nv_tileas.splat %c0 : i32 -> !rows
      %sum = scf.for %i = %c0 to %c6 step %c1 iter_args(%acc = %none) -> (!rows) : i32 {
        %k = arith.remsi %i, %c3 : i32
        %slot = nv_tileas.buffer_stage %ring[%k] : !ring3, i32
        %now = nv_tileas.local_load %slot : !tile -> !rows
        %more = arith.addi %acc, %now : !rows
        scf.continue %more : !rows
      }
      %done = nv_tileas.tiled_store %sum, %q[%at, %zero] sizes [%many, %four] strides [%four, %unit] {bounds = array<i1: true, true>} : !rows, !nv_tileas.ptr<i32>
    }
  }
  nv_tileas.return
}
