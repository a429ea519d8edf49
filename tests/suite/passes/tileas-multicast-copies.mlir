// RUN: tile-opt %s --split-input-file --tileas-multicast-copies --gpu-name=sm_90 | FileCheck %s
// RUN: tile-opt %s --split-input-file --tileas-multicast-copies --gpu-name=sm_90 --verify-diagnostics --remarks -o /dev/null

// Of the two factors CTAs have different rows of one, and the same columns of the other, of which each brings half of the boxes. Its slot is free when the warps of both have arrived.
// CHECK-LABEL: nv_tileas.func @roles
// CHECK: nv_tileas.tensor_map %{{.*}} -> !nv_tileas.tma_map<64x32xf16
// CHECK: nv_tileas.tensor_map %{{.*}} -> !nv_tileas.tma_map<16x64xf16
// CHECK: nv_tileas.mbarrier_init %{{.*}}, 1 :
// CHECK: nv_tileas.mbarrier_init %{{.*}}, 8 :
// CHECK: nv_tileas.cluster_barrier
// CHECK-NEXT: nv_tileas.warp_specialize
// CHECK: nv_tileas.mbarrier_wait %{{.*}}, %{{[a-z0-9_]*}} :
// CHECK: nv_tileas.mbarrier_arrive %{{.*}}, 4 cluster :
// CHECK: role "load"
// CHECK: nv_tileas.mbarrier_wait %{{.*}}, %{{[a-z0-9_]*}} cluster :
// CHECK: nv_tileas.tma_load {{.*}}> -> !nv_tileas.mem_token
// CHECK: nv_tileas.tma_load {{.*}} {multicast} :
// CHECK: nv_tileas.cluster_barrier
// CHECK-NEXT: nv_tileas.return
#layout = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#shared = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}">
#shared1 = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]}">
#shared2 = #nv_tileas.shared<"{shape = [1], register = [], lane = [], warp = [], block = []}">
module {
  nv_tileas.func @roles(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 5, num_ctas = 2>} {
    %c1 = arith.constant 1 : i64
    %rows = arith.constant 64 : i64
    %wide = arith.constant 704 : i64
    %ma = nv_tileas.tensor_map %p sizes[%rows, %wide] strides[%wide, %c1] : !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>
    %mb = nv_tileas.tensor_map %q sizes[%wide, %rows] strides[%rows, %c1] : !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<32x64xf16, order = [1, 0], swizzle = 128>
    %0 = nv_tileas.alloc_shared align 512 : !nv_tileas.buffer<2 x [64x32xf16], #shared>
    %1 = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<2 x [32x64xf16], #shared1>
    %2 = nv_tileas.alloc_shared : !nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier], #shared2>
    %3 = arith.constant 0 : i32
    %4 = nv_tileas.buffer_stage %2[%3] : !nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier], #shared2>, i32
    nv_tileas.mbarrier_init %4, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared2>
    %5 = arith.constant 1 : i32
    %6 = nv_tileas.buffer_stage %2[%5] : !nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier], #shared2>, i32
    nv_tileas.mbarrier_init %6, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared2>
    %7 = nv_tileas.alloc_shared : !nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier], #shared2>
    %8 = arith.constant 0 : i32
    %9 = nv_tileas.buffer_stage %7[%8] : !nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier], #shared2>, i32
    nv_tileas.mbarrier_init %9, 4 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared2>
    %10 = arith.constant 1 : i32
    %11 = nv_tileas.buffer_stage %7[%10] : !nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier], #shared2>, i32
    nv_tileas.mbarrier_init %11, 4 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared2>
    nv_tileas.warp_specialize {
      role "compute" warps(4) {
        %12 = arith.constant 0 : i32
        %13 = arith.constant 0 : i32
        %c0 = arith.constant 0 : i64
        %c1_0 = arith.constant 1 : i64
        %rows_1 = arith.constant 64 : i64
        %rank = nv_tileas.get_cta_rank : i32
        %number = arith.extsi %rank : i32 to i64
        %row = arith.muli %number, %rows_1 : i64
        %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #layout>
        %14:3 = scf.for %arg0 = %lo to %hi step %by iter_args(%arg1 = %none, %arg2 = %12, %arg3 = %13) -> (tensor<64x64xf32, #layout>, i32, i32) : i32 {
          %15 = nv_tileas.buffer_stage %0[%arg2] : !nv_tileas.buffer<2 x [64x32xf16], #shared>, i32
          %16 = nv_tileas.buffer_stage %1[%arg2] : !nv_tileas.buffer<2 x [32x64xf16], #shared1>, i32
          %17 = nv_tileas.buffer_stage %2[%arg2] : !nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier], #shared2>, i32
          nv_tileas.mbarrier_wait %17, %arg3 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared2>, i32
          %c = nv_tileas.dot_async %15, %16, %arg1 {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !nv_tileas.buffer<64x32xf16, #shared>, !nv_tileas.buffer<32x64xf16, #shared1> -> tensor<64x64xf32, #layout>
          nv_tileas.dot_wait {pending = 1 : i32}
          %18 = nv_tileas.buffer_stage %7[%arg2] : !nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier], #shared2>, i32
          nv_tileas.mbarrier_arrive %18, 4 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared2>
          %19 = arith.constant 1 : i32
          %20 = arith.cmpi eq, %arg2, %19 : i32
          %21 = arith.constant 0 : i32
          %22 = arith.constant 1 : i32
          %23 = arith.addi %arg2, %22 : i32
          %24 = arith.select %20, %21, %23 : i1, i32
          %25 = arith.extui %20 : i1 to i32
          %26 = arith.xori %arg3, %25 : i32
          scf.continue %c, %24, %26 : tensor<64x64xf32, #layout>, i32, i32
        }
        nv_tileas.dot_wait {pending = 0 : i32}
        %t = nv_tileas.tiled_store %14#0, %out[%row, %c0] sizes [%rows_1, %rows_1] strides [%rows_1, %c1_0] {bounds = array<i1: false, false>} : tensor<64x64xf32, #layout>, !nv_tileas.ptr<f32>
      }
      role "load" warps(1) {
        %12 = arith.constant 1 : i32
        %13 = arith.constant 1 : i32
        %c0 = arith.constant 0 : i64
        %c32 = arith.constant 32 : i64
        %rows_0 = arith.constant 64 : i64
        %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
        %rank = nv_tileas.get_cta_rank : i32
        %number = arith.extsi %rank : i32 to i64
        %row = arith.muli %number, %rows_0 : i64
        %14:2 = scf.for %arg0 = %lo to %hi step %by iter_args(%arg1 = %12, %arg2 = %13) -> (i32, i32) : i32 {
          %at = arith.extsi %arg0 : i32 to i64
          %x = arith.muli %at, %c32 : i64
          %15 = nv_tileas.buffer_stage %7[%arg1] : !nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier], #shared2>, i32
          nv_tileas.mbarrier_wait %15, %arg2 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared2>, i32
          %16 = nv_tileas.buffer_stage %2[%arg1 + 1] : !nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier], #shared2>, i32
          nv_tileas.mbarrier_expect %16, 8192 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared2>
          %17 = nv_tileas.buffer_stage %0[%arg1 + 1] : !nv_tileas.buffer<2 x [64x32xf16], #shared>, i32
          // expected-remark@+1 {{no TMA multicast: each CTA loads a different tile}}
          %18 = nv_tileas.tma_load %17, %ma[%row, %x], %16 token(%start : !nv_tileas.mem_token) : !nv_tileas.buffer<64x32xf16, #shared>, !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared2> -> !nv_tileas.mem_token
          %19 = nv_tileas.buffer_stage %1[%arg1 + 1] : !nv_tileas.buffer<2 x [32x64xf16], #shared1>, i32
          // expected-remark@+1 {{TMA multicast: one load for 2 CTAs}}
          %20 = nv_tileas.tma_load %19, %mb[%x, %c0], %16 token(%start : !nv_tileas.mem_token) : !nv_tileas.buffer<32x64xf16, #shared1>, !nv_tileas.tma_map<32x64xf16, order = [1, 0], swizzle = 128>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared2> -> !nv_tileas.mem_token
          %21 = arith.constant 1 : i32
          %22 = arith.cmpi eq, %arg1, %21 : i32
          %23 = arith.constant 0 : i32
          %24 = arith.constant 1 : i32
          %25 = arith.addi %arg1, %24 : i32
          %26 = arith.select %22, %23, %25 : i1, i32
          %27 = arith.extui %22 : i1 to i32
          %28 = arith.xori %arg2, %27 : i32
          scf.continue %26, %28 : i32, i32
        }
      }
    }
    nv_tileas.return
  }
}

