// RUN: tile-opt %s --split-input-file '--tileas-specialize-warps=roles=always' --tileas-lower-pipes --gpu-name=sm_90 | FileCheck %s
// RUN: tile-opt %s --split-input-file '--tileas-specialize-warps=roles=always late=false' --tileas-lower-pipes --gpu-name=sm_90 | FileCheck %s --check-prefix=EARLY
// RUN: tile-opt %s --split-input-file '--tileas-specialize-warps=slots=3' --tileas-lower-pipes --gpu-name=sm_90 | FileCheck %s --check-prefix=THREE
// RUN: tile-opt %s --split-input-file '--tileas-specialize-warps=roles=always' --gpu-name=sm_90 | FileCheck %s --check-prefix=PIPES
// RUN: tile-opt %s --split-input-file '--tileas-specialize-warps=roles=none' --gpu-name=sm_90 | FileCheck %s --check-prefix=NONE

// Both copies of an iteration fill a slot of one ring, with an mbarrier that expects the bytes of both and one of an arrival for each warp that computes. The loading role is ahead by an arrival: an iteration frees the slot
// of the one before, whose product its wait has seen done.
// CHECK-LABEL: nv_tileas.func @product
// CHECK-SAME: num_warps = 5
// CHECK: %[[A:.*]] = nv_tileas.alloc_shared align 512 : !nv_tileas.buffer<8 x [64x32xf16]
// CHECK: %[[B:.*]] = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<8 x [32x64xf16]
// CHECK: %[[FULL:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<8 x [1x!nv_tileas.mbarrier]
// CHECK-COUNT-8: nv_tileas.mbarrier_init %{{.*}}, 1 :
// CHECK: %[[EMPTY:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<8 x [1x!nv_tileas.mbarrier]
// CHECK-COUNT-8: nv_tileas.mbarrier_init %{{.*}}, 4 :
// CHECK: role "compute" warps(4) {
// CHECK-NOT: tma_load
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %none, %[[PLACE:.*]] = %{{.*}}, %[[PARITY:.*]] = %
// CHECK: %[[ONE:.*]] = nv_tileas.buffer_stage %[[FULL]][%[[PLACE]]]
// CHECK: nv_tileas.mbarrier_wait %[[ONE]], %[[PARITY]]
// CHECK: nv_tileas.dot_async %{{.*}}, %{{.*}}, %[[SUM]]
// CHECK: nv_tileas.dot_wait {pending = 1 : i32}
// CHECK: %[[FREE:.*]] = nv_tileas.buffer_stage %[[EMPTY]][%[[PLACE]]]
// CHECK: nv_tileas.mbarrier_arrive %[[FREE]], 4
// CHECK: nv_tileas.tiled_store
// CHECK: role "load" warps(1) {
// CHECK-NOT: tensor<64x64xf32
// CHECK: scf.for {{.*}} iter_args(%[[AT:.*]] = %{{.*}}, %[[ROUND:.*]] = %
// CHECK: %[[READ:.*]] = nv_tileas.buffer_stage %[[EMPTY]][%[[AT]]]
// CHECK: nv_tileas.mbarrier_wait %[[READ]], %[[ROUND]]
// CHECK: %[[TELL:.*]] = nv_tileas.buffer_stage %[[FULL]][%[[AT]] + 7]
// CHECK: nv_tileas.mbarrier_expect %[[TELL]], 8192
// CHECK: %[[SA:.*]] = nv_tileas.buffer_stage %[[A]][%[[AT]] + 7]
// CHECK: %[[SB:.*]] = nv_tileas.buffer_stage %[[B]][%[[AT]] + 7]
// CHECK: nv_tileas.tma_load %[[SA]]
// CHECK: nv_tileas.tma_load %[[SB]]
// CHECK: }
// PIPES-LABEL: nv_tileas.func @product
// PIPES: %[[P:.*]] = nv_tileas.pipe_create %{{.*}} -> !nv_tileas.pipe<tma -> threads, !nv_tileas.buffer<8 x [64x32xf16]
// PIPES: role "compute"
// PIPES: scf.for
// PIPES-NEXT: %[[AB:.*]]:2 = nv_tileas.pipe_wait %[[P]]
// PIPES-NEXT: nv_tileas.dot_async %[[AB]]#0, %[[AB]]#1
// PIPES-NEXT: nv_tileas.dot_wait {pending = 1 : i32}
// PIPES-NEXT: nv_tileas.pipe_release %[[P]] lag 1
// PIPES: role "load"
// THREE-LABEL: nv_tileas.func @product
// THREE: nv_tileas.alloc_shared align 512 : !nv_tileas.buffer<3 x [64x32xf16]
// NONE-LABEL: nv_tileas.func @product
// NONE-SAME: num_warps = 4
// NONE-NOT: warp_specialize
// NONE: nv_tileas.return
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<64x32xf16, #a>
!tb = !nv_tileas.buffer<32x64xf16, #b>
!ma = !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>
!mb = !nv_tileas.tma_map<32x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @product(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !ma
  %mb = nv_tileas.tensor_map %q sizes [%wide, %rows] strides [%rows, %c1] : !nv_tileas.ptr<f16> -> !mb
  %none = arith.constant dense<0.0> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %bara = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara, 1 : !bar
  %barb = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb, 1 : !bar
  %sum:3 = scf.for %i = %lo to %hi step %by iter_args(%acc = %none, %pa = %z, %pb = %z) -> (tensor<64x64xf32, #sum>, i32, i32) : i32 {
    %at = arith.extsi %i : i32 to i64
    %x = arith.muli %at, %c32 : i64
    %nexta = arith.xori %pa, %one : i32
    %a = nv_tileas.alloc_shared align 512 : !ta
    nv_tileas.mbarrier_expect %bara, 4096 : !bar
    %t1 = nv_tileas.tma_load %a, %ma[%c0, %x], %bara token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
    %nextb = arith.xori %pb, %one : i32
    %b = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb, 4096 : !bar
    %t2 = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
    nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<64x64xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    scf.continue %d, %nexta, %nextb : tensor<64x64xf32, #sum>, i32, i32
  }
  %done = nv_tileas.dot_wait %sum#0 {pending = 0 : i32} : tensor<64x64xf32, #sum>
  %t = nv_tileas.tiled_store %done, %out[%c0, %c0] sizes [%rows, %rows] strides [%rows, %c1] {bounds = array<i1: false, false>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// Place and parity go on from one run of the inner loop to the next: the outer loop carries them in both roles.
// CHECK-LABEL: nv_tileas.func @persistent
// CHECK: role "compute"
// CHECK: %[[ALL:.*]]:2 = scf.for {{.*}} iter_args(%[[P:.*]] = %{{.*}}, %[[Q:.*]] = %{{.*}}) -> (i32, i32)
// CHECK: %[[IN:.*]]:3 = scf.for {{.*}} iter_args(%{{.*}} = %none, %{{.*}} = %[[P]], %{{.*}} = %[[Q]])
// CHECK: nv_tileas.tiled_store
// CHECK: scf.continue %[[IN]]#1, %[[IN]]#2 : i32, i32
// CHECK: role "load"
// CHECK: scf.for {{.*}} iter_args(%[[P:.*]] = %{{.*}}, %[[Q:.*]] = %{{.*}}) -> (i32, i32)
// CHECK: %[[IN:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[P]], %{{.*}} = %[[Q]])
// CHECK: scf.continue %[[IN]]#0, %[[IN]]#1 : i32, i32
// CHECK-NOT: tiled_store
// CHECK: nv_tileas.return
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<64x32xf16, #a>
!tb = !nv_tileas.buffer<32x64xf16, #b>
!ma = !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>
!mb = !nv_tileas.tma_map<32x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @persistent(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !ma
  %mb = nv_tileas.tensor_map %q sizes [%wide, %rows] strides [%rows, %c1] : !nv_tileas.ptr<f16> -> !mb
  %none = arith.constant dense<0.0> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %bara = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara, 1 : !bar
  %barb = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb, 1 : !bar
  %all:2 = scf.for %k = %z to %hi step %one iter_args(%ra = %z, %rb = %z) -> (i32, i32) : i32 {
    %sum:3 = scf.for %i = %lo to %hi step %by iter_args(%acc = %none, %pa = %ra, %pb = %rb) -> (tensor<64x64xf32, #sum>, i32, i32) : i32 {
      %at = arith.extsi %i : i32 to i64
      %x = arith.muli %at, %c32 : i64
      %nexta = arith.xori %pa, %one : i32
      %a = nv_tileas.alloc_shared align 512 : !ta
      nv_tileas.mbarrier_expect %bara, 4096 : !bar
      %t1 = nv_tileas.tma_load %a, %ma[%c0, %x], %bara token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
      %nextb = arith.xori %pb, %one : i32
      %b = nv_tileas.alloc_shared align 1024 : !tb
      nv_tileas.mbarrier_expect %barb, 4096 : !bar
      %t2 = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
      nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
      nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
      nv_tileas.fence_async
      %d = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<64x64xf32, #sum>
      nv_tileas.dot_wait {pending = 0 : i32}
      scf.continue %d, %nexta, %nextb : tensor<64x64xf32, #sum>, i32, i32
    }
    %done = nv_tileas.dot_wait %sum#0 {pending = 0 : i32} : tensor<64x64xf32, #sum>
    %t = nv_tileas.tiled_store %done, %out[%c0, %c0] sizes [%rows, %rows] strides [%rows, %c1] {bounds = array<i1: false, false>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
    scf.continue %sum#1, %sum#2 : i32, i32
  }
  nv_tileas.return
}

// -----

// What the tensor copies of a tile read is waited for where their buffers are written again: in the next iteration, each for all but the copies that were started since, and behind the loop.
// CHECK-LABEL: nv_tileas.func @stored
// CHECK: role "compute"
// CHECK: nv_tileas.dot_wait %{{.*}} {pending = 0 : i32}
// CHECK: nv_tileas.bulk_wait read 1
// CHECK: %[[S:.*]] = nv_tileas.alloc_shared
// CHECK: nv_tileas.bulk_wait 0
// CHECK: %[[T:.*]] = nv_tileas.tma_store %[[S]]
// CHECK: nv_tileas.bulk_commit
// CHECK: nv_tileas.bulk_wait read 1
// CHECK: %[[U:.*]] = nv_tileas.alloc_shared
// CHECK: nv_tileas.tma_store %[[U]]
// CHECK: nv_tileas.bulk_commit
// CHECK: scf.continue
// CHECK: }
// CHECK: nv_tileas.bulk_wait read 0
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]}">
#s = #nv_tileas.shared<"{shape = [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<64x32xf16, #a>
!tb = !nv_tileas.buffer<32x64xf16, #b>
!ts = !nv_tileas.buffer<64x64xf32, #s>
!ms = !nv_tileas.tma_map<64x64xf32, order = [1, 0]>
!ma = !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>
!mb = !nv_tileas.tma_map<32x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @stored(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !ma
  %mb = nv_tileas.tensor_map %q sizes [%wide, %rows] strides [%rows, %c1] : !nv_tileas.ptr<f16> -> !mb
  %ms = nv_tileas.tensor_map %out sizes [%rows, %rows] strides [%rows, %c1] : !nv_tileas.ptr<f32> -> !ms
  %none = arith.constant dense<0.0> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %bara = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara, 1 : !bar
  %barb = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb, 1 : !bar
  %all:2 = scf.for %k = %z to %hi step %one iter_args(%ra = %z, %rb = %z) -> (i32, i32) : i32 {
    %sum:3 = scf.for %i = %lo to %hi step %by iter_args(%acc = %none, %pa = %ra, %pb = %rb) -> (tensor<64x64xf32, #sum>, i32, i32) : i32 {
      %at = arith.extsi %i : i32 to i64
      %x = arith.muli %at, %c32 : i64
      %nexta = arith.xori %pa, %one : i32
      %a = nv_tileas.alloc_shared align 512 : !ta
      nv_tileas.mbarrier_expect %bara, 4096 : !bar
      %t1 = nv_tileas.tma_load %a, %ma[%c0, %x], %bara token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
      %nextb = arith.xori %pb, %one : i32
      %b = nv_tileas.alloc_shared align 1024 : !tb
      nv_tileas.mbarrier_expect %barb, 4096 : !bar
      %t2 = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
      nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
      nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
      nv_tileas.fence_async
      %d = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<64x64xf32, #sum>
      nv_tileas.dot_wait {pending = 0 : i32}
      scf.continue %d, %nexta, %nextb : tensor<64x64xf32, #sum>, i32, i32
    }
    %done = nv_tileas.dot_wait %sum#0 {pending = 0 : i32} : tensor<64x64xf32, #sum>
    %s = nv_tileas.alloc_shared align 128 : !ts
    nv_tileas.local_store %done, %s : tensor<64x64xf32, #sum>, !ts
    nv_tileas.fence_async
    nv_tileas.bulk_wait 0
    %t = nv_tileas.tma_store %s, %ms[%c0, %c0] : !ts, !ms -> !nv_tileas.mem_token
    %g = nv_tileas.bulk_commit : !nv_tileas.group
    nv_tileas.bulk_wait read 0 for %g : !nv_tileas.group
    %u = nv_tileas.alloc_shared align 128 : !ts
    nv_tileas.local_store %done, %u : tensor<64x64xf32, #sum>, !ts
    nv_tileas.fence_async
    %v = nv_tileas.tma_store %u, %ms[%rows, %c0] : !ts, !ms -> !nv_tileas.mem_token
    %h = nv_tileas.bulk_commit : !nv_tileas.group
    nv_tileas.bulk_wait read 0 for %h : !nv_tileas.group
    scf.continue %sum#1, %sum#2 : i32, i32
  }
  nv_tileas.return
}

// -----

// A sum that the iteration takes is waited for there: the slot is that of the iteration itself, and the loading role counts from it.
// CHECK-LABEL: nv_tileas.func @taken
// CHECK: %[[FULL:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<8 x [1x!nv_tileas.mbarrier]
// CHECK: %[[EMPTY:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<8 x [1x!nv_tileas.mbarrier]
// CHECK: role "compute"
// CHECK: nv_tileas.dot_async
// CHECK: nv_tileas.dot_wait %{{.*}} {pending = 0 : i32}
// CHECK: %[[FREE:.*]] = nv_tileas.buffer_stage %[[EMPTY]]
// CHECK: nv_tileas.mbarrier_arrive %[[FREE]], 4
// CHECK: arith.addf
// CHECK: role "load"
// CHECK: nv_tileas.buffer_stage %[[FULL]][%{{[a-z0-9_]*}}] :
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<64x32xf16, #a>
!tb = !nv_tileas.buffer<32x64xf16, #b>
!ma = !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>
!mb = !nv_tileas.tma_map<32x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @taken(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !ma
  %mb = nv_tileas.tensor_map %q sizes [%wide, %rows] strides [%rows, %c1] : !nv_tileas.ptr<f16> -> !mb
  %none = arith.constant dense<0.0> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %bara = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara, 1 : !bar
  %barb = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb, 1 : !bar
  %sum:3 = scf.for %i = %lo to %hi step %by iter_args(%acc = %none, %pa = %z, %pb = %z) -> (tensor<64x64xf32, #sum>, i32, i32) : i32 {
    %at = arith.extsi %i : i32 to i64
    %x = arith.muli %at, %c32 : i64
    %nexta = arith.xori %pa, %one : i32
    %a = nv_tileas.alloc_shared align 512 : !ta
    nv_tileas.mbarrier_expect %bara, 4096 : !bar
    %t1 = nv_tileas.tma_load %a, %ma[%c0, %x], %bara token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
    %nextb = arith.xori %pb, %one : i32
    %b = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb, 4096 : !bar
    %t2 = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
    nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<64x64xf32, #sum>
    %e = nv_tileas.dot_wait %d {pending = 0 : i32} : tensor<64x64xf32, #sum>
    %f = arith.addf %e, %e : tensor<64x64xf32, #sum>
    scf.continue %f, %nexta, %nextb : tensor<64x64xf32, #sum>, i32, i32
  }
  %t = nv_tileas.tiled_store %sum#0, %out[%c0, %c0] sizes [%rows, %rows] strides [%rows, %c1] {bounds = array<i1: false, false>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// A second product whose sum only the next iteration takes, and whose factor does not rest on that sum, is started in the next iteration, behind the first product there: an iteration's arithmetic stands beside the MMA
// of the one before. The first iteration has none, and the last one's product stands behind the loop. The ring of its copies goes on where it waits for them, and slots are freed behind the wait for it.
// CHECK-LABEL: nv_tileas.func @late
// CHECK: %[[V:.*]] = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<{{[0-9]}} x [64x64xf16]
// CHECK: %[[FULL:.*]] = nv_tileas.alloc_shared
// CHECK: %[[EMPTY:.*]] = nv_tileas.alloc_shared
// CHECK: role "compute"
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %lo, %hi
// CHECK: scf.if %[[ANY]]
// CHECK: nv_tileas.dot_async
// CHECK: nv_tileas.dot_wait %{{.*}} {pending = 0 : i32}
// CHECK: %[[P0:.*]] = arith.ftof
// CHECK-NOT: dot_async
// CHECK: %[[T0:.*]] = arith.mulf %none
// CHECK: %[[FROM:.*]] = arith.addi %lo, %by
// CHECK: %[[LOOP:.*]]:6 = scf.for %{{.*}} = %[[FROM]] to %hi step %by iter_args(%[[T:.*]] = %[[T0]], %[[P:.*]] = %[[P0]],
// CHECK: nv_tileas.mbarrier_wait
// CHECK: nv_tileas.mbarrier_wait
// CHECK: %[[S:.*]] = nv_tileas.dot_async
// CHECK: %[[O:.*]] = nv_tileas.dot_async %[[P]], %{{.*}}, %[[T]]
// CHECK: %[[SD:.*]] = nv_tileas.dot_wait %[[S]] {pending = 1 : i32}
// CHECK: nv_tileas.mbarrier_arrive
// CHECK: %[[P1:.*]] = arith.ftof
// CHECK: %[[OD:.*]] = nv_tileas.dot_wait %[[O]] {pending = 0 : i32}
// CHECK: %[[FREE:.*]] = nv_tileas.buffer_stage %[[EMPTY]]
// CHECK: nv_tileas.mbarrier_arrive %[[FREE]], 4
// CHECK: %[[T1:.*]] = arith.mulf %[[OD]]
// CHECK: scf.continue %[[T1]], %[[P1]],
// CHECK: nv_tileas.mbarrier_wait
// CHECK: nv_tileas.dot_async %[[LOOP]]#1, %{{.*}}, %[[LOOP]]#0
// CHECK: nv_tileas.dot_wait %{{.*}} {pending = 0 : i32}
// CHECK: nv_tileas.mbarrier_arrive
// CHECK: scf.yield
// CHECK: } else {
// CHECK: scf.yield %none,
// EARLY-LABEL: nv_tileas.func @late
// EARLY-NOT: scf.if
// EARLY: nv_tileas.dot_async
// EARLY: nv_tileas.dot_wait
// EARLY: nv_tileas.dot_async
// EARLY: nv_tileas.dot_wait
// EARLY: scf.continue
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]}">
#v = #nv_tileas.shared<"{shape = [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<64x32xf16, #a>
!tb = !nv_tileas.buffer<32x64xf16, #b>
!tv = !nv_tileas.buffer<64x64xf16, #v>
!ma = !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>
!mb = !nv_tileas.tma_map<32x64xf16, order = [1, 0], swizzle = 128>
!mv = !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @late(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !ma
  %mb = nv_tileas.tensor_map %q sizes [%wide, %rows] strides [%rows, %c1] : !nv_tileas.ptr<f16> -> !mb
  %mv = nv_tileas.tensor_map %q sizes [%wide, %rows] strides [%rows, %c1] : !nv_tileas.ptr<f16> -> !mv
  %none = arith.constant dense<0.0> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %half = arith.constant dense<0.5> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %less = arith.constant dense<0.0078125> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %bara = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara, 1 : !bar
  %barb = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb, 1 : !bar
  %barv = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barv, 1 : !bar
  %sum:4 = scf.for %i = %lo to %hi step %by iter_args(%acc = %none, %pa = %z, %pb = %z, %pv = %z) -> (tensor<64x64xf32, #sum>, i32, i32, i32) : i32 {
    %at = arith.extsi %i : i32 to i64
    %x = arith.muli %at, %c32 : i64
    %nexta = arith.xori %pa, %one : i32
    %a = nv_tileas.alloc_shared align 512 : !ta
    nv_tileas.mbarrier_expect %bara, 4096 : !bar
    %t1 = nv_tileas.tma_load %a, %ma[%c0, %x], %bara token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
    %nextb = arith.xori %pb, %one : i32
    %b = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb, 4096 : !bar
    %t2 = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    %nextv = arith.xori %pv, %one : i32
    %v = nv_tileas.alloc_shared align 1024 : !tv
    nv_tileas.mbarrier_expect %barv, 8192 : !bar
    %t3 = nv_tileas.tma_load %v, %mv[%x, %c0], %barv token(%start : !nv_tileas.mem_token) : !tv, !mv, !bar -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
    nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
    nv_tileas.fence_async
    %s0 = nv_tileas.dot_async %a, %b, %none {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<64x64xf32, #sum>
    %s = nv_tileas.dot_wait %s0 {pending = 0 : i32} : tensor<64x64xf32, #sum>
    %less0 = arith.mulf %s, %less : tensor<64x64xf32, #sum>
    %h = arith.ftof %less0 : tensor<64x64xf32, #sum> to tensor<64x64xf16, #sum>
    %scaled = arith.mulf %acc, %half : tensor<64x64xf32, #sum>
    nv_tileas.mbarrier_wait %barv, %pv : !bar, i32
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %h, %v, %scaled {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : tensor<64x64xf16, #sum>, !tv -> tensor<64x64xf32, #sum>
    %e = nv_tileas.dot_wait %d {pending = 0 : i32} : tensor<64x64xf32, #sum>
    scf.continue %e, %nexta, %nextb, %nextv : tensor<64x64xf32, #sum>, i32, i32, i32
  }
  %t = nv_tileas.tiled_store %sum#0, %out[%c0, %c0] sizes [%rows, %rows] strides [%rows, %c1] {bounds = array<i1: false, false>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// Two MMAs that add to each other are as one: the late MMA follows them, and nothing waits between them. What they read is released after the wait for both.
// CHECK-LABEL: nv_tileas.func @parts
// CHECK: scf.if
// CHECK: scf.for
// CHECK: %[[S0:.*]] = nv_tileas.dot_async
// CHECK-NOT: nv_tileas.dot_wait
// CHECK-NOT: nv_tileas.mbarrier_arrive
// CHECK: %[[S1:.*]] = nv_tileas.dot_async %{{.*}}, %{{.*}}, %[[S0]]
// CHECK: %[[O:.*]] = nv_tileas.dot_async
// CHECK: nv_tileas.dot_wait %[[S1]] {pending = 1 : i32}
// CHECK: nv_tileas.mbarrier_arrive
// CHECK: nv_tileas.dot_wait %[[O]] {pending = 0 : i32}
// CHECK: scf.continue
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]}">
#v = #nv_tileas.shared<"{shape = [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<64x32xf16, #a>
!tb = !nv_tileas.buffer<32x64xf16, #b>
!tv = !nv_tileas.buffer<64x64xf16, #v>
!ma = !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>
!mb = !nv_tileas.tma_map<32x64xf16, order = [1, 0], swizzle = 128>
!mv = !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @parts(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %far = arith.constant 352 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !ma
  %mb = nv_tileas.tensor_map %q sizes [%wide, %rows] strides [%rows, %c1] : !nv_tileas.ptr<f16> -> !mb
  %mv = nv_tileas.tensor_map %q sizes [%wide, %rows] strides [%rows, %c1] : !nv_tileas.ptr<f16> -> !mv
  %none = arith.constant dense<0.0> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %half = arith.constant dense<0.5> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %less = arith.constant dense<0.0078125> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %bara = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara, 1 : !bar
  %barb = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb, 1 : !bar
  %barc = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barc, 1 : !bar
  %bard = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bard, 1 : !bar
  %barv = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barv, 1 : !bar
  %sum:6 = scf.for %i = %lo to %hi step %by iter_args(%acc = %none, %pa = %z, %pb = %z, %pc = %z, %pd = %z, %pv = %z) -> (tensor<64x64xf32, #sum>, i32, i32, i32, i32, i32) : i32 {
    %at = arith.extsi %i : i32 to i64
    %x = arith.muli %at, %c32 : i64
    %nexta = arith.xori %pa, %one : i32
    %a = nv_tileas.alloc_shared align 512 : !ta
    nv_tileas.mbarrier_expect %bara, 4096 : !bar
    %t1 = nv_tileas.tma_load %a, %ma[%c0, %x], %bara token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
    %nextb = arith.xori %pb, %one : i32
    %b = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb, 4096 : !bar
    %t2 = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    %x2 = arith.addi %x, %far : i64
    %nextc = arith.xori %pc, %one : i32
    %c = nv_tileas.alloc_shared align 512 : !ta
    nv_tileas.mbarrier_expect %barc, 4096 : !bar
    %t4 = nv_tileas.tma_load %c, %ma[%c0, %x2], %barc token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
    %nextd = arith.xori %pd, %one : i32
    %d2 = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %bard, 4096 : !bar
    %t5 = nv_tileas.tma_load %d2, %mb[%x2, %c0], %bard token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    %nextv = arith.xori %pv, %one : i32
    %v = nv_tileas.alloc_shared align 1024 : !tv
    nv_tileas.mbarrier_expect %barv, 8192 : !bar
    %t3 = nv_tileas.tma_load %v, %mv[%x, %c0], %barv token(%start : !nv_tileas.mem_token) : !tv, !mv, !bar -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
    nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
    nv_tileas.fence_async
    %s0 = nv_tileas.dot_async %a, %b, %none {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<64x64xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    nv_tileas.mbarrier_wait %barc, %pc : !bar, i32
    nv_tileas.mbarrier_wait %bard, %pd : !bar, i32
    nv_tileas.fence_async
    %s1 = nv_tileas.dot_async %c, %d2, %s0 {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<64x64xf32, #sum>
    %s = nv_tileas.dot_wait %s1 {pending = 0 : i32} : tensor<64x64xf32, #sum>
    %less0 = arith.mulf %s, %less : tensor<64x64xf32, #sum>
    %h = arith.ftof %less0 : tensor<64x64xf32, #sum> to tensor<64x64xf16, #sum>
    %scaled = arith.mulf %acc, %half : tensor<64x64xf32, #sum>
    nv_tileas.mbarrier_wait %barv, %pv : !bar, i32
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %h, %v, %scaled {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : tensor<64x64xf16, #sum>, !tv -> tensor<64x64xf32, #sum>
    %e = nv_tileas.dot_wait %d {pending = 0 : i32} : tensor<64x64xf32, #sum>
    scf.continue %e, %nexta, %nextb, %nextc, %nextd, %nextv : tensor<64x64xf32, #sum>, i32, i32, i32, i32, i32
  }
  %t = nv_tileas.tiled_store %sum#0, %out[%c0, %c0] sizes [%rows, %rows] strides [%rows, %c1] {bounds = array<i1: false, false>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// A stage that both MMAs read is released after the wait for the second one, which is not late: two iterations would share
// its stage.
// CHECK-LABEL: nv_tileas.func @both
// CHECK: role "compute"
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK: nv_tileas.dot_async
// CHECK: nv_tileas.dot_wait
// CHECK: nv_tileas.dot_async
// CHECK: nv_tileas.dot_wait
// CHECK: nv_tileas.mbarrier_arrive
// CHECK: scf.continue
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#v = #nv_tileas.shared<"{shape = [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<64x64xf16, #v>
!tv = !nv_tileas.buffer<64x64xf16, #v>
!ma = !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>
!mv = !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @both(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !ma
  %mv = nv_tileas.tensor_map %q sizes [%wide, %rows] strides [%rows, %c1] : !nv_tileas.ptr<f16> -> !mv
  %none = arith.constant dense<0.0> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %half = arith.constant dense<0.5> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %less = arith.constant dense<0.0078125> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %bara = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara, 1 : !bar
  %barv = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barv, 1 : !bar
  %sum:3 = scf.for %i = %lo to %hi step %by iter_args(%acc = %none, %pa = %z, %pv = %z) -> (tensor<64x64xf32, #sum>, i32, i32) : i32 {
    %at = arith.extsi %i : i32 to i64
    %x = arith.muli %at, %c32 : i64
    %nexta = arith.xori %pa, %one : i32
    %a = nv_tileas.alloc_shared align 1024 : !ta
    nv_tileas.mbarrier_expect %bara, 8192 : !bar
    %t1 = nv_tileas.tma_load %a, %ma[%c0, %x], %bara token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
    %nextv = arith.xori %pv, %one : i32
    %v = nv_tileas.alloc_shared align 1024 : !tv
    nv_tileas.mbarrier_expect %barv, 8192 : !bar
    %t3 = nv_tileas.tma_load %v, %mv[%x, %c0], %barv token(%start : !nv_tileas.mem_token) : !tv, !mv, !bar -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
    nv_tileas.mbarrier_wait %barv, %pv : !bar, i32
    nv_tileas.fence_async
    %s0 = nv_tileas.dot_async %a, %v, %none {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !ta, !tv -> tensor<64x64xf32, #sum>
    %s = nv_tileas.dot_wait %s0 {pending = 0 : i32} : tensor<64x64xf32, #sum>
    %less0 = arith.mulf %s, %less : tensor<64x64xf32, #sum>
    %h = arith.ftof %less0 : tensor<64x64xf32, #sum> to tensor<64x64xf16, #sum>
    %scaled = arith.mulf %acc, %half : tensor<64x64xf32, #sum>
    %d = nv_tileas.dot_async %h, %v, %scaled {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : tensor<64x64xf16, #sum>, !tv -> tensor<64x64xf32, #sum>
    %e = nv_tileas.dot_wait %d {pending = 0 : i32} : tensor<64x64xf32, #sum>
    scf.continue %e, %nexta, %nextv : tensor<64x64xf32, #sum>, i32, i32
  }
  %t = nv_tileas.tiled_store %sum#0, %out[%c0, %c0] sizes [%rows, %rows] strides [%rows, %c1] {bounds = array<i1: false, false>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// A copy that must come behind a store of the program is left with it.
// CHECK-LABEL: nv_tileas.func @unchanged_stores
// CHECK-SAME: num_warps = 4
// CHECK-NOT: warp_specialize
// CHECK: nv_tileas.return
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<64x32xf16, #a>
!tb = !nv_tileas.buffer<32x64xf16, #b>
!ma = !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>
!mb = !nv_tileas.tma_map<32x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @unchanged_stores(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !ma
  %mb = nv_tileas.tensor_map %q sizes [%wide, %rows] strides [%rows, %c1] : !nv_tileas.ptr<f16> -> !mb
  %none = arith.constant dense<0.0> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %bara = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara, 1 : !bar
  %barb = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb, 1 : !bar
  %sum:4 = scf.for %i = %lo to %hi step %by iter_args(%order = %start, %acc = %none, %pa = %z, %pb = %z) -> (!nv_tileas.mem_token, tensor<64x64xf32, #sum>, i32, i32) : i32 {
    %at = arith.extsi %i : i32 to i64
    %x = arith.muli %at, %c32 : i64
    %nexta = arith.xori %pa, %one : i32
    %a = nv_tileas.alloc_shared align 512 : !ta
    nv_tileas.mbarrier_expect %bara, 4096 : !bar
    %t1 = nv_tileas.tma_load %a, %ma[%c0, %x], %bara token(%order : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
    %nextb = arith.xori %pb, %one : i32
    %b = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb, 4096 : !bar
    %t2 = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%order : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
    nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<64x64xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    %w = nv_tileas.tiled_store %none, %out[%c0, %c0] sizes [%rows, %rows] strides [%rows, %c1] token %order {bounds = array<i1: false, false>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
    scf.continue %w, %d, %nexta, %nextb : !nv_tileas.mem_token, tensor<64x64xf32, #sum>, i32, i32
  }
  %done = nv_tileas.dot_wait %sum#1 {pending = 0 : i32} : tensor<64x64xf32, #sum>
  %t = nv_tileas.tiled_store %done, %out[%c0, %c0] sizes [%rows, %rows] strides [%rows, %c1] {bounds = array<i1: false, false>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// The producer builds a map that only its loads use. It is built once, so no load uses one that was there before.
// CHECK-LABEL: nv_tileas.func @built
// CHECK-SAME: num_warps = 5
// CHECK: role "load"
// CHECK-NOT: pipe_drain
// CHECK: nv_tileas.build_tensor_map
// CHECK: nv_tileas.tma_load
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
#words = #nv_tileas.shared<"{shape = [32], offset = [[1], [2], [4], [8], [16]]}">
!words = !nv_tileas.buffer<32xi32, #words>
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<64x32xf16, #a>
!tb = !nv_tileas.buffer<32x64xf16, #b>
!ma = !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>
!mb = !nv_tileas.tma_map<32x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @built(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %scratch = nv_tileas.alloc_shared : !words
  %ma = nv_tileas.build_tensor_map %scratch, %p sizes [%rows, %wide] strides [%wide, %c1] : !words, !nv_tileas.ptr<f16> -> !ma
  %mb = nv_tileas.tensor_map %q sizes [%wide, %rows] strides [%rows, %c1] : !nv_tileas.ptr<f16> -> !mb
  %none = arith.constant dense<0.0> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %bara = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara, 1 : !bar
  %barb = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb, 1 : !bar
  %sum:3 = scf.for %i = %lo to %hi step %by iter_args(%acc = %none, %pa = %z, %pb = %z) -> (tensor<64x64xf32, #sum>, i32, i32) : i32 {
    %at = arith.extsi %i : i32 to i64
    %x = arith.muli %at, %c32 : i64
    %nexta = arith.xori %pa, %one : i32
    %a = nv_tileas.alloc_shared align 512 : !ta
    nv_tileas.mbarrier_expect %bara, 4096 : !bar
    %t1 = nv_tileas.tma_load %a, %ma[%c0, %x], %bara token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
    %nextb = arith.xori %pb, %one : i32
    %b = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb, 4096 : !bar
    %t2 = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
    nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<64x64xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    scf.continue %d, %nexta, %nextb : tensor<64x64xf32, #sum>, i32, i32
  }
  %done = nv_tileas.dot_wait %sum#0 {pending = 0 : i32} : tensor<64x64xf32, #sum>
  %t = nv_tileas.tiled_store %done, %out[%c0, %c0] sizes [%rows, %rows] strides [%rows, %c1] {bounds = array<i1: false, false>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// The fence in front of a product that reads copies alone is for the one behind it too, which reads what threads have stored.
// CHECK-LABEL: nv_tileas.func @fenced
// CHECK: role "compute"
// CHECK: nv_tileas.local_store
// CHECK: nv_tileas.fence_async
// CHECK: nv_tileas.dot_async
// CHECK: nv_tileas.dot_async
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
#rows = #nv_tileas.layout<"{shape = [32, 64], register = [[0, 1], [0, 2], [0, 4], [16, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<64x32xf16, #a>
!tb = !nv_tileas.buffer<32x64xf16, #b>
!ma = !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>
!mb = !nv_tileas.tma_map<32x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @fenced(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !ma
  %mb = nv_tileas.tensor_map %q sizes [%wide, %rows] strides [%rows, %c1] : !nv_tileas.ptr<f16> -> !mb
  %none = arith.constant dense<0.0> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %tile = arith.constant dense<1.0> : tensor<32x64xf16> as tensor<32x64xf16, #rows>
  %bara = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara, 1 : !bar
  %barb = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb, 1 : !bar
  %stored = nv_tileas.alloc_shared align 1024 : !tb
  %sum:3 = scf.for %i = %lo to %hi step %by iter_args(%acc = %none, %pa = %z, %pb = %z) -> (tensor<64x64xf32, #sum>, i32, i32) : i32 {
    %at = arith.extsi %i : i32 to i64
    %x = arith.muli %at, %c32 : i64
    %nexta = arith.xori %pa, %one : i32
    %a = nv_tileas.alloc_shared align 512 : !ta
    nv_tileas.mbarrier_expect %bara, 4096 : !bar
    %t1 = nv_tileas.tma_load %a, %ma[%c0, %x], %bara token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
    %nextb = arith.xori %pb, %one : i32
    %b = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb, 4096 : !bar
    %t2 = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
    nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
    nv_tileas.local_store %tile, %stored : tensor<32x64xf16, #rows>, !tb
    nv_tileas.fence_async
    %c = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<64x64xf32, #sum>
    %d = nv_tileas.dot_async %a, %stored, %c {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<64x64xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    scf.continue %d, %nexta, %nextb : tensor<64x64xf32, #sum>, i32, i32
  }
  %done = nv_tileas.dot_wait %sum#0 {pending = 0 : i32} : tensor<64x64xf32, #sum>
  %t = nv_tileas.tiled_store %done, %out[%c0, %c0] sizes [%rows, %rows] strides [%rows, %c1] {bounds = array<i1: false, false>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// An mbarrier that no copy reports to is the program's, and is made where it computes; the width of coordinates is that of the copy.
// CHECK-LABEL: nv_tileas.func @barrier_of_its_own
// CHECK: role "compute"
// CHECK: %[[OTHER:.*]] = nv_tileas.alloc_shared
// CHECK: nv_tileas.mbarrier_init %[[OTHER]], 1
// CHECK: nv_tileas.mbarrier_arrive %[[OTHER]], 1
// CHECK: nv_tileas.mbarrier_wait %[[OTHER]]
// CHECK: role "load"
// CHECK: nv_tileas.tma_load {{.*}} {narrow}
// CHECK: nv_tileas.tma_load {{.*}} {narrow}
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<64x32xf16, #a>
!tb = !nv_tileas.buffer<32x64xf16, #b>
!ma = !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>
!mb = !nv_tileas.tma_map<32x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @barrier_of_its_own(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !ma
  %mb = nv_tileas.tensor_map %q sizes [%wide, %rows] strides [%rows, %c1] : !nv_tileas.ptr<f16> -> !mb
  %none = arith.constant dense<0.0> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %bara = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara, 1 : !bar
  %barb = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb, 1 : !bar
  %sum:3 = scf.for %i = %lo to %hi step %by iter_args(%acc = %none, %pa = %z, %pb = %z) -> (tensor<64x64xf32, #sum>, i32, i32) : i32 {
    %at = arith.extsi %i : i32 to i64
    %x = arith.muli %at, %c32 : i64
    %nexta = arith.xori %pa, %one : i32
    %a = nv_tileas.alloc_shared align 512 : !ta
    nv_tileas.mbarrier_expect %bara, 4096 : !bar
    %t1 = nv_tileas.tma_load %a, %ma[%c0, %x], %bara token(%start : !nv_tileas.mem_token) {narrow} : !ta, !ma, !bar -> !nv_tileas.mem_token
    %nextb = arith.xori %pb, %one : i32
    %b = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb, 4096 : !bar
    %t2 = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) {narrow} : !tb, !mb, !bar -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
    nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<64x64xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    scf.continue %d, %nexta, %nextb : tensor<64x64xf32, #sum>, i32, i32
  }
  %other = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %other, 1 : !bar
  nv_tileas.mbarrier_arrive %other, 1 : !bar
  nv_tileas.mbarrier_wait %other, %z : !bar, i32
  %done = nv_tileas.dot_wait %sum#0 {pending = 0 : i32} : tensor<64x64xf32, #sum>
  %t = nv_tileas.tiled_store %done, %out[%c0, %c0] sizes [%rows, %rows] strides [%rows, %c1] {bounds = array<i1: false, false>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// The producer repeats the read of a number that its loop depends on, with the layout of one warp.
// CHECK-LABEL: nv_tileas.func @table
// CHECK-SAME: num_warps = 5
// CHECK: role "compute" warps(4) {
// CHECK: tiled_load {{.*}} -> tensor<1xf16, #[[FOUR:[a-z0-9]*]]>
// CHECK: role "load" warps(1) {
// CHECK-NOT: tensor<1xf16, #[[FOUR]]>
// CHECK: tiled_load {{.*}} -> tensor<1xf16, #
// CHECK: nv_tileas.unsplat
// CHECK: scf.for
// CHECK: nv_tileas.tma_load
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]}">
#held = #nv_tileas.layout<"{shape = [1], register = [], lane = [[0], [0], [0], [0], [0]], warp = [[0], [0]], block = []}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<64x32xf16, #a>
!tb = !nv_tileas.buffer<32x64xf16, #b>
!ma = !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>
!mb = !nv_tileas.tma_map<32x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @table(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !ma
  %mb = nv_tileas.tensor_map %q sizes [%wide, %rows] strides [%rows, %c1] : !nv_tileas.ptr<f16> -> !mb
  // A number in memory that the loop's bound depends on: here its product with zero.
  %number, %read = nv_tileas.tiled_load %q[%c0] sizes [%rows] strides [%c1] token %start {bounds = array<i1: false>} : !nv_tileas.ptr<f16> -> tensor<1xf16, #held>
  %whole = arith.fptosi %number : tensor<1xf16, #held> to tensor<1xi32, #held>
  %scalar = nv_tileas.unsplat %whole : tensor<1xi32, #held> -> i32
  %more = arith.muli %scalar, %z : i32
  %end = arith.addi %hi, %more : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %bara = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara, 1 : !bar
  %barb = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb, 1 : !bar
  %sum:3 = scf.for %i = %lo to %end step %by iter_args(%acc = %none, %pa = %z, %pb = %z) -> (tensor<64x64xf32, #sum>, i32, i32) : i32 {
    %at = arith.extsi %i : i32 to i64
    %x = arith.muli %at, %c32 : i64
    %nexta = arith.xori %pa, %one : i32
    %a = nv_tileas.alloc_shared align 512 : !ta
    nv_tileas.mbarrier_expect %bara, 4096 : !bar
    %t1 = nv_tileas.tma_load %a, %ma[%c0, %x], %bara token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
    %nextb = arith.xori %pb, %one : i32
    %b = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb, 4096 : !bar
    %t2 = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
    nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<64x64xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    scf.continue %d, %nexta, %nextb : tensor<64x64xf32, #sum>, i32, i32
  }
  %done = nv_tileas.dot_wait %sum#0 {pending = 0 : i32} : tensor<64x64xf32, #sum>
  %t = nv_tileas.tiled_store %done, %out[%c0, %c0] sizes [%rows, %rows] strides [%rows, %c1] {bounds = array<i1: false, false>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// Other CTAs may change an ordered read between two executions, so it happens once.
// CHECK-LABEL: nv_tileas.func @unchanged_ordered
// CHECK-NOT: warp_specialize
// CHECK: nv_tileas.return
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]}">
#held = #nv_tileas.layout<"{shape = [1], register = [], lane = [[0], [0], [0], [0], [0]], warp = [[0], [0]], block = []}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<64x32xf16, #a>
!tb = !nv_tileas.buffer<32x64xf16, #b>
!ma = !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>
!mb = !nv_tileas.tma_map<32x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @unchanged_ordered(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !ma
  %mb = nv_tileas.tensor_map %q sizes [%wide, %rows] strides [%rows, %c1] : !nv_tileas.ptr<f16> -> !mb
  // A number in memory that the loop's bound depends on: here its product with zero.
  %number, %read = nv_tileas.tiled_load %q[%c0] sizes [%rows] strides [%c1] token %start {ordering = "relaxed", scope = "device", bounds = array<i1: false>} : !nv_tileas.ptr<f16> -> tensor<1xf16, #held>
  %whole = arith.fptosi %number : tensor<1xf16, #held> to tensor<1xi32, #held>
  %scalar = nv_tileas.unsplat %whole : tensor<1xi32, #held> -> i32
  %more = arith.muli %scalar, %z : i32
  %end = arith.addi %hi, %more : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %bara = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara, 1 : !bar
  %barb = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb, 1 : !bar
  %sum:3 = scf.for %i = %lo to %end step %by iter_args(%acc = %none, %pa = %z, %pb = %z) -> (tensor<64x64xf32, #sum>, i32, i32) : i32 {
    %at = arith.extsi %i : i32 to i64
    %x = arith.muli %at, %c32 : i64
    %nexta = arith.xori %pa, %one : i32
    %a = nv_tileas.alloc_shared align 512 : !ta
    nv_tileas.mbarrier_expect %bara, 4096 : !bar
    %t1 = nv_tileas.tma_load %a, %ma[%c0, %x], %bara token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
    %nextb = arith.xori %pb, %one : i32
    %b = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb, 4096 : !bar
    %t2 = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
    nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<64x64xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    scf.continue %d, %nexta, %nextb : tensor<64x64xf32, #sum>, i32, i32
  }
  %done = nv_tileas.dot_wait %sum#0 {pending = 0 : i32} : tensor<64x64xf32, #sum>
  %t = nv_tileas.tiled_store %done, %out[%c0, %c0] sizes [%rows, %rows] strides [%rows, %c1] {bounds = array<i1: false, false>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
