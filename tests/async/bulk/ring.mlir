// RUN: run-tileas --gpu-name=sm_90 --arg=i32[128] --arg=i32[512]=0,7,.. --print %s | FileCheck --match-full-lines %s
// RUN(ptxas): assemble --ptxas=%ptxas --gpu-name=sm_90 %s
// RUN(long, ptxas): assemble --ptxas=%ptxas --since=sm_90 %s

// A circular buffer of two stages is filled one iteration ahead. The parity changes once per round.

// CHECK:      5376 5404 5432 5460 5488 5516 5544 5572 5600 5628 5656 5684 5712 5740 5768 5796
// CHECK-NEXT: 5824 5852 5880 5908 5936 5964 5992 6020 6048 6076 6104 6132 6160 6188 6216 6244
// CHECK-NEXT: 6272 6300 6328 6356 6384 6412 6440 6468 6496 6524 6552 6580 6608 6636 6664 6692
// CHECK-NEXT: 6720 6748 6776 6804 6832 6860 6888 6916 6944 6972 7000 7028 7056 7084 7112 7140
// CHECK-NEXT: 7168 7196 7224 7252 7280 7308 7336 7364 7392 7420 7448 7476 7504 7532 7560 7588
// CHECK-NEXT: 7616 7644 7672 7700 7728 7756 7784 7812 7840 7868 7896 7924 7952 7980 8008 8036
// CHECK-NEXT: 8064 8092 8120 8148 8176 8204 8232 8260 8288 8316 8344 8372 8400 8428 8456 8484
// CHECK-NEXT: 8512 8540 8568 8596 8624 8652 8680 8708 8736 8764 8792 8820 8848 8876 8904 8932

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
