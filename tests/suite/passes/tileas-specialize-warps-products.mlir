// RUN: tile-opt %s --split-input-file '--tileas-specialize-warps=slots=3' --tileas-lower-pipes --gpu-name=sm_100 | FileCheck %s
// RUN: tile-opt %s --split-input-file '--tileas-specialize-warps=slots=3' --gpu-name=sm_100 | FileCheck %s --check-prefix=PIPES
// RUN: tile-opt %s --split-input-file '--tileas-specialize-warps=together' --tileas-lower-pipes --gpu-name=sm_100 | FileCheck %s --check-prefix=TOGETHER

// Products whose sums are in TMEM are started by a warp of their own, and tell an mbarrier themselves when a slot is free. A sum that is made once has one slot, and nothing says that it is free.
// CHECK-LABEL: nv_tileas.func @sum
// CHECK-SAME: num_warps = 6
// CHECK: %[[FULL:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<3 x [1x!nv_tileas.mbarrier]
// CHECK: %[[EMPTY:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<3 x [1x!nv_tileas.mbarrier]
// CHECK-COUNT-3: nv_tileas.mbarrier_init %{{.*}}, 1 :
// CHECK: %[[SUM:.*]] = nv_tileas.alloc_tmem : !nv_tileas.buffer<128x64xf32
// CHECK: %[[DONE:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier
// CHECK: nv_tileas.mbarrier_init %[[DONE]], 1
// CHECK: nv_tileas.warp_specialize
// CHECK: role "compute" warps(4)
// CHECK-NOT: scf.for
// CHECK: nv_tileas.mbarrier_wait %[[DONE]], %{{.*}} tensor
// CHECK: %[[SOME:.*]] = arith.cmpi slt
// CHECK: %[[NONE:.*]] = arith.constant true
// CHECK: scf.if
// CHECK: nv_tileas.tmem_store %{{.*}}, %[[SUM]]
// CHECK: nv_tileas.tmem_load %[[SUM]]
// CHECK-NOT: mbarrier_arrive
// CHECK: role "load" warps(1)
// CHECK: role "product" warps(1)
// CHECK: scf.for %[[I:.*]] = %[[LO:.*]] to
// CHECK: %[[FREE:.*]] = nv_tileas.buffer_stage %[[EMPTY]]
// CHECK: nv_tileas.mbarrier_wait
// CHECK: %[[ADD:.*]] = arith.cmpi ne, %[[I]], %[[LO]]
// CHECK: nv_tileas.tmem_dot %{{.*}}, %{{.*}}, %[[SUM]] if %[[ADD]], %[[FREE]]
// CHECK-NOT: mma_wait
// CHECK: nv_tileas.mma_commit %[[DONE]]
// CHECK: nv_tileas.mma_wait 0 for %[[DONE]]
// PIPES-LABEL: nv_tileas.func @sum
// PIPES: %[[IN:.*]] = nv_tileas.pipe_create %{{.*}} -> !nv_tileas.pipe<tma -> mma, !nv_tileas.buffer<3 x [128x64xf16]
// PIPES: %[[OUT:.*]] = nv_tileas.pipe_create %{{.*}} -> !nv_tileas.pipe<mma -> threads, !nv_tileas.buffer<128x64xf32
// PIPES: role "compute"
// PIPES: %[[DONE:.*]] = nv_tileas.pipe_wait %[[OUT]]
// PIPES: nv_tileas.tmem_load %[[DONE]]
// PIPES-NOT: pipe_release
// PIPES: role "load"
// PIPES: scf.for
// PIPES-NEXT: arith.extsi
// PIPES-NEXT: arith.muli
// PIPES-NEXT: %[[FREE:.*]]:3 = nv_tileas.pipe_acquire %[[IN]]
// PIPES-NEXT: nv_tileas.tma_load %[[FREE]]#0, %{{.*}}, %[[FREE]]#2
// PIPES-NEXT: nv_tileas.tma_load %[[FREE]]#1, %{{.*}}, %[[FREE]]#2
// PIPES-NEXT: nv_tileas.pipe_commit %[[IN]]
// PIPES: role "product"
// PIPES: %[[SUM:.*]]:2 = nv_tileas.pipe_acquire %[[OUT]]
// PIPES-NEXT: scf.for
// PIPES-NEXT: %[[AB:.*]]:3 = nv_tileas.pipe_wait %[[IN]]
// PIPES-NEXT: arith.cmpi
// PIPES-NEXT: nv_tileas.tmem_dot %[[AB]]#0, %[[AB]]#1, %[[SUM]]#0 if %{{.*}}, %[[AB]]#2
// PIPES-NEXT: nv_tileas.pipe_release %[[IN]]
// PIPES: nv_tileas.mma_commit %[[SUM]]#1
// PIPES-NEXT: nv_tileas.pipe_commit %[[OUT]]
// PIPES-NEXT: nv_tileas.pipe_drain %[[OUT]]
// TOGETHER-LABEL: nv_tileas.func @sum
// TOGETHER-SAME: num_warps = 5
// TOGETHER-NOT: role "product"
// TOGETHER: nv_tileas.dot_async
#sum = #nv_tileas.layout<"{shape = [128, 64], register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [128, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#b = #nv_tileas.shared<"{shape = [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<128x64xf16, #a>
!tb = !nv_tileas.buffer<64x64xf16, #b>
!ma = !nv_tileas.tma_map<128x64xf16, order = [1, 0], swizzle = 128>
!mb = !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @sum(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %tiles: i32, %depth: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %rows = arith.constant 128 : i64
  %wide = arith.constant 512 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !ma
  %mb = nv_tileas.tensor_map %q sizes [%wide, %c64] strides [%c64, %c1] : !nv_tileas.ptr<f16> -> !mb
  %none = arith.constant dense<0.0> : tensor<128x64xf32> as tensor<128x64xf32, #sum>
  %bara = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara, 1 : !bar
  %barb = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb, 1 : !bar
  %sum:3 = scf.for %i = %z to %depth step %one iter_args(%acc = %none, %pa = %z, %pb = %z) -> (tensor<128x64xf32, #sum>, i32, i32) : i32 {
    %at = arith.extsi %i : i32 to i64
    %x = arith.muli %at, %c64 : i64
    %a = nv_tileas.alloc_shared align 1024 : !ta
    nv_tileas.mbarrier_expect %bara, 16384 : !bar
    %ta = nv_tileas.tma_load %a, %ma[%c0, %x], %bara token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
    %b = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb, 8192 : !bar
    %tb = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
    nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<tcgen05.mma, m128n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<128x64xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    %na = arith.xori %pa, %one : i32
    %nb = arith.xori %pb, %one : i32
    scf.continue %d, %na, %nb : tensor<128x64xf32, #sum>, i32, i32
  }
  %done = nv_tileas.dot_wait %sum#0 {pending = 0 : i32} : tensor<128x64xf32, #sum>
  %t = nv_tileas.tiled_store %done, %out[%c0, %c0] sizes [%rows, %c64] strides [%c64, %c1] {bounds = array<i1: false, false>} : tensor<128x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// A loop over tiles makes sums by turns in two slots: the next one while threads take this one. The depth of tile t is t steps, of which the first has none: what threads add up for it are zeros.
// CHECK-LABEL: nv_tileas.func @sums
// CHECK: %[[SUM:.*]] = nv_tileas.alloc_tmem : !nv_tileas.buffer<2 x [128x64xf32]
// CHECK: %[[FULL:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier]
// CHECK-COUNT-2: nv_tileas.mbarrier_init %{{.*}}, 1 :
// CHECK: %[[EMPTY:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier]
// CHECK-COUNT-2: nv_tileas.mbarrier_init %{{.*}}, 4 :
// CHECK: role "compute" warps(4)
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: %[[F:.*]] = nv_tileas.buffer_stage %[[FULL]][%[[AT:.*]]] :
// CHECK: nv_tileas.mbarrier_wait %[[F]], %{{.*}} tensor
// CHECK: nv_tileas.tmem_load
// CHECK: %[[E:.*]] = nv_tileas.buffer_stage %[[EMPTY]][%[[AT]]] :
// CHECK: nv_tileas.mbarrier_arrive %[[E]], 4 tensor
// CHECK: arith.addf
// CHECK: role "product" warps(1)
// CHECK: scf.for
// CHECK: %[[G:.*]] = nv_tileas.buffer_stage %[[EMPTY]][%[[NEXT:.*]]] :
// CHECK: nv_tileas.mbarrier_wait %[[G]], %{{.*}} tensor
// CHECK: %[[H:.*]] = nv_tileas.buffer_stage %[[FULL]][%[[NEXT]]] :
// CHECK: %[[PLACE:.*]] = nv_tileas.buffer_stage %[[SUM]][%[[NEXT]]]
// CHECK: scf.for
// CHECK: nv_tileas.tmem_dot %{{.*}}, %{{.*}}, %[[PLACE]]
// CHECK: nv_tileas.mma_commit %[[H]]
// CHECK: nv_tileas.mma_wait 0
// TOGETHER-LABEL: nv_tileas.func @sums
// TOGETHER-NOT: role "product"
// TOGETHER: nv_tileas.dot_async
#sum = #nv_tileas.layout<"{shape = [128, 64], register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [128, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#b = #nv_tileas.shared<"{shape = [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<128x64xf16, #a>
!tb = !nv_tileas.buffer<64x64xf16, #b>
!ma = !nv_tileas.tma_map<128x64xf16, order = [1, 0], swizzle = 128>
!mb = !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @sums(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %tiles: i32, %depth: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %rows = arith.constant 128 : i64
  %wide = arith.constant 512 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !ma
  %mb = nv_tileas.tensor_map %q sizes [%wide, %c64] strides [%c64, %c1] : !nv_tileas.ptr<f16> -> !mb
  %none = arith.constant dense<0.0> : tensor<128x64xf32> as tensor<128x64xf32, #sum>
  %bara = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara, 1 : !bar
  %barb = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb, 1 : !bar
  %all:3 = scf.for %k = %z to %tiles step %one iter_args(%total = %none, %ra = %z, %rb = %z) -> (tensor<128x64xf32, #sum>, i32, i32) : i32 {
    %sum:3 = scf.for %i = %z to %k step %one iter_args(%acc = %none, %pa = %ra, %pb = %rb) -> (tensor<128x64xf32, #sum>, i32, i32) : i32 {
      %at = arith.extsi %i : i32 to i64
      %x = arith.muli %at, %c64 : i64
      %a = nv_tileas.alloc_shared align 1024 : !ta
      nv_tileas.mbarrier_expect %bara, 16384 : !bar
      %ta = nv_tileas.tma_load %a, %ma[%c0, %x], %bara token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
      %b = nv_tileas.alloc_shared align 1024 : !tb
      nv_tileas.mbarrier_expect %barb, 8192 : !bar
      %tb = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
      nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
      nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
      nv_tileas.fence_async
      %d = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<tcgen05.mma, m128n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<128x64xf32, #sum>
      nv_tileas.dot_wait {pending = 0 : i32}
      %na = arith.xori %pa, %one : i32
      %nb = arith.xori %pb, %one : i32
      scf.continue %d, %na, %nb : tensor<128x64xf32, #sum>, i32, i32
    }
    %done = nv_tileas.dot_wait %sum#0 {pending = 0 : i32} : tensor<128x64xf32, #sum>
    %more = arith.addf %total, %done : tensor<128x64xf32, #sum>
    scf.continue %more, %sum#1, %sum#2 : tensor<128x64xf32, #sum>, i32, i32
  }
  %t = nv_tileas.tiled_store %all#0, %out[%c0, %c0] sizes [%rows, %c64] strides [%c64, %c1] {bounds = array<i1: false, false>} : tensor<128x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// A sum may go on in a second loop, whose first product adds if there was one before, and end with a product outside of loops, after which there surely was one.
// CHECK-LABEL: nv_tileas.func @goes_on
// CHECK: role "compute" warps(4)
// CHECK-NOT: tmem_store
// CHECK: nv_tileas.tmem_load
// CHECK: role "product" warps(1)
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[ANY:.*]] = arith.cmpi slt
// CHECK: %[[LATER:.*]] = arith.cmpi ne
// CHECK: %[[ADD:.*]] = arith.ori %[[ANY]], %[[LATER]] : i1
// CHECK: nv_tileas.tmem_dot %{{.*}} if %[[ADD]]
// CHECK: nv_tileas.mma_commit
#sum = #nv_tileas.layout<"{shape = [128, 64], register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [128, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#b = #nv_tileas.shared<"{shape = [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<128x64xf16, #a>
!tb = !nv_tileas.buffer<64x64xf16, #b>
!ma = !nv_tileas.tma_map<128x64xf16, order = [1, 0], swizzle = 128>
!mb = !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @goes_on(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %tiles: i32, %depth: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %rows = arith.constant 128 : i64
  %wide = arith.constant 512 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !ma
  %mb = nv_tileas.tensor_map %q sizes [%wide, %c64] strides [%c64, %c1] : !nv_tileas.ptr<f16> -> !mb
  %none = arith.constant dense<0.0> : tensor<128x64xf32> as tensor<128x64xf32, #sum>
  %bara1 = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara1, 1 : !bar
  %barb1 = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb1, 1 : !bar
  %bara2 = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara2, 1 : !bar
  %barb2 = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb2, 1 : !bar
  %bara3 = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara3, 1 : !bar
  %barb3 = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb3, 1 : !bar
  %all:7 = scf.for %k = %z to %tiles step %one iter_args(%total = %none, %ra1 = %z, %rb1 = %z, %ra2 = %z, %rb2 = %z, %ra3 = %z, %rb3 = %z) -> (tensor<128x64xf32, #sum>, i32, i32, i32, i32, i32, i32) : i32 {
    %sum1:3 = scf.for %i1 = %z to %k step %one iter_args(%acc1 = %none, %pa1 = %ra1, %pb1 = %rb1) -> (tensor<128x64xf32, #sum>, i32, i32) : i32 {
      %at1 = arith.extsi %i1 : i32 to i64
      %x1 = arith.muli %at1, %c64 : i64
      %a1 = nv_tileas.alloc_shared align 1024 : !ta
      nv_tileas.mbarrier_expect %bara1, 16384 : !bar
      %ta1 = nv_tileas.tma_load %a1, %ma[%c0, %x1], %bara1 token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
      %b1 = nv_tileas.alloc_shared align 1024 : !tb
      nv_tileas.mbarrier_expect %barb1, 8192 : !bar
      %tb1 = nv_tileas.tma_load %b1, %mb[%x1, %c0], %barb1 token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
      nv_tileas.mbarrier_wait %bara1, %pa1 : !bar, i32
      nv_tileas.mbarrier_wait %barb1, %pb1 : !bar, i32
      nv_tileas.fence_async
      %d1 = nv_tileas.dot_async %a1, %b1, %acc1 {mma = #nv_tileas.mma<tcgen05.mma, m128n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<128x64xf32, #sum>
      nv_tileas.dot_wait {pending = 0 : i32}
      %na1 = arith.xori %pa1, %one : i32
      %nb1 = arith.xori %pb1, %one : i32
      scf.continue %d1, %na1, %nb1 : tensor<128x64xf32, #sum>, i32, i32
    }
    %sum2:3 = scf.for %i2 = %z to %depth step %one iter_args(%acc2 = %sum1#0, %pa2 = %ra2, %pb2 = %rb2) -> (tensor<128x64xf32, #sum>, i32, i32) : i32 {
      %at2 = arith.extsi %i2 : i32 to i64
      %x2 = arith.muli %at2, %c64 : i64
      %a2 = nv_tileas.alloc_shared align 1024 : !ta
      nv_tileas.mbarrier_expect %bara2, 16384 : !bar
      %ta2 = nv_tileas.tma_load %a2, %ma[%c0, %x2], %bara2 token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
      %b2 = nv_tileas.alloc_shared align 1024 : !tb
      nv_tileas.mbarrier_expect %barb2, 8192 : !bar
      %tb2 = nv_tileas.tma_load %b2, %mb[%x2, %c0], %barb2 token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
      nv_tileas.mbarrier_wait %bara2, %pa2 : !bar, i32
      nv_tileas.mbarrier_wait %barb2, %pb2 : !bar, i32
      nv_tileas.fence_async
      %d2 = nv_tileas.dot_async %a2, %b2, %acc2 {mma = #nv_tileas.mma<tcgen05.mma, m128n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<128x64xf32, #sum>
      nv_tileas.dot_wait {pending = 0 : i32}
      %na2 = arith.xori %pa2, %one : i32
      %nb2 = arith.xori %pb2, %one : i32
      scf.continue %d2, %na2, %nb2 : tensor<128x64xf32, #sum>, i32, i32
    }
    %at3 = arith.extsi %k : i32 to i64
    %x3 = arith.muli %at3, %c64 : i64
    %a3 = nv_tileas.alloc_shared align 1024 : !ta
    nv_tileas.mbarrier_expect %bara3, 16384 : !bar
    %ta3 = nv_tileas.tma_load %a3, %ma[%c0, %x3], %bara3 token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
    %b3 = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb3, 8192 : !bar
    %tb3 = nv_tileas.tma_load %b3, %mb[%x3, %c0], %barb3 token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bara3, %ra3 : !bar, i32
    nv_tileas.mbarrier_wait %barb3, %rb3 : !bar, i32
    nv_tileas.fence_async
    %d3 = nv_tileas.dot_async %a3, %b3, %sum2#0 {mma = #nv_tileas.mma<tcgen05.mma, m128n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<128x64xf32, #sum>
    %na3 = arith.xori %ra3, %one : i32
    %nb3 = arith.xori %rb3, %one : i32
    %done = nv_tileas.dot_wait %d3 {pending = 0 : i32} : tensor<128x64xf32, #sum>
    %more = arith.addf %total, %done : tensor<128x64xf32, #sum>
    scf.continue %more, %sum1#1, %sum1#2, %sum2#1, %sum2#2, %na3, %nb3 : tensor<128x64xf32, #sum>, i32, i32, i32, i32, i32, i32
  }
  %t = nv_tileas.tiled_store %all#0, %out[%c0, %c0] sizes [%rows, %c64] strides [%c64, %c1] {bounds = array<i1: false, false>} : tensor<128x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// What threads take of a sum that goes on, they hand over again before the second loop.
// CHECK-LABEL: nv_tileas.func @taken_between
// CHECK: role "compute"
// CHECK: nv_tileas.tmem_load
// CHECK: %[[TAKEN:.*]] = arith.addf
// CHECK: nv_tileas.tmem_store %[[TAKEN]]
// CHECK-NEXT: nv_tileas.mbarrier_arrive
// CHECK: nv_tileas.tmem_load
// CHECK: role "product"
#sum = #nv_tileas.layout<"{shape = [128, 64], register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [128, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#b = #nv_tileas.shared<"{shape = [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<128x64xf16, #a>
!tb = !nv_tileas.buffer<64x64xf16, #b>
!ma = !nv_tileas.tma_map<128x64xf16, order = [1, 0], swizzle = 128>
!mb = !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @taken_between(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %tiles: i32, %depth: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %rows = arith.constant 128 : i64
  %wide = arith.constant 512 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !ma
  %mb = nv_tileas.tensor_map %q sizes [%wide, %c64] strides [%c64, %c1] : !nv_tileas.ptr<f16> -> !mb
  %none = arith.constant dense<0.0> : tensor<128x64xf32> as tensor<128x64xf32, #sum>
  %bara1 = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara1, 1 : !bar
  %barb1 = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb1, 1 : !bar
  %bara2 = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara2, 1 : !bar
  %barb2 = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb2, 1 : !bar
  %sum1:3 = scf.for %i1 = %z to %depth step %one iter_args(%acc1 = %none, %pa1 = %z, %pb1 = %z) -> (tensor<128x64xf32, #sum>, i32, i32) : i32 {
    %at1 = arith.extsi %i1 : i32 to i64
    %x1 = arith.muli %at1, %c64 : i64
    %a1 = nv_tileas.alloc_shared align 1024 : !ta
    nv_tileas.mbarrier_expect %bara1, 16384 : !bar
    %ta1 = nv_tileas.tma_load %a1, %ma[%c0, %x1], %bara1 token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
    %b1 = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb1, 8192 : !bar
    %tb1 = nv_tileas.tma_load %b1, %mb[%x1, %c0], %barb1 token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bara1, %pa1 : !bar, i32
    nv_tileas.mbarrier_wait %barb1, %pb1 : !bar, i32
    nv_tileas.fence_async
    %d1 = nv_tileas.dot_async %a1, %b1, %acc1 {mma = #nv_tileas.mma<tcgen05.mma, m128n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<128x64xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    %na1 = arith.xori %pa1, %one : i32
    %nb1 = arith.xori %pb1, %one : i32
    scf.continue %d1, %na1, %nb1 : tensor<128x64xf32, #sum>, i32, i32
  }
  %half = nv_tileas.dot_wait %sum1#0 {pending = 0 : i32} : tensor<128x64xf32, #sum>
  %scaled = arith.addf %half, %half : tensor<128x64xf32, #sum>
  %sum2:3 = scf.for %i2 = %z to %depth step %one iter_args(%acc2 = %scaled, %pa2 = %z, %pb2 = %z) -> (tensor<128x64xf32, #sum>, i32, i32) : i32 {
    %at2 = arith.extsi %i2 : i32 to i64
    %x2 = arith.muli %at2, %c64 : i64
    %a2 = nv_tileas.alloc_shared align 1024 : !ta
    nv_tileas.mbarrier_expect %bara2, 16384 : !bar
    %ta2 = nv_tileas.tma_load %a2, %ma[%c0, %x2], %bara2 token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
    %b2 = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb2, 8192 : !bar
    %tb2 = nv_tileas.tma_load %b2, %mb[%x2, %c0], %barb2 token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bara2, %pa2 : !bar, i32
    nv_tileas.mbarrier_wait %barb2, %pb2 : !bar, i32
    nv_tileas.fence_async
    %d2 = nv_tileas.dot_async %a2, %b2, %acc2 {mma = #nv_tileas.mma<tcgen05.mma, m128n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<128x64xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    %na2 = arith.xori %pa2, %one : i32
    %nb2 = arith.xori %pb2, %one : i32
    scf.continue %d2, %na2, %nb2 : tensor<128x64xf32, #sum>, i32, i32
  }
  %done = nv_tileas.dot_wait %sum2#0 {pending = 0 : i32} : tensor<128x64xf32, #sum>
  %t = nv_tileas.tiled_store %done, %out[%c0, %c0] sizes [%rows, %c64] strides [%c64, %c1] {bounds = array<i1: false, false>} : tensor<128x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// Two MMAs share operand A. Each releases a stage: the first one that of its B, the second one those of A and C.
// CHECK-LABEL: nv_tileas.func @shared_operand
// CHECK-SAME: num_warps = 6
// CHECK: role "product" warps(1)
// CHECK: scf.for
// CHECK-COUNT-2: nv_tileas.tmem_dot
// CHECK: nv_tileas.mma_commit
// TOGETHER-LABEL: nv_tileas.func @shared_operand
// TOGETHER-NOT: role "product"
#sum = #nv_tileas.layout<"{shape = [128, 64], register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [128, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#b = #nv_tileas.shared<"{shape = [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<128x64xf16, #a>
!tb = !nv_tileas.buffer<64x64xf16, #b>
!ma = !nv_tileas.tma_map<128x64xf16, order = [1, 0], swizzle = 128>
!mb = !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @shared_operand(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %tiles: i32, %depth: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %rows = arith.constant 128 : i64
  %wide = arith.constant 512 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !ma
  %mb = nv_tileas.tensor_map %q sizes [%wide, %c64] strides [%c64, %c1] : !nv_tileas.ptr<f16> -> !mb
  %none = arith.constant dense<0.0> : tensor<128x64xf32> as tensor<128x64xf32, #sum>
  %bara = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara, 1 : !bar
  %barb = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb, 1 : !bar
  %barc = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barc, 1 : !bar
  %sum:5 = scf.for %i = %z to %depth step %one iter_args(%acc = %none, %more = %none, %pa = %z, %pb = %z, %pc = %z) -> (tensor<128x64xf32, #sum>, tensor<128x64xf32, #sum>, i32, i32, i32) : i32 {
    %at = arith.extsi %i : i32 to i64
    %x = arith.muli %at, %c64 : i64
    %a = nv_tileas.alloc_shared align 1024 : !ta
    nv_tileas.mbarrier_expect %bara, 16384 : !bar
    %ta = nv_tileas.tma_load %a, %ma[%c0, %x], %bara token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
    %b = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb, 8192 : !bar
    %tb = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    %c = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barc, 8192 : !bar
    %tc = nv_tileas.tma_load %c, %mb[%c0, %c0], %barc token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
    nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<tcgen05.mma, m128n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<128x64xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    nv_tileas.mbarrier_wait %barc, %pc : !bar, i32
    %e = nv_tileas.dot_async %a, %c, %more {mma = #nv_tileas.mma<tcgen05.mma, m128n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<128x64xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    %na = arith.xori %pa, %one : i32
    %nb = arith.xori %pb, %one : i32
    %nc = arith.xori %pc, %one : i32
    scf.continue %d, %e, %na, %nb, %nc : tensor<128x64xf32, #sum>, tensor<128x64xf32, #sum>, i32, i32, i32
  }
  %first = nv_tileas.dot_wait %sum#0 {pending = 0 : i32} : tensor<128x64xf32, #sum>
  %second = nv_tileas.dot_wait %sum#1 {pending = 0 : i32} : tensor<128x64xf32, #sum>
  %done = arith.addf %first, %second : tensor<128x64xf32, #sum>
  %t = nv_tileas.tiled_store %done, %out[%c0, %c0] sizes [%rows, %c64] strides [%c64, %c1] {bounds = array<i1: false, false>} : tensor<128x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// A loop in which TMA brings all operands, and its version for parameters that TMA does not take. Only the first one has
// a producer and an MMA warp. The consumers execute the other one as they would without roles.
// CHECK-LABEL: nv_tileas.func @versions
// CHECK-SAME: num_warps = 6
// CHECK: role "compute" warps(4)
// CHECK: nv_tileas.tma_load
// CHECK: nv_tileas.local_store
// CHECK: nv_tileas.dot_async
// CHECK: role "load" warps(1)
// CHECK-COUNT-2: nv_tileas.tma_load
// CHECK-NOT: nv_tileas.tma_load
// CHECK: role "product" warps(1)
// CHECK: nv_tileas.tmem_dot
// CHECK-NOT: nv_tileas.dot_async
// TOGETHER-LABEL: nv_tileas.func @versions
// TOGETHER-NOT: role "product"
#sum = #nv_tileas.layout<"{shape = [128, 64], register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [128, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#b = #nv_tileas.shared<"{shape = [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]}">
#held = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<128x64xf16, #a>
!tb = !nv_tileas.buffer<64x64xf16, #b>
!ma = !nv_tileas.tma_map<128x64xf16, order = [1, 0], swizzle = 128>
!mb = !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @versions(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %tiles: i32, %depth: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %rows = arith.constant 128 : i64
  %wide = arith.constant 512 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !ma
  %mb = nv_tileas.tensor_map %q sizes [%wide, %c64] strides [%c64, %c1] : !nv_tileas.ptr<f16> -> !mb
  %none = arith.constant dense<0.0> : tensor<128x64xf32> as tensor<128x64xf32, #sum>
  %three = arith.constant 3 : i32
  %fast = arith.cmpi eq, %tiles, %three : i32
  %done = scf.if %fast -> (tensor<128x64xf32, #sum>) {
    %bara = nv_tileas.alloc_shared : !bar
    nv_tileas.mbarrier_init %bara, 1 : !bar
    %barb = nv_tileas.alloc_shared : !bar
    nv_tileas.mbarrier_init %barb, 1 : !bar
    %sum:3 = scf.for %i = %z to %depth step %one iter_args(%acc = %none, %pa = %z, %pb = %z) -> (tensor<128x64xf32, #sum>, i32, i32) : i32 {
      %at = arith.extsi %i : i32 to i64
      %x = arith.muli %at, %c64 : i64
      %a = nv_tileas.alloc_shared align 1024 : !ta
      nv_tileas.mbarrier_expect %bara, 16384 : !bar
      %ta = nv_tileas.tma_load %a, %ma[%c0, %x], %bara token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
      %b = nv_tileas.alloc_shared align 1024 : !tb
      nv_tileas.mbarrier_expect %barb, 8192 : !bar
      %tb = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
      nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
      nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
      nv_tileas.fence_async
      %d = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<tcgen05.mma, m128n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<128x64xf32, #sum>
      nv_tileas.dot_wait {pending = 0 : i32}
      %na = arith.xori %pa, %one : i32
      %nb = arith.xori %pb, %one : i32
      scf.continue %d, %na, %nb : tensor<128x64xf32, #sum>, i32, i32
    }
    %s1 = nv_tileas.dot_wait %sum#0 {pending = 0 : i32} : tensor<128x64xf32, #sum>
    scf.yield %s1 : tensor<128x64xf32, #sum>
  } else {
    %bara = nv_tileas.alloc_shared : !bar
    nv_tileas.mbarrier_init %bara, 1 : !bar
    %barb = nv_tileas.alloc_shared : !bar
    nv_tileas.mbarrier_init %barb, 1 : !bar
    %sum:3 = scf.for %i = %z to %depth step %one iter_args(%acc = %none, %pa = %z, %pb = %z) -> (tensor<128x64xf32, #sum>, i32, i32) : i32 {
      %at = arith.extsi %i : i32 to i64
      %x = arith.muli %at, %c64 : i64
      %a = nv_tileas.alloc_shared align 1024 : !ta
      nv_tileas.mbarrier_expect %bara, 16384 : !bar
      %ta = nv_tileas.tma_load %a, %ma[%c0, %x], %bara token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
      %v, %tb = nv_tileas.tiled_load %q[%x, %c0] sizes [%wide, %c64] strides [%c64, %c1] token %start {bounds = array<i1: false, false>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #held>
      %b = nv_tileas.alloc_shared align 1024 : !tb
      nv_tileas.local_store %v, %b : tensor<64x64xf16, #held>, !tb
      nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
      nv_tileas.fence_async
      %d = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<tcgen05.mma, m128n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<128x64xf32, #sum>
      nv_tileas.dot_wait {pending = 0 : i32}
      %na = arith.xori %pa, %one : i32
      %nb = arith.xori %pb, %one : i32
      scf.continue %d, %na, %nb : tensor<128x64xf32, #sum>, i32, i32
    }
    %s2 = nv_tileas.dot_wait %sum#0 {pending = 0 : i32} : tensor<128x64xf32, #sum>
    scf.yield %s2 : tensor<128x64xf32, #sum>
  }
  %t = nv_tileas.tiled_store %done, %out[%c0, %c0] sizes [%rows, %c64] strides [%c64, %c1] {bounds = array<i1: false, false>} : tensor<128x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