// -----

// Without roles a cluster barrier would have to stand before the copy, since all must have read what it overwrites.
// CHECK-LABEL: nv_tileas.func @unchanged_loop
// CHECK-NOT: multicast
// CHECK-NOT: cluster_barrier
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<64x32xf16, #a>
!tb = !nv_tileas.buffer<32x64xf16, #b>
!ma = !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>
!mb = !nv_tileas.tma_map<32x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @unchanged_loop(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %rank = nv_tileas.get_cta_rank : i32
  %first = arith.cmpi eq, %rank, %z : i32
  %number = arith.extsi %rank : i32 to i64
  %row = arith.muli %number, %rows : i64
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
    %a = nv_tileas.alloc_shared align 512 : !ta
    nv_tileas.mbarrier_expect %bara, 4096 : !bar
    // expected-remark@+1 {{no TMA multicast: each CTA loads a different tile}}
    %t1 = nv_tileas.tma_load %a, %ma[%row, %x], %bara token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
    %b = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb, 4096 : !bar
    // expected-remark@+1 {{no TMA multicast: without warp specialization a cluster barrier would precede it, with a fence of the GPU}}
    %t2 = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    %nexta = arith.xori %pa, %one : i32
    %nextb = arith.xori %pb, %one : i32
    nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
    nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
    nv_tileas.fence_async
    %c = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<64x64xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    scf.continue %c, %nexta, %nextb : tensor<64x64xf32, #sum>, i32, i32
  }
  %t = nv_tileas.tiled_store %sum#0, %out[%row, %c0] sizes [%rows, %rows] strides [%rows, %c1] {bounds = array<i1: false, false>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// CHECK-LABEL: nv_tileas.func @unchanged_alone
