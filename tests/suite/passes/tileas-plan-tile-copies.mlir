// RUN: tile-opt %s --tileas-plan-copies --gpu-name=sm_90 --tensor-maps=params --remarks 2>&1 | FileCheck %s --check-prefix=PLAN
// RUN: tile-opt %s --tileas-plan-copies --gpu-name=sm_120 --tensor-maps=params --remarks 2>&1 | FileCheck %s --check-prefix=PLAN
// RUN: tile-opt %s --pass-pipeline="builtin.module(nv_tileas.func(tileas-plan-copies{anything=true},tileas-materialize-copies))" --gpu-name=sm_90 --tensor-maps=params | FileCheck %s
// RUN: tile-opt %s --tileas-plan-copies=anything=true --gpu-name=sm_90 --tensor-maps=none | FileCheck %s --check-prefix=NONE
// NONE-NOT: nv_tileas.transfer

// Tiles that no product takes: where copies run ahead in a loop, and cost fewer issue slots than loads by threads.
// PLAN: remark: load uses TMA: 1 x 64 x 64
// PLAN: remark: load cannot use TMA: TMA saves {{[0-9]+}} issue slots, but adds about {{[0-9]+}} cycles of latency
// PLAN: remark: load cannot use TMA: a load to registers takes {{[0-9]+}} issue slots, TMA with loads from its buffer takes
// PLAN: remark: load cannot use TMA: the hint allow_tma is false
// PLAN: remark: load cannot use TMA: in the same loop, threads write what it may read: TMA would need a fence in each iteration

// PLAN-LABEL: nv_tileas.func @loop
// PLAN: nv_tileas.tiled_load {{.*}}nv_tileas.transfer = "tma"
// PLAN-LABEL: nv_tileas.func @straight
// PLAN-NOT: nv_tileas.transfer

// CHECK-LABEL: nv_tileas.func @loop
// CHECK: nv_tileas.tensor_map
// CHECK: scf.for
// CHECK: nv_tileas.tma_load
// CHECK: nv_tileas.mbarrier_wait
// CHECK: [[X:%.*]] = nv_tileas.local_load
// CHECK: arith.addf {{.*}}, [[X]]

// What turns the tile and changes its layout is a view of the buffer, and a load from it in the layout of what takes it; threads that take it as it is load it so.
// CHECK-LABEL: nv_tileas.func @turned
// CHECK: nv_tileas.tma_load
// CHECK-NOT: nv_tileas.permute
// CHECK-NOT: nv_tileas.convert_layout
// CHECK: nv_tileas.mbarrier_wait
// CHECK: [[X:%.*]] = nv_tileas.local_load
// CHECK: arith.negf [[X]]
// CHECK: nv_tileas.buffer_permute
// CHECK: [[T:%.*]] = nv_tileas.local_load
// CHECK: nv_tileas.tiled_store [[T]]


