// RUN: run-tileas --gpu-name=sm_80 --arg=i32[128] --arg=i32[512]=0,7,.. --print %s | FileCheck --match-full-lines %s

// A wait for all but one group ends after the older one.

// CHECK:      896 903 910 917 924 931 938 945 952 959 966 973 980 987 994 1001
// CHECK-NEXT: 1008 1015 1022 1029 1036 1043 1050 1057 1064 1071 1078 1085 1092 1099 1106 1113
// CHECK-NEXT: 1120 1127 1134 1141 1148 1155 1162 1169 1176 1183 1190 1197 1204 1211 1218 1225
// CHECK-NEXT: 1232 1239 1246 1253 1260 1267 1274 1281 1288 1295 1302 1309 1316 1323 1330 1337
// CHECK-NEXT: 1344 1351 1358 1365 1372 1379 1386 1393 1400 1407 1414 1421 1428 1435 1442 1449
// CHECK-NEXT: 1456 1463 1470 1477 1484 1491 1498 1505 1512 1519 1526 1533 1540 1547 1554 1561
// CHECK-NEXT: 1568 1575 1582 1589 1596 1603 1610 1617 1624 1631 1638 1645 1652 1659 1666 1673
// CHECK-NEXT: 1680 1687 1694 1701 1708 1715 1722 1729 1736 1743 1750 1757 1764 1771 1778 1785

!rows = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>
!columns = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[8, 0], [16, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [], block = []}">>
!tile = !nv_tileas.buffer<32x4xi32, #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %at = arith.constant 0 : i64
  %zero = arith.constant 0 : i64
  %unit = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %many = arith.constant 1024 : i64
  %all = arith.constant 128 : i64
  %a = nv_tileas.alloc_shared : !tile
  %b = nv_tileas.alloc_shared : !tile
  %second = arith.constant 32 : i64
  %t = nv_tileas.copy_async %a, %src[%second, %zero] sizes [%all, %four] strides [%four, %unit] {bounds = array<i1: true, false>, base_div = 16 : i64, offset_div = array<i64: 4, 16>, size_div = array<i64: 1, 4>, stride_div = array<i64: 4, 1>, padding = "zero"} : !tile, !nv_tileas.ptr<i32>
  %g = nv_tileas.commit_group : !nv_tileas.group
  %u = nv_tileas.copy_async %b, %src[%zero, %zero] sizes [%all, %four] strides [%four, %unit] {bounds = array<i1: true, false>, base_div = 16 : i64, offset_div = array<i64: 4, 16>, size_div = array<i64: 1, 4>, stride_div = array<i64: 4, 1>, padding = "zero"} : !tile, !nv_tileas.ptr<i32>
  %h = nv_tileas.commit_group : !nv_tileas.group
  nv_tileas.wait_group 1 for %g : !nv_tileas.group
  %cols = nv_tileas.local_load %a : !tile -> !columns
  %back = nv_tileas.alloc_shared : !tile
  nv_tileas.local_store %cols, %back : !columns, !tile
  %rows = nv_tileas.local_load %back : !tile -> !rows
  %done = nv_tileas.tiled_store %rows, %q[%at, %zero] sizes [%many, %four] strides [%four, %unit] {bounds = array<i1: true, true>} : !rows, !nv_tileas.ptr<i32>
  nv_tileas.wait_group 0 for %h : !nv_tileas.group
  nv_tileas.return
}
