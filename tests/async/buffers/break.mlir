// RUN: run-tileas --gpu-name=sm_80 --arg=i32[128] --arg=i32[512]=0,7,.. --print %s | FileCheck --match-full-lines %s

// A buffer leaves a loop by a break.

// CHECK:      100 100 100 100 101 101 101 101 102 102 102 102 103 103 103 103
// CHECK-NEXT: 104 104 104 104 105 105 105 105 106 106 106 106 107 107 107 107
// CHECK-NEXT: 108 108 108 108 109 109 109 109 110 110 110 110 111 111 111 111
// CHECK-NEXT: 112 112 112 112 113 113 113 113 114 114 114 114 115 115 115 115
// CHECK-NEXT: 116 116 116 116 117 117 117 117 118 118 118 118 119 119 119 119
// CHECK-NEXT: 120 120 120 120 121 121 121 121 122 122 122 122 123 123 123 123
// CHECK-NEXT: 124 124 124 124 125 125 125 125 126 126 126 126 127 127 127 127
// CHECK-NEXT: 128 128 128 128 129 129 129 129 130 130 130 130 131 131 131 131

!rows = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>
!columns = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[8, 0], [16, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [], block = []}">>
!tile = !nv_tileas.buffer<32x4xi32, #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>
!numbers = tensor<32xi32, #nv_tileas.layout<"{shape = [32], register = [], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">>
!column = tensor<32x1xi32, #nv_tileas.layout<"{shape = [32, 1], register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %c1 = arith.constant 1 : i32
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
  %r = scf.loop iter_args(%p = %a, %o = %b) -> (!tile) : !tile, !tile {
    %c = arith.cmpi eq, %c1, %c1 : i32
    scf.if %c {
      scf.break %o : !tile
    }
    scf.continue %o, %p : !tile, !tile
  }
  %cols = nv_tileas.local_load %r : !tile -> !columns
  %back = nv_tileas.alloc_shared : !tile
  nv_tileas.local_store %cols, %back : !columns, !tile
  %rows = nv_tileas.local_load %back : !tile -> !rows
  %done = nv_tileas.tiled_store %rows, %q[%at, %zero] sizes [%many, %four] strides [%four, %unit] {bounds = array<i1: true, true>} : !rows, !nv_tileas.ptr<i32>
  nv_tileas.return
}