// A tile block that may end in front of what takes the tile has waited for the copy.
// CHECK-LABEL: nv_tileas.func @ends
// CHECK: nv_tileas.tma_load
// CHECK: nv_tileas.mbarrier_wait
// CHECK-NEXT: scf.if
#layout = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [0, 2], [8, 0], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]], block = []}">
#turned = #nv_tileas.layout<"{shape = [64, 64], register = [[1, 0], [2, 0], [0, 8], [0, 16], [0, 32]], lane = [[4, 0], [8, 0], [16, 0], [32, 0], [0, 1]], warp = [[0, 2], [0, 4]], block = []}">
#small = #nv_tileas.layout<"{shape = [512], register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]], block = []}">
module {
  nv_tileas.func @loop(%p: !nv_tileas.ptr<f32>, %n: i32, %k: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %1 = arith.constant 1 : i64
    %2 = arith.constant 0 : i64
    %s = arith.extsi %n : i32 to i64
    %init = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #layout>
    %sum = scf.for %i = %z to %k step %one iter_args(%acc = %init) -> (tensor<64x64xf32, #layout>) : i32 {
      %o = arith.extsi %i : i32 to i64
      %x, %xt = nv_tileas.tiled_load %p[%o, %2] sizes [%s, %s] strides [%s, %1] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 1, 64>, size_div = array<i64: 1, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f32> -> tensor<64x64xf32, #layout>
      %a = arith.addf %acc, %x : tensor<64x64xf32, #layout>
      scf.continue %a : tensor<64x64xf32, #layout>
    }
    %st = nv_tileas.tiled_store %sum, %p[%2, %2] sizes [%s, %s] strides [%s, %1] {bounds = array<i1: true, true>} : tensor<64x64xf32, #layout>, !nv_tileas.ptr<f32>
    nv_tileas.return
  }
  nv_tileas.func @straight(%p: !nv_tileas.ptr<f32>, %n: i32, %k: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %1 = arith.constant 1 : i64
    %2 = arith.constant 0 : i64
    %s = arith.extsi %n : i32 to i64
    %x, %xt = nv_tileas.tiled_load %p[%2, %2] sizes [%s, %s] strides [%s, %1] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 1, 64>, size_div = array<i64: 1, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f32> -> tensor<64x64xf32, #layout>
    %y = arith.negf %x : tensor<64x64xf32, #layout>
    %st = nv_tileas.tiled_store %y, %p[%2, %2] sizes [%s, %s] strides [%s, %1] {bounds = array<i1: true, true>} : tensor<64x64xf32, #layout>, !nv_tileas.ptr<f32>
    %w, %wt = nv_tileas.tiled_load %p[%2] sizes [%s] strides [%1] {padding = "zero", bounds = array<i1: true>, base_div = 16 : i64, offset_div = array<i64: 16>, size_div = array<i64: 16>, stride_div = array<i64: 1>} : !nv_tileas.ptr<f32> -> tensor<512xf32, #small>
    %wst = nv_tileas.tiled_store %w, %p[%2] sizes [%s] strides [%1] {bounds = array<i1: true>} : tensor<512xf32, #small>, !nv_tileas.ptr<f32>
    nv_tileas.return
  }
  nv_tileas.func @turned(%p: !nv_tileas.ptr<f32>, %n: i32, %k: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %1 = arith.constant 1 : i64
    %2 = arith.constant 0 : i64
    %s = arith.extsi %n : i32 to i64
    %x, %xt = nv_tileas.tiled_load %p[%2, %2] sizes [%s, %s] strides [%s, %1] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 1, 64>, size_div = array<i64: 1, 16>, stride_div = array<i64: 16, 1>, no_tma} : !nv_tileas.ptr<f32> -> tensor<64x64xf32, #layout>
    %y, %yt = nv_tileas.tiled_load %p[%2, %2] sizes [%s, %s] strides [%s, %1] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 1, 64>, size_div = array<i64: 1, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f32> -> tensor<64x64xf32, #layout>
    %neg = arith.negf %y : tensor<64x64xf32, #layout>
    %t = nv_tileas.permute %y [1, 0] : tensor<64x64xf32, #layout> -> tensor<64x64xf32, #turned>
    %c = nv_tileas.convert_layout %t : tensor<64x64xf32, #turned> -> tensor<64x64xf32, #layout>
    %st = nv_tileas.tiled_store %c, %p[%2, %2] sizes [%s, %s] strides [%s, %1] {bounds = array<i1: true, true>} : tensor<64x64xf32, #layout>, !nv_tileas.ptr<f32>
    %su = nv_tileas.tiled_store %neg, %p[%2, %2] sizes [%s, %s] strides [%s, %1] {bounds = array<i1: true, true>} : tensor<64x64xf32, #layout>, !nv_tileas.ptr<f32>
    %sw = nv_tileas.tiled_store %x, %p[%2, %2] sizes [%s, %s] strides [%s, %1] {bounds = array<i1: true, true>} : tensor<64x64xf32, #layout>, !nv_tileas.ptr<f32>
    nv_tileas.return
  }
  nv_tileas.func @ends(%p: !nv_tileas.ptr<f32>, %n: i32, %k: i64, %no: i1) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %1 = arith.constant 1 : i64
    %2 = arith.constant 0 : i64
    %s = arith.extsi %n : i32 to i64
    %x, %xt = nv_tileas.tiled_load %p[%2, %2] sizes [%s, %s] strides [%s, %1] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 1, 64>, size_div = array<i64: 1, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f32> -> tensor<64x64xf32, #layout>
    scf.if %no {
      nv_tileas.return
    }
    %st = nv_tileas.tiled_store %x, %p[%2, %2] sizes [%s, %s] strides [%s, %1] {bounds = array<i1: true, true>} : tensor<64x64xf32, #layout>, !nv_tileas.ptr<f32>
    nv_tileas.return
  }
  nv_tileas.func @in_place(%p: !nv_tileas.ptr<f32>, %n: i32, %k: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %1 = arith.constant 1 : i64
    %2 = arith.constant 0 : i64
    %s = arith.extsi %n : i32 to i64
    %first = nv_tileas.create_mem_token : !nv_tileas.mem_token
    %last = scf.for %i = %z to %k step %one iter_args(%before = %first) -> (!nv_tileas.mem_token) : i32 {
      %o = arith.extsi %i : i32 to i64
      %x, %xt = nv_tileas.tiled_load %p[%o, %2] sizes [%s, %s] strides [%s, %1] token %before {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 1, 64>, size_div = array<i64: 1, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f32> -> tensor<64x64xf32, #layout>
      %y = arith.negf %x : tensor<64x64xf32, #layout>
      %u = nv_tileas.tiled_store %y, %p[%o, %2] sizes [%s, %s] strides [%s, %1] token %xt {bounds = array<i1: true, true>} : tensor<64x64xf32, #layout>, !nv_tileas.ptr<f32>
      scf.continue %u : !nv_tileas.mem_token
    }
    nv_tileas.return
  }
}
