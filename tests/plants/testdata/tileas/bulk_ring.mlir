// Bulk loads into a circular buffer of two stages, one iteration ahead. The parity changes once per round.

!rows = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>
!columns = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[8, 0], [16, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [], block = []}">>
!tile = !nv_tileas.buffer<32x4xi32, #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>
!ring2 = !nv_tileas.buffer<2 x [32x4xi32], #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>
!mbarrier = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>
!mbarriers2 = !nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier], #nv_tileas.shared<"{shape = [1], offset = []}">>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %at = arith.constant 0 : i64
  %zero = arith.constant 0 : i64
  %unit = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %many = arith.constant 1024 : i64
  %ring = nv_tileas.alloc_shared : !ring2
  %bars = nv_tileas.alloc_shared : !mbarriers2
  %c128 = arith.constant 128 : i32
  %b0 = nv_tileas.buffer_stage %bars[%c0] : !mbarriers2, i32
  %b1 = nv_tileas.buffer_stage %bars[%c1] : !mbarriers2, i32
  nv_tileas.mbarrier_init %b0, 1 : !mbarrier
  nv_tileas.mbarrier_init %b1, 1 : !mbarrier
  %s0 = nv_tileas.buffer_stage %ring[%c0] : !ring2, i32
  nv_tileas.barrier
  nv_tileas.mbarrier_expect %b0, 512 : !mbarrier
  %t0 = nv_tileas.bulk_load %s0, %src, %b0 : !tile, !nv_tileas.ptr<i32>, !mbarrier -> !nv_tileas.mem_token
  %none = nv_tileas.splat %c0 : i32 -> !columns
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %none) -> (!columns) : i32 {
    %n = arith.addi %i, %c1 : i32
    %more = arith.cmpi slt, %n, %c4 : i32
    scf.if %more {
      %ns = arith.remsi %n, %c2 : i32
      %next = nv_tileas.buffer_stage %ring[%ns] : !ring2, i32
      %nb = nv_tileas.buffer_stage %bars[%ns] : !mbarriers2, i32
      %from = arith.muli %n, %c128 : i32
      %p = nv_tileas.addptr %src, %from : !nv_tileas.ptr<i32>, i32
      nv_tileas.barrier
      nv_tileas.mbarrier_expect %nb, 512 : !mbarrier
      %t = nv_tileas.bulk_load %next, %p, %nb : !tile, !nv_tileas.ptr<i32>, !mbarrier -> !nv_tileas.mem_token
      scf.yield
    }
    %is = arith.remsi %i, %c2 : i32
    %round = arith.divsi %i, %c2 : i32
    %parity = arith.remsi %round, %c2 : i32
    %now = nv_tileas.buffer_stage %ring[%is] : !ring2, i32
    %b = nv_tileas.buffer_stage %bars[%is] : !mbarriers2, i32
    nv_tileas.mbarrier_wait %b, %parity : !mbarrier, i32
    %x0 = nv_tileas.local_load %now : !tile -> !columns
    %all = arith.addi %acc, %x0 : !columns
    scf.continue %all : !columns
  }
  %back = nv_tileas.alloc_shared : !tile
  nv_tileas.local_store %sum, %back : !columns, !tile
  nv_tileas.barrier
  %rows = nv_tileas.local_load %back : !tile -> !rows
  %done = nv_tileas.tiled_store %rows, %q[%at, %zero] sizes [%many, %four] strides [%four, %unit] {bounds = array<i1: true, true>} : !rows, !nv_tileas.ptr<i32>
  nv_tileas.return
}
