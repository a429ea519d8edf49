// RUN: run-tileas --gpu-name=sm_90 --tensor-maps=params --arg=i32[256] --arg=i32[512]=0,7,.. --print %s | FileCheck --match-full-lines %s
// RUN: run-tileas --gpu-name=sm_90 --tensor-maps=device --arg=i32[256] --arg=i32[512]=0,7,.. --print %s | FileCheck --match-full-lines %s

// Each iteration of a loop loads into the same buffer. The parity changes each time.

// CHECK:      336 364 392 420 560 588 616 644 784 812 840 868 1008 1036 1064 1092
// CHECK-NEXT: 1232 1260 1288 1316 1456 1484 1512 1540 1680 1708 1736 1764 1904 1932 1960 1988
// CHECK-NEXT: 2128 2156 2184 2212 2352 2380 2408 2436 2576 2604 2632 2660 2800 2828 2856 2884
// CHECK-NEXT: 3024 3052 3080 3108 3248 3276 3304 3332 3472 3500 3528 3556 3696 3724 3752 3780
// CHECK-NEXT: 3920 3948 3976 4004 4144 4172 4200 4228 4368 4396 4424 4452 4592 4620 4648 4676
// CHECK-NEXT: 4816 4844 4872 4900 5040 5068 5096 5124 5264 5292 5320 5348 5488 5516 5544 5572
// CHECK-NEXT: 5712 5740 5768 5796 5936 5964 5992 6020 6160 6188 6216 6244 6384 6412 6440 6468
// CHECK-NEXT: 6608 6636 6664 6692 6832 6860 6888 6916 7056 7084 7112 7140 7280 7308 7336 7364
// CHECK-NEXT: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// CHECK-NEXT: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// CHECK-NEXT: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// CHECK-NEXT: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// CHECK-NEXT: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// CHECK-NEXT: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// CHECK-NEXT: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// CHECK-NEXT: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0

!rows = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>
!columns = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[8, 0], [16, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [], block = []}">>
!tile = !nv_tileas.buffer<32x4xi32, #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>
!mbarrier = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>
!map = !nv_tileas.tma_map<32x4xi32, order = [1, 0]>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %at = arith.constant 0 : i64
  %zero = arith.constant 0 : i64
  %unit = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %many = arith.constant 1024 : i64
  %eight = arith.constant 8 : i64
  %sixtyfour = arith.constant 64 : i64
  %m = nv_tileas.tensor_map %src sizes[%sixtyfour, %eight] strides[%eight, %unit] : !nv_tileas.ptr<i32> -> !map
  %a = nv_tileas.alloc_shared : !tile
  %bar = nv_tileas.alloc_shared : !mbarrier
  nv_tileas.mbarrier_init %bar, 1 : !mbarrier
  nv_tileas.barrier
  %none = nv_tileas.splat %c0 : i32 -> !columns
  %sum, %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %none, %parity = %c0) -> (!columns, i32) : i32 {
    nv_tileas.mbarrier_expect %bar, 512 : !mbarrier
    %row = arith.extsi %i : i32 to i64
    %t = nv_tileas.tma_load %a, %m[%row, %zero], %bar : !tile, !map, !mbarrier -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bar, %parity : !mbarrier, i32
    %x0 = nv_tileas.local_load %a : !tile -> !columns
    %all = arith.addi %acc, %x0 : !columns
    %next = arith.xori %parity, %c1 : i32
    scf.continue %all, %next : !columns, i32
  }
  %back = nv_tileas.alloc_shared : !tile
  nv_tileas.local_store %sum, %back : !columns, !tile
  nv_tileas.barrier
  %rows = nv_tileas.local_load %back : !tile -> !rows
  %done = nv_tileas.tiled_store %rows, %q[%at, %zero] sizes [%many, %four] strides [%four, %unit] {bounds = array<i1: true, true>} : !rows, !nv_tileas.ptr<i32>
  nv_tileas.return
}
