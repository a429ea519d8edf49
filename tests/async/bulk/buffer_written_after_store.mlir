// RUN: run-tileas --gpu-name=sm_90 --arg=i32[128] --arg=i32[512]=0,7,.. --print %s | FileCheck --match-full-lines %s

// A buffer may be written again after the group of the store that reads it.

// CHECK:      0 7 14 21 28 35 42 49 56 63 70 77 84 91 98 105
// CHECK-NEXT: 112 119 126 133 140 147 154 161 168 175 182 189 196 203 210 217
// CHECK-NEXT: 224 231 238 245 252 259 266 273 280 287 294 301 308 315 322 329
// CHECK-NEXT: 336 343 350 357 364 371 378 385 392 399 406 413 420 427 434 441
// CHECK-NEXT: 448 455 462 469 476 483 490 497 504 511 518 525 532 539 546 553
// CHECK-NEXT: 560 567 574 581 588 595 602 609 616 623 630 637 644 651 658 665
// CHECK-NEXT: 672 679 686 693 700 707 714 721 728 735 742 749 756 763 770 777
// CHECK-NEXT: 784 791 798 805 812 819 826 833 840 847 854 861 868 875 882 889

!rows = tensor<32x4xi32, #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>
!tile = !nv_tileas.buffer<32x4xi32, #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>
!mbarrier = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>
!numbers = tensor<32xi32, #nv_tileas.layout<"{shape = [32], register = [], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">>
!column = tensor<32x1xi32, #nv_tileas.layout<"{shape = [32, 1], register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %c0 = arith.constant 0 : i32
  %io = nv_tileas.make_range : !numbers
  %io1 = nv_tileas.reshape %io : !numbers -> !column
  %x = nv_tileas.broadcast %io1 : !column -> !rows
  %a = nv_tileas.alloc_shared : !tile
  %bar = nv_tileas.alloc_shared : !mbarrier
  nv_tileas.mbarrier_init %bar, 1 : !mbarrier
  nv_tileas.barrier
  nv_tileas.mbarrier_expect %bar, 512 : !mbarrier
  %t = nv_tileas.bulk_load %a, %src, %bar : !tile, !nv_tileas.ptr<i32>, !mbarrier -> !nv_tileas.mem_token
  nv_tileas.mbarrier_wait %bar, %c0 : !mbarrier, i32
  nv_tileas.barrier
  %u = nv_tileas.bulk_store %a, %q : !tile, !nv_tileas.ptr<i32> -> !nv_tileas.mem_token
  %g = nv_tileas.bulk_commit : !nv_tileas.group
  nv_tileas.bulk_wait 0 for %g : !nv_tileas.group
  nv_tileas.local_store %x, %a : !rows, !tile
  nv_tileas.return
}
