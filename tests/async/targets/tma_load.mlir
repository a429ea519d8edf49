// RUN: not tile-opt --gpu-name=sm_89 --pass-pipeline='builtin.module(nv_tileas.func(tileas-allocate-shared,tileas-insert-barriers),convert-tileas-to-nvvm,nvvm.func(nvvm-expand-math,nvvm-legalize-arith),emit-ptx)' %s 2>&1 | FileCheck %s

// sm_89 has no TMA.

// CHECK: 'nv_tileas.tensor_map' op needs TMA load, global to shared::cluster, tile mode, which sm_89 does not have

!tile = !nv_tileas.buffer<32x4xi32, #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>
!mbarrier = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>
!map = !nv_tileas.tma_map<32x4xi32, order = [1, 0]>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %c0 = arith.constant 0 : i32
  %unit = arith.constant 1 : i64
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
  nv_tileas.return
}
