// RUN: tile-opt %s --tileas-make-async-mma --gpu-name=sm_90 | FileCheck %s

// A dump of asynchronous MMAs, as tileas-assign-layouts leaves them (tileas-products.mlir has what they come from).
// CHECK-LABEL: nv_tileas.func @stored
// CHECK: %[[X:.*]] = nv_tileas.alloc_shared align 1024
// CHECK: nv_tileas.local_store %a, %[[X]]
// CHECK: %[[Y:.*]] = nv_tileas.alloc_shared align 1024
// CHECK: nv_tileas.local_store %b, %[[Y]]
// CHECK: nv_tileas.fence_async
// CHECK: nv_tileas.dot_async %[[X]], %[[Y]], %c
// CHECK: nv_tileas.dot_wait
// What threads store before a loop is fenced there, since nothing in the loop writes it.
// CHECK-LABEL: nv_tileas.func @chain
// CHECK: nv_tileas.fence_async
// CHECK-NEXT: scf.for
// CHECK-NOT: nv_tileas.fence_async
// CHECK-COUNT-2: nv_tileas.dot_async
// CHECK-LABEL: nv_tileas.func @unchanged_others
// CHECK-NOT: dot_async
#layout = #nv_tileas.layout<"{shape = [128, 64], register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0], [64, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}">
#layout1 = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}">
#layout2 = #nv_tileas.layout<"{shape = [128, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [64, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#layout3 = #nv_tileas.layout<"{shape = [128, 64], register = [[2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [1, 0]], block = []}">
#layout4 = #nv_tileas.layout<"{shape = [128, 64], register = [[0, 1], [0, 2], [0, 4], [32, 0], [64, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]], block = []}">
#layout5 = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]], block = []}">
#layout6 = #nv_tileas.layout<"{shape = [128, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]], block = []}">
#layout7 = #nv_tileas.layout<"{shape = [128, 64], register = [[4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [1, 0], [2, 0]], block = []}">
#layout8 = #nv_tileas.layout<"{shape = [32, 64], register = [[0, 1], [0, 2], [0, 4], [16, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}">
#layout9 = #nv_tileas.layout<"{shape = [32, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [0, 0]], block = []}">
#layout10 = #nv_tileas.layout<"{shape = [64, 64], register = [[1, 0], [8, 0], [16, 0], [32, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 32]], block = []}">
#layout11 = #nv_tileas.layout<"{shape = [32, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [0, 32]], block = []}">
#layout12 = #nv_tileas.layout<"{shape = [32, 64], register = [[2, 0], [4, 0], [8, 0], [16, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [1, 0]], block = []}">
#layout13 = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [0, 2], [0, 4], [0, 8], [32, 0]], lane = [[0, 16], [0, 32], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]], block = []}">
#layout14 = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [0, 2], [8, 0], [0, 16], [0, 32], [16, 0]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 0]], block = []}">
#layout15 = #nv_tileas.layout<"{shape = [64, 64], register = [[1, 0], [2, 0], [16, 0], [32, 0], [0, 1], [0, 16]], lane = [[4, 0], [8, 0], [0, 2], [0, 4], [0, 8]], warp = [[0, 0], [0, 32]], block = []}">
#layout16 = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 2], [8, 0], [0, 1], [0, 16], [16, 0]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 32]], block = []}">
#layout17 = #nv_tileas.layout<"{shape = [64, 64], register = [[2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [1, 0]], block = []}">
module {
  nv_tileas.func @stored(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %a, %at = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 16, 16>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<128x64xf16, #layout>
    %b, %bt = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 16, 16>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout1>
    %c = arith.constant dense<0.000000e+00> : tensor<128x64xf32> as tensor<128x64xf32, #layout2>
    %d = nv_tileas.dot %a, %b, %c {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : tensor<128x64xf16, #layout>, tensor<64x64xf16, #layout1> -> tensor<128x64xf32, #layout2>
    %0 = nv_tileas.convert_layout %d : tensor<128x64xf32, #layout2> -> tensor<128x64xf32, #layout3>
    %t = nv_tileas.tiled_store %0, %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x64xf32, #layout3>, !nv_tileas.ptr<f32>
    nv_tileas.return
  }
  nv_tileas.func @chain(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f32>, %n: i64, %m: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %x, %xt = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 16, 16>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<128x64xf16, #layout4>
    %k, %kt = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 16, 16>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout5>
    %c = arith.constant dense<0.000000e+00> : tensor<128x64xf32> as tensor<128x64xf32, #layout6>
    %s = scf.for %i = %i0 to %m step %i1 iter_args(%acc = %c) -> (tensor<128x64xf32, #layout6>) : i32 {
      %c_0 = arith.constant dense<0.000000e+00> : tensor<128x64xf32> as tensor<128x64xf32, #layout6>
      %d = nv_tileas.dot %x, %k, %c_0 {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [8, 1]>} : tensor<128x64xf16, #layout4>, tensor<64x64xf16, #layout5> -> tensor<128x64xf32, #layout6>
      %h = arith.ftof %d : tensor<128x64xf32, #layout6> to tensor<128x64xf16, #layout6>
      %e = nv_tileas.dot %h, %k, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [8, 1]>} : tensor<128x64xf16, #layout6>, tensor<64x64xf16, #layout5> -> tensor<128x64xf32, #layout6>
      scf.continue %e : tensor<128x64xf32, #layout6>
    }
    %0 = nv_tileas.convert_layout %s : tensor<128x64xf32, #layout6> -> tensor<128x64xf32, #layout7>
    %t = nv_tileas.tiled_store %0, %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x64xf32, #layout7>, !nv_tileas.ptr<f32>
    nv_tileas.return
  }
  nv_tileas.func @unchanged_others(%p: !nv_tileas.ptr<f16>, %w: !nv_tileas.ptr<i8>, %q: !nv_tileas.ptr<f32>, %o: !nv_tileas.ptr<i32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %a, %at = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 16, 16>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<32x64xf16, #layout8>
    %b, %bt = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 16, 16>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout1>
    %0 = nv_tileas.convert_layout %a : tensor<32x64xf16, #layout8> -> tensor<32x64xf16, #layout9>
    %1 = nv_tileas.convert_layout %b : tensor<64x64xf16, #layout1> -> tensor<64x64xf16, #layout10>
    %c = arith.constant dense<0.000000e+00> : tensor<32x64xf32> as tensor<32x64xf32, #layout11>
    %d = nv_tileas.dot %0, %1, %c {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<32x64xf16, #layout9>, tensor<64x64xf16, #layout10> -> tensor<32x64xf32, #layout11>
    %2 = nv_tileas.convert_layout %d : tensor<32x64xf32, #layout11> -> tensor<32x64xf32, #layout12>
    %t = nv_tileas.tiled_store %2, %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<32x64xf32, #layout12>, !nv_tileas.ptr<f32>
    %e, %et = nv_tileas.tiled_load %w[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 16, 16>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<i8> -> tensor<64x64xi8, #layout13>
    %3 = nv_tileas.convert_layout %e : tensor<64x64xi8, #layout13> -> tensor<64x64xi8, #layout14>
    %4 = nv_tileas.convert_layout %e : tensor<64x64xi8, #layout13> -> tensor<64x64xi8, #layout15>
    %ci = arith.constant dense<0> : tensor<64x64xi32> as tensor<64x64xi32, #layout16>
    %f = nv_tileas.dot %3, %4, %ci {mma = #nv_tileas.mma<mma.sync, m16n8k32, warps = [2, 2], interleave = [1, 2]>} : tensor<64x64xi8, #layout14>, tensor<64x64xi8, #layout15> -> tensor<64x64xi32, #layout16>
    %5 = nv_tileas.convert_layout %f : tensor<64x64xi32, #layout16> -> tensor<64x64xi32, #layout17>
    %u = nv_tileas.tiled_store %5, %o[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xi32, #layout17>, !nv_tileas.ptr<i32>
    nv_tileas.return
  }
}
