// RUN: run-tileas --gpu-name=sm_90 --tensor-maps=params --arg=i32[256] --arg=i32[512]=0,7,.. --print %s | FileCheck --match-full-lines %s
// RUN: run-tileas --gpu-name=sm_90 --tensor-maps=device --arg=i32[256] --arg=i32[512]=0,7,.. --print %s | FileCheck --match-full-lines %s
// RUN(ptxas): assemble --ptxas=%ptxas --gpu-name=sm_90 --tensor-maps=params %s
// RUN(long, ptxas): assemble --ptxas=%ptxas --since=sm_90 --tensor-maps=params %s
// RUN(ptxas): assemble --ptxas=%ptxas --gpu-name=sm_100 --tensor-maps=device %s
// RUN(long, ptxas): assemble --ptxas=%ptxas --since=sm_90 --tensor-maps=device %s

// A TMA load brings a tile from inside of a tensor.

// CHECK:      308 315 322 329 364 371 378 385 420 427 434 441 476 483 490 497
// CHECK-NEXT: 532 539 546 553 588 595 602 609 644 651 658 665 700 707 714 721
// CHECK-NEXT: 756 763 770 777 812 819 826 833 868 875 882 889 924 931 938 945
// CHECK-NEXT: 980 987 994 1001 1036 1043 1050 1057 1092 1099 1106 1113 1148 1155 1162 1169
// CHECK-NEXT: 1204 1211 1218 1225 1260 1267 1274 1281 1316 1323 1330 1337 1372 1379 1386 1393
// CHECK-NEXT: 1428 1435 1442 1449 1484 1491 1498 1505 1540 1547 1554 1561 1596 1603 1610 1617
// CHECK-NEXT: 1652 1659 1666 1673 1708 1715 1722 1729 1764 1771 1778 1785 1820 1827 1834 1841
// CHECK-NEXT: 1876 1883 1890 1897 1932 1939 1946 1953 1988 1995 2002 2009 2044 2051 2058 2065
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
  %at = arith.constant 0 : i64
  %zero = arith.constant 0 : i64
  %unit = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %many = arith.constant 1024 : i64
  %eight = arith.constant 8 : i64
  %sixtyfour = arith.constant 64 : i64
  %r = arith.constant 5 : i64
  %c = arith.constant 4 : i64
  %m = nv_tileas.tensor_map %src sizes[%sixtyfour, %eight] strides[%eight, %unit] : !nv_tileas.ptr<i32> -> !map
  %a = nv_tileas.alloc_shared : !tile
  %bar = nv_tileas.alloc_shared : !mbarrier
  nv_tileas.mbarrier_init %bar, 1 : !mbarrier
  nv_tileas.barrier
  nv_tileas.mbarrier_expect %bar, 512 : !mbarrier
  %t = nv_tileas.tma_load %a, %m[%r, %c], %bar : !tile, !map, !mbarrier -> !nv_tileas.mem_token
  nv_tileas.mbarrier_wait %bar, %c0 : !mbarrier, i32
  %cols = nv_tileas.local_load %a : !tile -> !columns
  %back = nv_tileas.alloc_shared : !tile
  nv_tileas.local_store %cols, %back : !columns, !tile
  %rows = nv_tileas.local_load %back : !tile -> !rows
  %done = nv_tileas.tiled_store %rows, %q[%at, %zero] sizes [%many, %four] strides [%four, %unit] {bounds = array<i1: true, true>} : !rows, !nv_tileas.ptr<i32>
  nv_tileas.return
}