// CHECK-NOT: multicast
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<64x32xf16, #a>
!tb = !nv_tileas.buffer<32x64xf16, #b>
!ma = !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>
!mb = !nv_tileas.tma_map<32x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @unchanged_alone(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %rank = nv_tileas.get_cta_rank : i32
  %first = arith.cmpi eq, %rank, %z : i32
  %number = arith.extsi %rank : i32 to i64
  %row = arith.muli %number, %rows : i64
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
    %a = nv_tileas.alloc_shared align 512 : !ta
    nv_tileas.mbarrier_expect %bara, 4096 : !bar
    %t1 = nv_tileas.tma_load %a, %ma[%row, %x], %bara token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
    %b = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb, 4096 : !bar
    %t2 = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    %nexta = arith.xori %pa, %one : i32
    %nextb = arith.xori %pb, %one : i32
    nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
    nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
    nv_tileas.fence_async
    %c = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<64x64xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    scf.continue %c, %nexta, %nextb : tensor<64x64xf32, #sum>, i32, i32
  }
  %t = nv_tileas.tiled_store %sum#0, %out[%row, %c0] sizes [%rows, %rows] strides [%rows, %c1] {bounds = array<i1: false, false>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// Parts of both factors.
// CHECK-LABEL: nv_tileas.func @unchanged_parts
// CHECK-NOT: multicast
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<64x32xf16, #a>
!tb = !nv_tileas.buffer<32x64xf16, #b>
!ma = !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>
!mb = !nv_tileas.tma_map<32x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @unchanged_parts(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %rank = nv_tileas.get_cta_rank : i32
  %first = arith.cmpi eq, %rank, %z : i32
  %number = arith.extsi %rank : i32 to i64
  %row = arith.muli %number, %rows : i64
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
    %a = nv_tileas.alloc_shared align 512 : !ta
    nv_tileas.mbarrier_expect %bara, 4096 : !bar
    // expected-remark@+1 {{no TMA multicast: each CTA loads a different tile}}
    %t1 = nv_tileas.tma_load %a, %ma[%row, %x], %bara token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
    %b = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb, 4096 : !bar
    // expected-remark@+1 {{no TMA multicast: each CTA loads a different tile}}
    %t2 = nv_tileas.tma_load %b, %mb[%x, %row], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    %nexta = arith.xori %pa, %one : i32
    %nextb = arith.xori %pb, %one : i32
    nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
    nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
    nv_tileas.fence_async
    %c = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<64x64xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    scf.continue %c, %nexta, %nextb : tensor<64x64xf32, #sum>, i32, i32
  }
  %t = nv_tileas.tiled_store %sum#0, %out[%row, %c0] sizes [%rows, %rows] strides [%rows, %c1] {bounds = array<i1: false, false>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// CTAs whose loops end at different times do not come to the copy together.
