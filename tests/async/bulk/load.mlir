// RUN: run-tileas --gpu-name=sm_90 --arg=i32[128] --arg=i32[512]=0,7,.. --print %s | FileCheck --match-full-lines %s
// RUN(ptxas): assemble --ptxas=%ptxas --gpu-name=sm_90 %s
// RUN(long, ptxas): assemble --ptxas=%ptxas --since=sm_90 %s

// A wait for its mbarrier ends after a bulk load has brought all bytes.

// CHECK:      0 7 14 21 28 35 42 49 56 63 70 77 84 91 98 105
// CHECK-NEXT: 112 119 126 133 140 147 154 161 168 175 182 189 196 203 210 217
// CHECK-NEXT: 224 231 238 245 252 259 266 273 280 287 294 301 308 315 322 329
// CHECK-NEXT: 336 343 350 357 364 371 378 385 392 399 406 413 420 427 434 441
// CHECK-NEXT: 448 455 462 469 476 483 490 497 504 511 518 525 532 539 546 553
// CHECK-NEXT: 560 567 574 581 588 595 602 609 616 623 630 637 644 651 658 665
// CHECK-NEXT: 672 679 686 693 700 707 714 721 728 735 742 749 756 763 770 777
// CHECK-NEXT: 784 791 798 805 812 819 826 833 840 847 854 861 868 875 882 889

!rows = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>
!columns = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[8, 0], [16, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [], block = []}">>
!tile = !nv_tileas.buffer<32x4xi32, #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>
!mbarrier = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %c0 = arith.constant 0 : i32
  %at = arith.constant 0 : i64
  %zero = arith.constant 0 : i64
  %unit = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %many = arith.constant 1024 : i64
  %a = nv_tileas.alloc_shared : !tile
  %bar = nv_tileas.alloc_shared : !mbarrier
  nv_tileas.mbarrier_init %bar, 1 : !mbarrier
  nv_tileas.barrier
  nv_tileas.mbarrier_expect %bar, 512 : !mbarrier
  %t = nv_tileas.bulk_load %a, %src, %bar : !tile, !nv_tileas.ptr<i32>, !mbarrier -> !nv_tileas.mem_token
  nv_tileas.mbarrier_wait %bar, %c0 : !mbarrier, i32
  %cols = nv_tileas.local_load %a : !tile -> !columns
  %back = nv_tileas.alloc_shared : !tile
  nv_tileas.local_store %cols, %back : !columns, !tile
  %rows = nv_tileas.local_load %back : !tile -> !rows
  %done = nv_tileas.tiled_store %rows, %q[%at, %zero] sizes [%many, %four] strides [%four, %unit] {bounds = array<i1: true, true>} : !rows, !nv_tileas.ptr<i32>
  nv_tileas.return
}
