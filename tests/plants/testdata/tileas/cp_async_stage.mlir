// An asynchronous copy to a stage of a circular buffer, and a load of that stage.

!rows = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>
!tile = !nv_tileas.buffer<32x4xi32, #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>
!ring3 = !nv_tileas.buffer<3 x [32x4xi32], #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %at = arith.constant 0 : i64
  %zero = arith.constant 0 : i64
  %unit = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %many = arith.constant 1024 : i64
  %all = arith.constant 128 : i64
  %ring = nv_tileas.alloc_shared : !ring3
  %s0 = nv_tileas.buffer_stage %ring[%c0] : !ring3, i32
  %s1 = nv_tileas.buffer_stage %ring[%c1] : !ring3, i32
  %t = nv_tileas.copy_async %s0, %src[%zero, %zero] sizes [%all, %four] strides [%four, %unit] {bounds = array<i1: true, false>, base_div = 16 : i64, offset_div = array<i64: 4, 16>, size_div = array<i64: 1, 4>, stride_div = array<i64: 4, 1>, padding = "zero"} : !tile, !nv_tileas.ptr<i32>
  %g = nv_tileas.commit_group : !nv_tileas.group
  nv_tileas.wait_group 0 for %g : !nv_tileas.group
  nv_tileas.barrier
  %v = nv_tileas.local_load %s0 : !tile -> !rows
  %done = nv_tileas.tiled_store %v, %q[%at, %zero] sizes [%many, %four] strides [%four, %unit] {bounds = array<i1: true, true>} : !rows, !nv_tileas.ptr<i32>
  nv_tileas.return
}