// CHECK-LABEL: nv_tileas.func @unchanged_uneven
// CHECK-NOT: multicast
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<64x32xf16, #a>
!tb = !nv_tileas.buffer<32x64xf16, #b>
!ma = !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>
!mb = !nv_tileas.tma_map<32x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @unchanged_uneven(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %rank = nv_tileas.get_cta_rank : i32
  %first = arith.cmpi eq, %rank, %z : i32
  %number = arith.extsi %rank : i32 to i64
  %row = arith.muli %number, %rows : i64
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !ma
  %mb = nv_tileas.tensor_map %q sizes [%wide, %rows] strides [%rows, %c1] : !nv_tileas.ptr<f16> -> !mb
  %none = arith.constant dense<0.0> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %bara = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara, 1 : !bar
  %barb = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb, 1 : !bar
  %sum:3 = scf.for %i = %lo to %rank step %by iter_args(%acc = %none, %pa = %z, %pb = %z) -> (tensor<64x64xf32, #sum>, i32, i32) : i32 {
    %at = arith.extsi %i : i32 to i64
    %x = arith.muli %at, %c32 : i64
    %a = nv_tileas.alloc_shared align 512 : !ta
    nv_tileas.mbarrier_expect %bara, 4096 : !bar
    // expected-remark@+1 {{no TMA multicast: each CTA loads a different tile}}
    %t1 = nv_tileas.tma_load %a, %ma[%row, %x], %bara token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
    %b = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb, 4096 : !bar
    // expected-remark@+1 {{no TMA multicast: each CTA loads a different tile}}
    %t2 = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    %nexta = arith.xori %pa, %one : i32
    %nextb = arith.xori %pb, %one : i32
    nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
    nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
    nv_tileas.fence_async
    %c = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<64x64xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    scf.continue %c, %nexta, %nextb : tensor<64x64xf32, #sum>, i32, i32
  }
  %t = nv_tileas.tiled_store %sum#0, %out[%row, %c0] sizes [%rows, %rows] strides [%rows, %c1] {bounds = array<i1: false, false>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// A CTA that leaves does not bring its part.
// CHECK-LABEL: nv_tileas.func @unchanged_leaves
// CHECK-NOT: multicast
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<64x32xf16, #a>
!tb = !nv_tileas.buffer<32x64xf16, #b>
!ma = !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>
!mb = !nv_tileas.tma_map<32x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @unchanged_leaves(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %rank = nv_tileas.get_cta_rank : i32
  %first = arith.cmpi eq, %rank, %z : i32
  %number = arith.extsi %rank : i32 to i64
  %row = arith.muli %number, %rows : i64
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !ma
  %mb = nv_tileas.tensor_map %q sizes [%wide, %rows] strides [%rows, %c1] : !nv_tileas.ptr<f16> -> !mb
  %none = arith.constant dense<0.0> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  scf.if %first {
    nv_tileas.return
  } else {
    scf.yield
  }
  %bara = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara, 1 : !bar
  %barb = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb, 1 : !bar
  %sum:3 = scf.for %i = %lo to %hi step %by iter_args(%acc = %none, %pa = %z, %pb = %z) -> (tensor<64x64xf32, #sum>, i32, i32) : i32 {
    %at = arith.extsi %i : i32 to i64
    %x = arith.muli %at, %c32 : i64
    %a = nv_tileas.alloc_shared align 512 : !ta
    nv_tileas.mbarrier_expect %bara, 4096 : !bar
    // expected-remark@+1 {{no TMA multicast: each CTA loads a different tile}}
    %t1 = nv_tileas.tma_load %a, %ma[%row, %x], %bara token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
    %b = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb, 4096 : !bar
    // expected-remark@+1 {{no TMA multicast: 'nv_tileas.return' is executed by some CTAs only}}
    %t2 = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    %nexta = arith.xori %pa, %one : i32
    %nextb = arith.xori %pb, %one : i32
    nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
    nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
    nv_tileas.fence_async
    %c = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<64x64xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    scf.continue %c, %nexta, %nextb : tensor<64x64xf32, #sum>, i32, i32
  }
  %t = nv_tileas.tiled_store %sum#0, %out[%row, %c0] sizes [%rows, %rows] strides [%rows, %c1] {bounds = array<i1: false, false>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
