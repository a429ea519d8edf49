// RUN: run-tileas --gpu-name=sm_90 --arg=i32[128] --arg=i32[512]=0,7,.. --print %s | FileCheck --match-full-lines %s
// RUN(ptxas): assemble --ptxas=%ptxas --gpu-name=sm_100 %s
// RUN(long, ptxas): assemble --ptxas=%ptxas --since=sm_90 %s

// A bulk store writes a tile, and its group is waited for.

// CHECK:      100 100 100 100 101 101 101 101 102 102 102 102 103 103 103 103
// CHECK-NEXT: 104 104 104 104 105 105 105 105 106 106 106 106 107 107 107 107
// CHECK-NEXT: 108 108 108 108 109 109 109 109 110 110 110 110 111 111 111 111
// CHECK-NEXT: 112 112 112 112 113 113 113 113 114 114 114 114 115 115 115 115
// CHECK-NEXT: 116 116 116 116 117 117 117 117 118 118 118 118 119 119 119 119
// CHECK-NEXT: 120 120 120 120 121 121 121 121 122 122 122 122 123 123 123 123
// CHECK-NEXT: 124 124 124 124 125 125 125 125 126 126 126 126 127 127 127 127
// CHECK-NEXT: 128 128 128 128 129 129 129 129 130 130 130 130 131 131 131 131

!rows = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>
!tile = !nv_tileas.buffer<32x4xi32, #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>
!numbers = tensor<32xi32, #nv_tileas.layout<"{shape = [32], register = [], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">>
!column = tensor<32x1xi32, #nv_tileas.layout<"{shape = [32, 1], register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %c100 = arith.constant 100 : i32
  %io = nv_tileas.make_range : !numbers
  %io1 = nv_tileas.reshape %io : !numbers -> !column
  %x = nv_tileas.broadcast %io1 : !column -> !rows
  %hundred = nv_tileas.splat %c100 : i32 -> !rows
  %y = arith.addi %x, %hundred : !rows
  %a = nv_tileas.alloc_shared : !tile
  nv_tileas.local_store %y, %a : !rows, !tile
  nv_tileas.fence_async
  nv_tileas.barrier
  %t = nv_tileas.bulk_store %a, %q : !tile, !nv_tileas.ptr<i32> -> !nv_tileas.mem_token
  %g = nv_tileas.bulk_commit : !nv_tileas.group
  nv_tileas.bulk_wait 0 for %g : !nv_tileas.group
  nv_tileas.return
}
