// RUN: tile-opt %s --split-input-file '--tileas-specialize-warps=stages=3' --gpu-name=sm_100 | FileCheck %s --check-prefix=PIPES
// RUN: tile-opt %s --split-input-file '--tileas-specialize-warps=stages=3' --tileas-lower-pipes --gpu-name=sm_100 | FileCheck %s

// Threads copy an operand and hand it to the MMA warp in flight. Nobody but that warp waits for the copies, and it fences them.
// PIPES-LABEL: nv_tileas.func @copied
// PIPES: %[[B:.*]] = nv_tileas.pipe_create %{{.*}} -> !nv_tileas.pipe<tma -> mma, !nv_tileas.buffer<3 x [64x64xf16]
// PIPES: %[[A:.*]] = nv_tileas.pipe_create %{{.*}} -> !nv_tileas.pipe<copies -> mma, !nv_tileas.buffer<3 x [128x64xf16]
// PIPES: role "compute" warps(4)
// PIPES: scf.for
// PIPES: %[[FREE:.*]] = nv_tileas.pipe_acquire %[[A]]
// PIPES-NEXT: nv_tileas.copy_async %[[FREE]],
// PIPES-NEXT: nv_tileas.commit_group
// PIPES-NEXT: nv_tileas.pipe_commit %[[A]]
// PIPES-NOT: wait_group
// PIPES-NOT: fence_async
// PIPES: role "load" warps(1)
// PIPES: role "product" warps(1)
// PIPES: %[[FB:.*]]:2 = nv_tileas.pipe_wait %[[B]]
// PIPES: %[[FA:.*]]:2 = nv_tileas.pipe_wait %[[A]]
// PIPES-NEXT: nv_tileas.fence_async
// PIPES: nv_tileas.tmem_dot %[[FA]]#0, %[[FB]]#0
// CHECK-LABEL: nv_tileas.func @copied
// CHECK: %[[TMA:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<3 x [1x!nv_tileas.mbarrier]
// CHECK-COUNT-3: nv_tileas.mbarrier_init %{{.*}}, 1 :
// CHECK: nv_tileas.alloc_shared : !nv_tileas.buffer<3 x [1x!nv_tileas.mbarrier]
// CHECK: %[[FULL:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<3 x [1x!nv_tileas.mbarrier]
// CHECK-COUNT-3: nv_tileas.mbarrier_init %{{.*}}, 128 :
// CHECK: role "compute"
// CHECK: nv_tileas.commit_group
// CHECK: %[[STAGE:.*]] = nv_tileas.buffer_stage %[[FULL]]
// CHECK-NEXT: nv_tileas.mbarrier_arrive %[[STAGE]], 128 copies

// In the second kernel a store in the loop is ordered after the copy by a token, so its threads wait, and issue the MMAs.
// PIPES-LABEL: nv_tileas.func @ordered
// PIPES-NOT: copies -> mma
// PIPES: nv_tileas.return
#sum = #nv_tileas.layout<"{shape = [128, 64], register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [128, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#b = #nv_tileas.shared<"{shape = [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<128x64xf16, #a>
!tb = !nv_tileas.buffer<64x64xf16, #b>
!mb = !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @copied(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %tiles: i32, %depth: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %rows = arith.constant 128 : i64
  %wide = arith.constant 512 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %mb = nv_tileas.tensor_map %q sizes [%wide, %c64] strides [%c64, %c1] : !nv_tileas.ptr<f16> -> !mb
  %none = arith.constant dense<0.0> : tensor<128x64xf32> as tensor<128x64xf32, #sum>
  %barb = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb, 1 : !bar
  %sum:2 = scf.for %i = %z to %depth step %one iter_args(%acc = %none, %pb = %z) -> (tensor<128x64xf32, #sum>, i32) : i32 {
    %at = arith.extsi %i : i32 to i64
    %x = arith.muli %at, %c64 : i64
    %a = nv_tileas.alloc_shared align 1024 : !ta
    %ta = nv_tileas.copy_async %a, %p[%c0, %x] sizes [%rows, %wide] strides [%wide, %c1] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 128, 512>, stride_div = array<i64: 512, 1>} : !ta, !nv_tileas.ptr<f16>
    %group = nv_tileas.commit_group : !nv_tileas.group
    %b = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb, 8192 : !bar
    %tb = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    nv_tileas.wait_group 0 for %group : !nv_tileas.group
    nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<tcgen05.mma, m128n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<128x64xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    %nb = arith.xori %pb, %one : i32
    scf.continue %d, %nb : tensor<128x64xf32, #sum>, i32
  }
  %done = nv_tileas.dot_wait %sum#0 {pending = 0 : i32} : tensor<128x64xf32, #sum>
  %t = nv_tileas.tiled_store %done, %out[%c0, %c0] sizes [%rows, %c64] strides [%c64, %c1] {bounds = array<i1: false, false>} : tensor<128x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

