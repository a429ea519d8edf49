// RUN: tile-opt %s --tileas-plan-copies=synchronous=true --gpu-name=sm_90 --tensor-maps=params | FileCheck %s --check-prefix=PLAN
// RUN: tile-opt %s --pass-pipeline="builtin.module(nv_tileas.func(tileas-plan-copies{synchronous=true},tileas-materialize-copies))" --gpu-name=sm_90 --tensor-maps=params | FileCheck %s
// RUN: tile-opt %s --tileas-plan-copies=synchronous=true --gpu-name=sm_90 --tensor-maps=none | FileCheck %s --check-prefix=NONE
// RUN: tile-opt %s --tileas-plan-copies=synchronous=true --gpu-name=sm_89 --tensor-maps=params | FileCheck %s --check-prefix=NONE

// RUN: tile-opt %s --tileas-plan-copies --gpu-name=sm_90 --tensor-maps=params | FileCheck %s --check-prefix=WAITED
// WAITED: nv_tileas.tiled_load %p{{.*}}nv_tileas.rejected = "tma: synchronous MMA: cp.async is cheaper than TMA here; cp.async:

// Bounds need not be known, since the machine tests each element: sizes divide by nothing here.
// PLAN-LABEL: nv_tileas.func @both
// PLAN: nv_tileas.tiled_load %p{{.*}}nv_tileas.transfer = "tma"
// PLAN: nv_tileas.tiled_load %q{{.*}}nv_tileas.rejected = "tma: the hint allow_tma is false; cp.async: only 2 bytes{{.*}}nv_tileas.transfer = "registers"

// Threads have stored what is loaded, in front by its token: the copy sees it behind a fence.
// PLAN-LABEL: nv_tileas.func @behind
// PLAN: nv_tileas.tiled_load %p{{.*}}nv_tileas.transfer = "tma"
// PLAN: nv_tileas.tiled_load %q{{.*}}nv_tileas.transfer = "tma"

// PLAN-LABEL: nv_tileas.func @refused
// PLAN: nv_tileas.tiled_load %p{{.*}}nv_tileas.rejected = "tma: elements outside become nan, and a tensor map pads with zeros; cp.async:
// PLAN: nv_tileas.tiled_load %q{{.*}}nv_tileas.rejected = "tma: the base is not known to be aligned to 16 bytes; cp.async:

// PLAN-LABEL: nv_tileas.func @refused_too
// PLAN: nv_tileas.tiled_load %p{{.*}}nv_tileas.rejected = "tma: the stride of dimension 0 is not known to be a multiple of 16 bytes; cp.async:
// PLAN: nv_tileas.tiled_load %q{{.*}}nv_tileas.rejected = "tma: the size of dimension 0 may be 2^31 or more"{{.*}}nv_tileas.transfer = "cp.async"

// PLAN-LABEL: nv_tileas.func @later
// PLAN: nv_tileas.tiled_load %p{{.*}}nv_tileas.rejected = "tma: the memory object differs in each iteration; cp.async:
// PLAN: nv_tileas.tiled_load %q{{.*}}nv_tileas.rejected = "tma: no dimension is known to have stride 1

// NONE-NOT: "tma

