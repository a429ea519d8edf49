// RUN: tile-opt %s --tileas-plan-copies=anything=true --gpu-name=sm_90 --tensor-maps=params | FileCheck %s

// What is outside becomes zero in a copy, which is the padding of a tile alone that is surely inside.
// CHECK-LABEL: nv_tileas.func @inside
// CHECK: nv_tileas.tiled_load {{.*}}padding = "nan"{{.*}}nv_tileas.transfer = "tma"
// CHECK-LABEL: nv_tileas.func @outside
// CHECK: nv_tileas.tiled_load {{.*}}padding = "nan"
// CHECK-NOT: nv_tileas.transfer = "tma"
// CHECK: nv_tileas.return
#rows = #nv_tileas.layout<"{shape = [32, 64], register = [[0, 1], [0, 2], [8, 0], [16, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]], block = []}">
module {
  nv_tileas.func @inside(%p: !nv_tileas.ptr<f32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %a, %v = nv_tileas.tiled_load %p[%z, %z] sizes [%s, %s] strides [%s, %one] {padding = "nan", bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 4, 1>} : !nv_tileas.ptr<f32> -> tensor<32x64xf32, #rows>
    %b = arith.addf %a, %a : tensor<32x64xf32, #rows>
    nv_tileas.return
  }
  nv_tileas.func @outside(%p: !nv_tileas.ptr<f32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %a, %v = nv_tileas.tiled_load %p[%z, %z] sizes [%s, %s] strides [%s, %one] {padding = "nan", bounds = array<i1: false, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 4, 1>} : !nv_tileas.ptr<f32> -> tensor<32x64xf32, #rows>
    %b = arith.addf %a, %a : tensor<32x64xf32, #rows>
    nv_tileas.return
  }
}
