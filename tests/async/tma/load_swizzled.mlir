// RUN: run-tileas --gpu-name=sm_90 --tensor-maps=params --arg=i32[256] --arg=i32[512]=0,7,.. --print %s | FileCheck --match-full-lines %s
// RUN: run-tileas --gpu-name=sm_90 --tensor-maps=device --arg=i32[256] --arg=i32[512]=0,7,.. --print %s | FileCheck --match-full-lines %s

// A load into a swizzled buffer puts each element where the layout says.

// CHECK:      224 231 238 245 252 259 266 273 280 287 294 301 308 315 322 329
// CHECK-NEXT: 336 343 350 357 364 371 378 385 392 399 406 413 420 427 434 441
// CHECK-NEXT: 448 455 462 469 476 483 490 497 504 511 518 525 532 539 546 553
// CHECK-NEXT: 560 567 574 581 588 595 602 609 616 623 630 637 644 651 658 665
// CHECK-NEXT: 672 679 686 693 700 707 714 721 728 735 742 749 756 763 770 777
// CHECK-NEXT: 784 791 798 805 812 819 826 833 840 847 854 861 868 875 882 889
// CHECK-NEXT: 896 903 910 917 924 931 938 945 952 959 966 973 980 987 994 1001
// CHECK-NEXT: 1008 1015 1022 1029 1036 1043 1050 1057 1064 1071 1078 1085 1092 1099 1106 1113
// CHECK-NEXT: 1120 1127 1134 1141 1148 1155 1162 1169 1176 1183 1190 1197 1204 1211 1218 1225
// CHECK-NEXT: 1232 1239 1246 1253 1260 1267 1274 1281 1288 1295 1302 1309 1316 1323 1330 1337
// CHECK-NEXT: 1344 1351 1358 1365 1372 1379 1386 1393 1400 1407 1414 1421 1428 1435 1442 1449
// CHECK-NEXT: 1456 1463 1470 1477 1484 1491 1498 1505 1512 1519 1526 1533 1540 1547 1554 1561
// CHECK-NEXT: 1568 1575 1582 1589 1596 1603 1610 1617 1624 1631 1638 1645 1652 1659 1666 1673
// CHECK-NEXT: 1680 1687 1694 1701 1708 1715 1722 1729 1736 1743 1750 1757 1764 1771 1778 1785
// CHECK-NEXT: 1792 1799 1806 1813 1820 1827 1834 1841 1848 1855 1862 1869 1876 1883 1890 1897
// CHECK-NEXT: 1904 1911 1918 1925 1932 1939 1946 1953 1960 1967 1974 1981 1988 1995 2002 2009

!mbarrier = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>
!swizzled_map = !nv_tileas.tma_map<32x8xi32, order = [1, 0], swizzle = 32>
!swizzled = !nv_tileas.buffer<32x8xi32, #nv_tileas.shared<"{shape = [32, 8], offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 4], [8, 0], [16, 0]]}">>
!wide = tensor<32x8xi32, #nv_tileas.layout<"{shape = [32, 8], register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0 : i64
  %unit = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %many = arith.constant 1024 : i64
  %eight = arith.constant 8 : i64
  %sixtyfour = arith.constant 64 : i64
  %m = nv_tileas.tensor_map %src sizes[%sixtyfour, %eight] strides[%eight, %unit] : !nv_tileas.ptr<i32> -> !swizzled_map
  %a = nv_tileas.alloc_shared align 256 : !swizzled
  %bar = nv_tileas.alloc_shared : !mbarrier
  nv_tileas.mbarrier_init %bar, 1 : !mbarrier
  nv_tileas.barrier
  nv_tileas.mbarrier_expect %bar, 1024 : !mbarrier
  %t = nv_tileas.tma_load %a, %m[%four, %zero], %bar : !swizzled, !swizzled_map, !mbarrier -> !nv_tileas.mem_token
  nv_tileas.mbarrier_wait %bar, %c0 : !mbarrier, i32
  %wide = nv_tileas.local_load %a : !swizzled -> !wide
  %done = nv_tileas.tiled_store %wide, %q[%zero, %zero] sizes [%many, %eight] strides [%eight, %unit] {bounds = array<i1: true, true>} : !wide, !nv_tileas.ptr<i32>
  nv_tileas.return
}