// What a map is made of is computed at the start, the mbarrier is made in front of the outermost loop, and each loop and condition carries the parity.
// CHECK-LABEL: nv_tileas.func @loops
// CHECK: [[MAP:%.*]] = nv_tileas.tensor_map %p sizes[{{.*}}] strides[{{.*}}] : !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>
// CHECK: [[BAR:%.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier
// CHECK: nv_tileas.mbarrier_init [[BAR]], 1
// CHECK: scf.for {{.*}} iter_args({{.*}}, [[OUTER:%.*]] = {{.*}}) -> ({{.*}}, i32)
// CHECK: scf.if {{.*}} -> ({{.*}}, i32)
// CHECK: scf.for {{.*}} iter_args({{.*}}, [[PARITY:%.*]] = [[OUTER]]) -> ({{.*}}, i32)
// CHECK: [[NEXT:%.*]] = arith.xori [[PARITY]], {{.*}} : i32
// CHECK: [[BUF:%.*]] = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<64x64xf16
// CHECK: nv_tileas.mbarrier_expect [[BAR]], 8192
// CHECK: nv_tileas.tma_load [[BUF]], [[MAP]][{{.*}}], [[BAR]]
// CHECK: nv_tileas.mbarrier_wait [[BAR]], [[PARITY]]
// CHECK: nv_tileas.local_load [[BUF]]
// CHECK: scf.continue {{.*}}, [[NEXT]]
// CHECK: scf.yield {{.*}} : {{.*}}, i32
// CHECK: else
// CHECK: scf.yield {{.*}}, [[OUTER]] :
#layout = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}">
#layout1 = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 0]], block = []}">
#layout2 = #nv_tileas.layout<"{shape = [64, 64], register = [[1, 0], [8, 0], [16, 0], [32, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 32]], block = []}">
#layout3 = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 32]], block = []}">
module {
  nv_tileas.func @both(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %n: i32, %w: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %a, %at = nv_tileas.tiled_load %p[%z, %z] sizes [%s, %s] strides [%s, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout>
    %b, %bt = nv_tileas.tiled_load %q[%z, %z] sizes [%s, %s] strides [%s, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>, no_tma} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout>
    %0 = nv_tileas.convert_layout %a : tensor<64x64xf16, #layout> -> tensor<64x64xf16, #layout1>
    %1 = nv_tileas.convert_layout %b : tensor<64x64xf16, #layout> -> tensor<64x64xf16, #layout2>
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #layout3>
    %d = nv_tileas.dot %0, %1, %c {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x64xf16, #layout1>, tensor<64x64xf16, #layout2> -> tensor<64x64xf32, #layout3>
    nv_tileas.return
  }
  nv_tileas.func @behind(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %n: i32, %w: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %y = arith.constant dense<1.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #layout>
    %u = nv_tileas.tiled_store %y, %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : tensor<64x64xf16, #layout>, !nv_tileas.ptr<f16>
    %a, %at = nv_tileas.tiled_load %p[%z, %z] sizes [%s, %s] strides [%s, %one] token %u {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout>
    %b, %bt = nv_tileas.tiled_load %q[%z, %z] sizes [%s, %s] strides [%s, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout>
    %0 = nv_tileas.convert_layout %a : tensor<64x64xf16, #layout> -> tensor<64x64xf16, #layout1>
    %1 = nv_tileas.convert_layout %b : tensor<64x64xf16, #layout> -> tensor<64x64xf16, #layout2>
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #layout3>
    %d = nv_tileas.dot %0, %1, %c {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x64xf16, #layout1>, tensor<64x64xf16, #layout2> -> tensor<64x64xf32, #layout3>
    nv_tileas.return
  }
  nv_tileas.func @refused(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %n: i32, %w: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %a, %at = nv_tileas.tiled_load %p[%z, %z] sizes [%s, %s] strides [%s, %one] {padding = "nan", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout>
    %b, %bt = nv_tileas.tiled_load %q[%z, %z] sizes [%s, %s] strides [%s, %one] {padding = "zero", bounds = array<i1: true, true>, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout>
    %0 = nv_tileas.convert_layout %a : tensor<64x64xf16, #layout> -> tensor<64x64xf16, #layout1>
    %1 = nv_tileas.convert_layout %b : tensor<64x64xf16, #layout> -> tensor<64x64xf16, #layout2>
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #layout3>
    %d = nv_tileas.dot %0, %1, %c {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x64xf16, #layout1>, tensor<64x64xf16, #layout2> -> tensor<64x64xf32, #layout3>
    nv_tileas.return
  }
  nv_tileas.func @refused_too(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %n: i32, %w: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %a, %at = nv_tileas.tiled_load %p[%z, %z] sizes [%s, %s] strides [%s, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 4, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout>
    %b, %bt = nv_tileas.tiled_load %q[%z, %z] sizes [%w, %s] strides [%s, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 8, 8>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout>
    %0 = nv_tileas.convert_layout %a : tensor<64x64xf16, #layout> -> tensor<64x64xf16, #layout1>
    %1 = nv_tileas.convert_layout %b : tensor<64x64xf16, #layout> -> tensor<64x64xf16, #layout2>
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #layout3>
    %d = nv_tileas.dot %0, %1, %c {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x64xf16, #layout1>, tensor<64x64xf16, #layout2> -> tensor<64x64xf32, #layout3>
    nv_tileas.return
  }
  nv_tileas.func @later(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %n: i32, %w: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %x, %y, %zz = nv_tileas.get_program_id : i32, i32, i32
    %m = arith.extsi %x : i32 to i64
    %a, %at = nv_tileas.tiled_load %p[%z, %z] sizes [%m, %s] strides [%s, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout>
    %b, %bt = nv_tileas.tiled_load %q[%z, %z] sizes [%s, %s] strides [%s, %s] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 16>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout>
    %0 = nv_tileas.convert_layout %a : tensor<64x64xf16, #layout> -> tensor<64x64xf16, #layout1>
    %1 = nv_tileas.convert_layout %b : tensor<64x64xf16, #layout> -> tensor<64x64xf16, #layout2>
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #layout3>
    %d = nv_tileas.dot %0, %1, %c {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x64xf16, #layout1>, tensor<64x64xf16, #layout2> -> tensor<64x64xf32, #layout3>
    nv_tileas.return
  }
  nv_tileas.func @loops(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %n: i32, %w: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #layout3>
    %f = arith.constant dense<0.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #layout2>
    %r = scf.for %i = %i0 to %n step %i1 iter_args(%acc = %c) -> (tensor<64x64xf32, #layout3>) : i32 {
      %yes = arith.cmpi slt, %i, %i1 : i32
      %u = scf.if %yes -> (tensor<64x64xf32, #layout3>) {
        %v = scf.for %j = %i0 to %n step %i1 iter_args(%sum = %acc) -> (tensor<64x64xf32, #layout3>) : i32 {
          %jj = arith.extsi %j : i32 to i64
          %a, %at = nv_tileas.tiled_load %p[%jj, %z] sizes [%s, %s] strides [%s, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout>
          %0 = nv_tileas.convert_layout %a : tensor<64x64xf16, #layout> -> tensor<64x64xf16, #layout1>
          %d = nv_tileas.dot %0, %f, %sum {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x64xf16, #layout1>, tensor<64x64xf16, #layout2> -> tensor<64x64xf32, #layout3>
          scf.continue %d : tensor<64x64xf32, #layout3>
        }
        scf.yield %v : tensor<64x64xf32, #layout3>
      } else {
        scf.yield %acc : tensor<64x64xf32, #layout3>
      }
      scf.continue %u : tensor<64x64xf32, #layout3>
    }
    nv_tileas.return
  }
}
