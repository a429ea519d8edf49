// RUN: not tile-opt --gpu-name=sm_80 --pass-pipeline='builtin.module(nv_tileas.func(tileas-allocate-shared,tileas-insert-barriers),convert-tileas-to-nvvm,nvvm.func(nvvm-expand-math,nvvm-legalize-arith),emit-ptx)' %s 2>&1 | FileCheck %s

// No set of threads makes five arrivals.

// CHECK: 'nv_tileas.mbarrier_arrive' op makes 5 arrivals, which no set of threads does: one thread makes 1, one of each warp make 1, and all of them make 32

!mbarrier = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>

nv_tileas.func @k(%q: !nv_tileas.ptr<i32>, %src: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %bar = nv_tileas.alloc_shared : !mbarrier
  nv_tileas.mbarrier_init %bar, 5 : !mbarrier
  nv_tileas.mbarrier_arrive %bar, 5 : !mbarrier
  nv_tileas.return
}
