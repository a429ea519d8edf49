// Two asynchronous copies in groups of their own, the wait for both, and a load of what the second one brought.

!rows = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>
!tile = !nv_tileas.buffer<32x4xi32, #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>
!numbers = tensor<32xi32, #nv_tileas.layout<"{shape = [32], register = [], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">>
!column = tensor<32x1xi32, #nv_tileas.layout<"{shape = [32, 1], register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %at = arith.constant 0 : i64
  %zero = arith.constant 0 : i64
  %unit = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %many = arith.constant 1024 : i64
  %io = nv_tileas.make_range : !numbers
  %io1 = nv_tileas.reshape %io : !numbers -> !column
  %x = nv_tileas.broadcast %io1 : !column -> !rows
  %all = arith.constant 128 : i64
  %a = nv_tileas.alloc_shared : !tile
  %b = nv_tileas.alloc_shared : !tile
  %t = nv_tileas.copy_async %a, %src[%zero, %zero] sizes [%all, %four] strides [%four, %unit] {bounds = array<i1: true, false>, base_div = 16 : i64, offset_div = array<i64: 4, 16>, size_div = array<i64: 1, 4>, stride_div = array<i64: 4, 1>, padding = "zero"} : !tile, !nv_tileas.ptr<i32>
  %g = nv_tileas.commit_group : !nv_tileas.group
  %u = nv_tileas.copy_async %b, %src[%zero, %zero] sizes [%all, %four] strides [%four, %unit] {bounds = array<i1: true, false>, base_div = 16 : i64, offset_div = array<i64: 4, 16>, size_div = array<i64: 1, 4>, stride_div = array<i64: 4, 1>, padding = "zero"} : !tile, !nv_tileas.ptr<i32>
  %h = nv_tileas.commit_group : !nv_tileas.group
  nv_tileas.wait_group 0 for %g, %h : !nv_tileas.group, !nv_tileas.group
  nv_tileas.barrier
  %x0 = nv_tileas.local_load %b : !tile -> !rows
  %done = nv_tileas.tiled_store %x0, %q[%at, %zero] sizes [%many, %four] strides [%four, %unit] {bounds = array<i1: true, true>} : !rows, !nv_tileas.ptr<i32>
  nv_tileas.return
}
