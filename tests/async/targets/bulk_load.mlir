// RUN: not tile-opt --gpu-name=sm_80 --pass-pipeline='builtin.module(nv_tileas.func(tileas-allocate-shared,tileas-insert-barriers),convert-tileas-to-nvvm,nvvm.func(nvvm-expand-math,nvvm-legalize-arith),emit-ptx)' %s 2>&1 | FileCheck %s

// sm_80 has no bulk loads.

// CHECK: 'nv_tileas.bulk_load' op needs bulk copy global to shared::cluster, which sm_80 does not have

!tile = !nv_tileas.buffer<32x4xi32, #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>
!mbarrier = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %c0 = arith.constant 0 : i32
  %a = nv_tileas.alloc_shared : !tile
  %bar = nv_tileas.alloc_shared : !mbarrier
  nv_tileas.mbarrier_init %bar, 1 : !mbarrier
  nv_tileas.barrier
  nv_tileas.mbarrier_expect %bar, 512 : !mbarrier
  %t = nv_tileas.bulk_load %a, %src, %bar : !tile, !nv_tileas.ptr<i32>, !mbarrier -> !nv_tileas.mem_token
  nv_tileas.mbarrier_wait %bar, %c0 : !mbarrier, i32
  nv_tileas.return
}
