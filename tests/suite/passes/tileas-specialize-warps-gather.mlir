// RUN: tile-opt %s '--tileas-specialize-warps=stages=3' --gpu-name=sm_90 | FileCheck %s
// RUN: tile-opt %s '--tileas-specialize-warps=stages=3' --tileas-lower-pipes --gpu-name=sm_90 | FileCheck %s --check-prefix=LOWERED

// A role of as many warps as the consumers copies A, which TMA cannot load, and one warp loads B. A table says which page
// comes next: both roles read it two iterations ahead. An iteration that does not exist reads what the present one did.
// CHECK-LABEL: nv_tileas.func @pages
// CHECK-SAME: num_warps = 9
// CHECK: %[[B:.*]] = nv_tileas.pipe_create %{{.*}} -> !nv_tileas.pipe<tma -> threads, !nv_tileas.buffer<3 x [32x64xf16]
// CHECK: %[[A:.*]] = nv_tileas.pipe_create %{{.*}} -> !nv_tileas.pipe<copies -> threads, !nv_tileas.buffer<3 x [64x32xf16]

// The consumers have no copy, no table, and no wait for a group. Their fence is for what threads copied.
// CHECK: role "compute" warps(4) {
// CHECK-NOT: tiled_load
// CHECK-NOT: copy_async
// CHECK-NOT: wait_group
// CHECK: %[[HA:.*]] = nv_tileas.pipe_wait %[[A]]
// CHECK: %[[HB:.*]] = nv_tileas.pipe_wait %[[B]]
// CHECK: nv_tileas.fence_async
// CHECK-NEXT: nv_tileas.dot_async %[[HA]], %[[HB]]
// CHECK-NEXT: nv_tileas.dot_wait {pending = 1 : i32}
// CHECK-DAG: nv_tileas.pipe_release %[[A]] lag 1
// CHECK-DAG: nv_tileas.pipe_release %[[B]] lag 1

// CHECK: role "gather" warps(4) {
// CHECK: scf.if
// CHECK-COUNT-3: nv_tileas.tiled_load %table
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[NOW:.*]] = %{{.*}}, %[[NEXT:.*]] = %{{.*}}, %[[AFTER:.*]] = %{{.*}}) -> (tensor<1xi32
// CHECK: %[[LEFT:.*]] = arith.subi %{{.*}}, %[[I]]
// CHECK: %[[EXISTS:.*]] = arith.cmpi ugt, %[[LEFT]], %[[THREE:.*]] :
// CHECK: %[[BY:.*]] = arith.select %[[EXISTS]], %[[THREE]], %
// CHECK: %[[THEN:.*]] = arith.addi %[[I]], %[[BY]]
// CHECK: %[[AT:.*]] = arith.extsi %[[THEN]]
// CHECK: %[[LATER:.*]], %{{.*}} = nv_tileas.tiled_load %table[%[[AT]]]
// CHECK: nv_tileas.unsplat %[[NOW]]
// CHECK: %[[FREE:.*]] = nv_tileas.pipe_acquire %[[A]]
// CHECK: nv_tileas.copy_async %[[FREE]],
// CHECK-NEXT: nv_tileas.commit_group
// CHECK-NEXT: nv_tileas.pipe_commit %[[A]]
// CHECK: scf.continue %[[NEXT]], %[[AFTER]], %[[LATER]] :

// CHECK: role "load" warps(1) {
// CHECK-COUNT-4: nv_tileas.tiled_load %table
// CHECK: nv_tileas.tma_load

// Each thread of the role arrives when its copies have landed.
// LOWERED-LABEL: nv_tileas.func @pages
// LOWERED: role "gather"
// LOWERED: nv_tileas.mbarrier_arrive %{{.*}}, 128 copies
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#all = #nv_tileas.layout<"{shape = [1], register = [], lane = [[0], [0], [0], [0], [0]], warp = [[0], [0]], block = []}">
#a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<64x32xf16, #a>
!tb = !nv_tileas.buffer<32x64xf16, #b>
!mb = !nv_tileas.tma_map<32x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @pages(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %table: !nv_tileas.ptr<i32>, %pages: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %most = arith.extsi %pages : i32 to i64
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %mb = nv_tileas.tensor_map %q sizes [%wide, %rows] strides [%rows, %c1] : !nv_tileas.ptr<f16> -> !mb
  %none = arith.constant dense<0.0> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %barb = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb, 1 : !bar
  %sum:2 = scf.for %i = %z to %pages step %one iter_args(%acc = %none, %pb = %z) -> (tensor<64x64xf32, #sum>, i32) : i32 {
    %at = arith.extsi %i : i32 to i64
    %held, %th = nv_tileas.tiled_load %table[%at] sizes [%most] strides [%c1] token %start {bounds = array<i1: false>, base_div = 16 : i64, offset_div = array<i64: 1>, size_div = array<i64: 1>, stride_div = array<i64: 1>} : !nv_tileas.ptr<i32> -> tensor<1xi32, #all>
    %page = nv_tileas.unsplat %held : tensor<1xi32, #all> -> i32
    %which = arith.extsi %page : i32 to i64
    %x = arith.muli %which, %c32 : i64
    %a = nv_tileas.alloc_shared align 512 : !ta
    %t1 = nv_tileas.copy_async %a, %p[%c0, %x] sizes [%rows, %wide] strides [%wide, %c1] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 32>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !ta, !nv_tileas.ptr<f16>
    %group = nv_tileas.commit_group : !nv_tileas.group
    %nextb = arith.xori %pb, %one : i32
    %b = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb, 4096 : !bar
    %t2 = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    nv_tileas.wait_group 0 for %group : !nv_tileas.group
    nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<64x64xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    scf.continue %d, %nextb : tensor<64x64xf32, #sum>, i32
  }
  %done = nv_tileas.dot_wait %sum#0 {pending = 0 : i32} : tensor<64x64xf32, #sum>
  %t = nv_tileas.tiled_store %done, %out[%c0, %c0] sizes [%rows, %rows] strides [%rows, %c1] {bounds = array<i1: false, false>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
