// RUN: tile-opt %s --tileas-keep-mma-in-flight '--tileas-schedule-loops=prefetch=2' --tileas-pipeline-loops --gpu-name=sm_90 | FileCheck %s

// Tensor copies run ahead in stages of their own, beside copies of threads: a ring of mbarriers, one for each slot, tells of their bytes, and of nothing else. The parity of the round is carried, and changes where the ring begins
// again. The buffer and the mbarrier of the old loop are gone.
// CHECK-LABEL: nv_tileas.func @k
// CHECK-NOT: nv_tileas.alloc_shared : !nv_tileas.buffer<64x32xf16
// CHECK: %[[BARS:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<4 x [1x!nv_tileas.mbarrier], #{{.*}}>
// CHECK-COUNT-4: nv_tileas.mbarrier_init
// CHECK: nv_tileas.mbarrier_expect %{{.*}}, 4096 if %
// CHECK: nv_tileas.tma_load {{.*}} if %
// CHECK: nv_tileas.copy_async {{.*}} if %
// CHECK: scf.for {{.*}} iter_args(%[[SLOT:.*]] = %{{.*}}, %[[ROUND:.*]] = %{{.*}}, %[[SUM:.*]] = %none)
// CHECK-NEXT: nv_tileas.dot_wait {pending = 1 : i32}
// CHECK-NEXT: %[[BAR:.*]] = nv_tileas.buffer_stage %[[BARS]][%[[SLOT]]]
// CHECK-NEXT: nv_tileas.mbarrier_wait %[[BAR]], %[[ROUND]]
// CHECK-NEXT: nv_tileas.wait_group 1
// CHECK-NEXT: nv_tileas.fence_async
// CHECK: nv_tileas.dot_async {{.*}}, %[[SUM]]
// CHECK: %[[NEXT:.*]] = nv_tileas.buffer_stage %[[BARS]][%[[SLOT]] + 2]
// CHECK: nv_tileas.mbarrier_expect %[[NEXT]], 4096 if %[[MORE:.*]] :
// CHECK: nv_tileas.tma_load {{.*}}, %[[NEXT]] if %[[MORE]]
// CHECK: nv_tileas.copy_async {{.*}} if %[[MORE]]
// CHECK-NEXT: nv_tileas.commit_group
// CHECK: %[[LAST:.*]] = arith.cmpi eq, %[[SLOT]], %
// CHECK: %[[FLIP:.*]] = arith.extui %{{.*}} : i1 to i32
// CHECK-NEXT: arith.xori %[[ROUND]], %[[FLIP]]
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#fragA = #nv_tileas.layout<"{shape = [64, 32], register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [32, 0], [2, 8], [4, 16]]}">
#b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0], [1, 8], [2, 16], [4, 32]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
#plainA = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]}">
#plainB = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
#s = #nv_tileas.shared<"{shape = [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0], [32, 0], [1, 8], [2, 16], [4, 32]]}">
nv_tileas.func @k(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %none = arith.constant dense<0.0> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<64x32xf16, order = [1, 0]>
  %bar = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.mbarrier_init %bar, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  %sum:2 = scf.for %i = %lo to %hi step %by iter_args(%acc = %none, %parity = %z) -> (tensor<64x64xf32, #sum>, i32) : i32 {
    %wide_i = arith.extsi %i : i32 to i64
    %x = arith.muli %wide_i, %c32 : i64
    %a = nv_tileas.alloc_shared : !nv_tileas.buffer<64x32xf16, #plainA>
    nv_tileas.mbarrier_expect %bar, 4096 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
    %ta = nv_tileas.tma_load %a, %ma[%c0, %x], %bar : !nv_tileas.buffer<64x32xf16, #plainA>, !nv_tileas.tma_map<64x32xf16, order = [1, 0]>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one> -> !nv_tileas.mem_token
    %b = nv_tileas.alloc_shared : !nv_tileas.buffer<32x64xf16, #b>
    %tb = nv_tileas.copy_async %b, %q[%x, %c0] sizes [%wide, %rows] strides [%rows, %c1] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 2>} : !nv_tileas.buffer<32x64xf16, #b>, !nv_tileas.ptr<f16>
    %gb = nv_tileas.commit_group : !nv_tileas.group
    nv_tileas.mbarrier_wait %bar, %parity : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>, i32
    nv_tileas.wait_group 0 for %gb : !nv_tileas.group
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !nv_tileas.buffer<64x32xf16, #plainA>, !nv_tileas.buffer<32x64xf16, #b> -> tensor<64x64xf32, #sum>
    %e = nv_tileas.dot_wait %d {pending = 0 : i32} : tensor<64x64xf32, #sum>
    %next = arith.xori %parity, %one : i32
    scf.continue %e, %next : tensor<64x64xf32, #sum>, i32
  }
  %done = nv_tileas.tiled_store %sum#0, %out[%c0, %c0] sizes [%rows, %rows] strides [%rows, %c1] token %start {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 0>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
