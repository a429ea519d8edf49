// RUN: not tile-run --strict --entry=k --grid=1 --arg=i32[128] --arg=i32[512] %s 2>&1 | FileCheck %s

// The interpreter rejects a load from a buffer that was freed.

// CHECK: 'nv_tileas.local_load' op accesses a buffer after 'nv_tileas.dealloc_shared' has ended its lifetime

!rows = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>
!tile = !nv_tileas.buffer<32x4xi32, #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>
!numbers = tensor<32xi32, #nv_tileas.layout<"{shape = [32], register = [], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">>
!column = tensor<32x1xi32, #nv_tileas.layout<"{shape = [32, 1], register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %io = nv_tileas.make_range : !numbers
  %io1 = nv_tileas.reshape %io : !numbers -> !column
  %x = nv_tileas.broadcast %io1 : !column -> !rows
  %a = nv_tileas.alloc_shared : !tile
  nv_tileas.local_store %x, %a : !rows, !tile
  nv_tileas.dealloc_shared %a : !tile
  %v = nv_tileas.local_load %a : !tile -> !rows
  nv_tileas.return
}
