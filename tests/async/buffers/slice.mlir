// RUN: run-tileas --gpu-name=sm_80 --arg=i32[128] --arg=i32[512]=0,7,.. --print %s | FileCheck --match-full-lines %s

// Slices, permutations and other views of a buffer share its memory.

// CHECK:      116 116 116 116 117 117 117 117 118 118 118 118 119 119 119 119
// CHECK-NEXT: 120 120 120 120 121 121 121 121 122 122 122 122 123 123 123 123
// CHECK-NEXT: 124 124 124 124 125 125 125 125 126 126 126 126 127 127 127 127
// CHECK-NEXT: 128 128 128 128 129 129 129 129 130 130 130 130 131 131 131 131
// CHECK-NEXT: 16 16 16 16 17 17 17 17 18 18 18 18 19 19 19 19
// CHECK-NEXT: 20 20 20 20 21 21 21 21 22 22 22 22 23 23 23 23
// CHECK-NEXT: 24 24 24 24 25 25 25 25 26 26 26 26 27 27 27 27
// CHECK-NEXT: 28 28 28 28 29 29 29 29 30 30 30 30 31 31 31 31

!rows = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>
!columns = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[8, 0], [16, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [], block = []}">>
!tile = !nv_tileas.buffer<32x4xi32, #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>
!transposed_rows = tensor<4x16xi32, #nv_tileas.layout<"{shape = [4, 16], register = [[0, 8]], lane = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], warp = [], block = []}">>
!transposed_half = !nv_tileas.buffer<4x16xi32, #nv_tileas.shared<"{shape = [4, 16], offset = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4], [0, 8]]}">>
!half = !nv_tileas.buffer<16x4xi32, #nv_tileas.shared<"{shape = [16, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0]]}">>
!flat = !nv_tileas.buffer<128xf32, #nv_tileas.shared<"{shape = [128], offset = [[1], [2], [4], [8], [16], [32], [64]]}">>
!numbers = tensor<32xi32, #nv_tileas.layout<"{shape = [32], register = [], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">>
!column = tensor<32x1xi32, #nv_tileas.layout<"{shape = [32, 1], register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
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
  %low = nv_tileas.buffer_slice %b [16, 0] : !tile -> !half
  %r2 = nv_tileas.buffer_permute %low [1, 0] : !half -> !transposed_half
  %turned = nv_tileas.local_load %r2 : !transposed_half -> !transposed_rows
  %up = nv_tileas.buffer_slice %a [0, 0] : !tile -> !half
  %w = nv_tileas.buffer_permute %up [1, 0] : !half -> !transposed_half
  nv_tileas.local_store %turned, %w : !transposed_rows, !transposed_half
  %again = nv_tileas.buffer_reinterpret %a : !tile -> !flat
  %r = nv_tileas.buffer_reinterpret %again : !flat -> !tile
  %cols = nv_tileas.local_load %r : !tile -> !columns
  %back = nv_tileas.alloc_shared : !tile
  nv_tileas.local_store %cols, %back : !columns, !tile
  %rows = nv_tileas.local_load %back : !tile -> !rows
  %done = nv_tileas.tiled_store %rows, %q[%at, %zero] sizes [%many, %four] strides [%four, %unit] {bounds = array<i1: true, true>} : !rows, !nv_tileas.ptr<i32>
  nv_tileas.return
}