#sum = #nv_tileas.layout<"{shape = [128, 64], register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [128, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#b = #nv_tileas.shared<"{shape = [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<128x64xf16, #a>
!tb = !nv_tileas.buffer<64x64xf16, #b>
!mb = !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @ordered(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %tiles: i32, %depth: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %rows = arith.constant 128 : i64
  %wide = arith.constant 512 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %mb = nv_tileas.tensor_map %q sizes [%wide, %c64] strides [%c64, %c1] : !nv_tileas.ptr<f16> -> !mb
  %none = arith.constant dense<0.0> : tensor<128x64xf32> as tensor<128x64xf32, #sum>
  %barb = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb, 1 : !bar
  %sum:3 = scf.for %i = %z to %depth step %one iter_args(%acc = %none, %pb = %z, %after = %start) -> (tensor<128x64xf32, #sum>, i32, !nv_tileas.mem_token) : i32 {
    %at = arith.extsi %i : i32 to i64
    %x = arith.muli %at, %c64 : i64
    %a = nv_tileas.alloc_shared align 1024 : !ta
    %ta = nv_tileas.copy_async %a, %p[%c0, %x] sizes [%rows, %wide] strides [%wide, %c1] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 128, 512>, stride_div = array<i64: 512, 1>} : !ta, !nv_tileas.ptr<f16>
    %group = nv_tileas.commit_group : !nv_tileas.group
    %st = nv_tileas.tiled_store %none, %out[%c0, %c0] sizes [%rows, %c64] strides [%c64, %c1] token %ta {bounds = array<i1: false, false>} : tensor<128x64xf32, #sum>, !nv_tileas.ptr<f32>
    %b = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb, 8192 : !bar
    %tb = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    nv_tileas.wait_group 0 for %group : !nv_tileas.group
    nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<tcgen05.mma, m128n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<128x64xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    %nb = arith.xori %pb, %one : i32
    scf.continue %d, %nb, %st : tensor<128x64xf32, #sum>, i32, !nv_tileas.mem_token
  }
  %done = nv_tileas.dot_wait %sum#0 {pending = 0 : i32} : tensor<128x64xf32, #sum>
  %t = nv_tileas.tiled_store %done, %out[%c0, %c0] sizes [%rows, %c64] strides [%c64, %c1] token %sum#2 {bounds = array<i1: false, false>} : tensor<128x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// Two MMAs share what is copied, and each reads one of two TMA loads that are waited for together. So each load gets a pipe
// of its own, which its MMA releases. The copies stay with their role.
// PIPES-LABEL: nv_tileas.func @apart
// PIPES-COUNT-2: pipe<tma -> mma, !nv_tileas.buffer<3 x [64x64xf16]
// PIPES: %[[A:.*]] = nv_tileas.pipe_create %{{.*}} -> !nv_tileas.pipe<copies -> mma, !nv_tileas.buffer<3 x [128x64xf16]
// PIPES: role "compute" warps(4)
// PIPES-NOT: copy_async
// PIPES: role "gather" warps(4)
// PIPES: nv_tileas.pipe_acquire %[[A]]
// PIPES-NEXT: nv_tileas.copy_async
// PIPES: role "load" warps(1)
// PIPES: role "product" warps(1)
#sum = #nv_tileas.layout<"{shape = [128, 64], register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [128, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#b = #nv_tileas.shared<"{shape = [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<128x64xf16, #a>
!tb = !nv_tileas.buffer<64x64xf16, #b>
!mb = !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @apart(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %tiles: i32, %depth: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %rows = arith.constant 128 : i64
  %wide = arith.constant 512 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %mb = nv_tileas.tensor_map %q sizes [%wide, %c64] strides [%c64, %c1] : !nv_tileas.ptr<f16> -> !mb
  %none = arith.constant dense<0.0> : tensor<128x64xf32> as tensor<128x64xf32, #sum>
  %barb = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb, 1 : !bar
  %barc = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barc, 1 : !bar
  %sum:3 = scf.for %i = %z to %depth step %one iter_args(%acc = %none, %pb = %z, %pc = %z) -> (tensor<128x64xf32, #sum>, i32, i32) : i32 {
    %at = arith.extsi %i : i32 to i64
    %x = arith.muli %at, %c64 : i64
    %a = nv_tileas.alloc_shared align 1024 : !ta
    %ta = nv_tileas.copy_async %a, %p[%c0, %x] sizes [%rows, %wide] strides [%wide, %c1] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 128, 512>, stride_div = array<i64: 512, 1>} : !ta, !nv_tileas.ptr<f16>
    %group = nv_tileas.commit_group : !nv_tileas.group
    %b = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb, 8192 : !bar
    %tb = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    %c = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barc, 8192 : !bar
    %tc = nv_tileas.tma_load %c, %mb[%x, %c0], %barc token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    nv_tileas.wait_group 0 for %group : !nv_tileas.group
    nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
    nv_tileas.mbarrier_wait %barc, %pc : !bar, i32
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<tcgen05.mma, m128n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<128x64xf32, #sum>
    %e = nv_tileas.dot_async %a, %c, %none {mma = #nv_tileas.mma<tcgen05.mma, m128n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<128x64xf32, #sum>
    %f = nv_tileas.dot_wait %e {pending = 0 : i32} : tensor<128x64xf32, #sum>
    %g = arith.addf %f, %f : tensor<128x64xf32, #sum>
    %s = nv_tileas.tiled_store %g, %out[%x, %c0] sizes [%wide, %c64] strides [%c64, %c1] {bounds = array<i1: false, false>} : tensor<128x64xf32, #sum>, !nv_tileas.ptr<f32>
    %nb = arith.xori %pb, %one : i32
    %nc = arith.xori %pc, %one : i32
    scf.continue %d, %nb, %nc : tensor<128x64xf32, #sum>, i32, i32
  }
  %done = nv_tileas.dot_wait %sum#0 {pending = 0 : i32} : tensor<128x64xf32, #sum>
  %t = nv_tileas.tiled_store %done, %out[%c0, %c0] sizes [%rows, %c64] strides [%c64, %c1] {bounds = array<i1: false, false>} : tensor<128x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
