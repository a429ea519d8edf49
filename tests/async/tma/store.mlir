// RUN: run-tileas --gpu-name=sm_90 --tensor-maps=params --arg=i32[256] --arg=i32[512]=0,7,.. --print %s | FileCheck --match-full-lines %s
// RUN: run-tileas --gpu-name=sm_90 --tensor-maps=device --arg=i32[256] --arg=i32[512]=0,7,.. --print %s | FileCheck --match-full-lines %s
// RUN(ptxas): assemble --ptxas=%ptxas --gpu-name=sm_90 --tensor-maps=params %s
// RUN(long, ptxas): assemble --ptxas=%ptxas --since=sm_90 --tensor-maps=params %s
// RUN(ptxas): assemble --ptxas=%ptxas --gpu-name=sm_100 --tensor-maps=device %s
// RUN(long, ptxas): assemble --ptxas=%ptxas --since=sm_90 --tensor-maps=device %s

// A TMA store leaves out what is outside of the tensor: two rows and one column.

// CHECK:      102 102 102 0 0 0 0 0 0 0 0 0 0 0 0 0
// CHECK-NEXT: 103 103 103 0 0 0 0 0 0 0 0 0 0 0 0 0
// CHECK-NEXT: 104 104 104 0 0 0 0 0 0 0 0 0 0 0 0 0
// CHECK-NEXT: 105 105 105 0 0 0 0 0 0 0 0 0 0 0 0 0
// CHECK-NEXT: 106 106 106 0 0 0 0 0 0 0 0 0 0 0 0 0
// CHECK-NEXT: 107 107 107 0 0 0 0 0 0 0 0 0 0 0 0 0
// CHECK-NEXT: 108 108 108 0 0 0 0 0 0 0 0 0 0 0 0 0
// CHECK-NEXT: 109 109 109 0 0 0 0 0 0 0 0 0 0 0 0 0
// CHECK-NEXT: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// CHECK-NEXT: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// CHECK-NEXT: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// CHECK-NEXT: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// CHECK-NEXT: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// CHECK-NEXT: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// CHECK-NEXT: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// CHECK-NEXT: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0

!rows = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>
!tile = !nv_tileas.buffer<32x4xi32, #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>
!map = !nv_tileas.tma_map<32x4xi32, order = [1, 0]>
!numbers = tensor<32xi32, #nv_tileas.layout<"{shape = [32], register = [], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">>
!column = tensor<32x1xi32, #nv_tileas.layout<"{shape = [32, 1], register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %c100 = arith.constant 100 : i32
  %unit = arith.constant 1 : i64
  %io = nv_tileas.make_range : !numbers
  %io1 = nv_tileas.reshape %io : !numbers -> !column
  %x = nv_tileas.broadcast %io1 : !column -> !rows
  %hundred = nv_tileas.splat %c100 : i32 -> !rows
  %y = arith.addi %x, %hundred : !rows
  %eight = arith.constant 8 : i64
  %c16 = arith.constant 16 : i64
  %up = arith.constant -2 : i64
  %left = arith.constant -1 : i64
  %m = nv_tileas.tensor_map %q sizes[%eight, %c16] strides[%c16, %unit] : !nv_tileas.ptr<i32> -> !map
  %a = nv_tileas.alloc_shared : !tile
  nv_tileas.local_store %y, %a : !rows, !tile
  nv_tileas.fence_async
  nv_tileas.barrier
  %t = nv_tileas.tma_store %a, %m[%up, %left] : !tile, !map -> !nv_tileas.mem_token
  %g = nv_tileas.bulk_commit : !nv_tileas.group
  nv_tileas.bulk_wait 0 for %g : !nv_tileas.group
  nv_tileas.return
}
