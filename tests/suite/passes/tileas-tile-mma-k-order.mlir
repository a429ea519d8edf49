// RUN: tile-opt %s --tileas-tile-mma-k --gpu-name=sm_80 | FileCheck %s

// Parts are loaded where they are multiplied. So a load in front of a store to its buffer stays whole where it is, and only the other operand comes in parts.
// CHECK-LABEL: nv_tileas.func @overwritten
// CHECK: %[[B:.*]] = nv_tileas.local_load %[[BUFFER:.*]] : !nv_tileas.buffer<32x64xf16, #{{.*}}> -> tensor<32x64xf16, #{{.*}}>
// CHECK: nv_tileas.local_store %{{.*}}, %[[BUFFER]]
// CHECK-NOT: nv_tileas.local_load %[[BUFFER]]
// CHECK: nv_tileas.local_load %{{.*}} from [0, 16] : !nv_tileas.buffer<64x32xf16, #{{.*}}>
// CHECK: nv_tileas.return

// A store that puts a factor into a buffer of the right type behind the MMA is of no use to it, though it is the only one.
// CHECK-LABEL: nv_tileas.func @stored_later
// CHECK: nv_tileas.local_store %b,
// CHECK: %[[LATER:.*]] = nv_tileas.alloc_shared
// CHECK: %[[W:.*]] = arith.negf
// CHECK-NEXT: %[[NOW:.*]] = nv_tileas.alloc_shared
// CHECK-NEXT: nv_tileas.local_store %[[W]], %[[NOW]]
// CHECK: scf.for
// CHECK: nv_tileas.local_load %[[NOW]] from {{.*}} along 1
// CHECK: scf.continue
// CHECK: nv_tileas.local_store %[[W]], %[[LATER]]
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 32]], block = []}">
#a = #nv_tileas.layout<"{shape = [64, 32], register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 0]], block = []}">
#b = #nv_tileas.layout<"{shape = [32, 64], register = [[1, 0], [8, 0], [16, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 32]], block = []}">
#shared_a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [32, 0], [2, 8], [4, 16]]}">
#shared_b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0], [1, 8], [2, 16], [4, 32]]}">
#from = #nv_tileas.layout<"{shape = [64, 64], register = [[2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [1, 0]], block = []}">
#fa = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], lane = [[0, 0], [4, 0], [0, 0], [8, 0], [0, 0]], warp = [[16, 0], [32, 0]], block = []}">
#fb = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [0, 2], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 4], [0, 0], [0, 8], [0, 0], [0, 16]], warp = [[0, 0], [0, 0]], block = []}">
#fs = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [0, 2], [1, 0], [2, 0], [0, 32]], lane = [[0, 4], [4, 0], [0, 8], [8, 0], [0, 16]], warp = [[16, 0], [32, 0]], block = []}">
#shared_fa = #nv_tileas.shared<"{shape = [64, 64], offset = [[0, 1], [0, 2], [4, 0], [1, 0], [2, 0], [8, 0], [16, 0], [32, 0], [0, 4], [0, 8], [0, 16], [0, 32]]}">
module {
  nv_tileas.func @overwritten(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %x = arith.constant dense<1.000000e+00> : tensor<64x32xf16> as tensor<64x32xf16, #a>
    %y = arith.constant dense<2.000000e+00> : tensor<32x64xf16> as tensor<32x64xf16, #b>
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
    %0 = nv_tileas.alloc_shared : !nv_tileas.buffer<64x32xf16, #shared_a>
    nv_tileas.local_store %x, %0 : tensor<64x32xf16, #a>, !nv_tileas.buffer<64x32xf16, #shared_a>
    %1 = nv_tileas.alloc_shared : !nv_tileas.buffer<32x64xf16, #shared_b>
    nv_tileas.local_store %y, %1 : tensor<32x64xf16, #b>, !nv_tileas.buffer<32x64xf16, #shared_b>
    %a = nv_tileas.local_load %0 : !nv_tileas.buffer<64x32xf16, #shared_a> -> tensor<64x32xf16, #a>
    %b = nv_tileas.local_load %1 : !nv_tileas.buffer<32x64xf16, #shared_b> -> tensor<32x64xf16, #b>
    %w = arith.negf %y : tensor<32x64xf16, #b>
    nv_tileas.local_store %w, %1 : tensor<32x64xf16, #b>, !nv_tileas.buffer<32x64xf16, #shared_b>
    %d = nv_tileas.dot %a, %b, %c {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x32xf16, #a>, tensor<32x64xf16, #b> -> tensor<64x64xf32, #sum>
    %t = nv_tileas.tiled_store %d, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
    nv_tileas.return
  }
  nv_tileas.func @stored_later(%p: !nv_tileas.ptr<f32>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %a, %t = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<64x64xf32, #from>
    %b = arith.addf %a, %a : tensor<64x64xf32, #from>
    %0 = nv_tileas.convert_layout %b : tensor<64x64xf32, #from> -> tensor<64x64xf32, #fa>
    %1 = nv_tileas.convert_layout %b : tensor<64x64xf32, #from> -> tensor<64x64xf32, #fb>
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #fs>
    %later = nv_tileas.alloc_shared : !nv_tileas.buffer<64x64xf32, #shared_fa>
    %w = arith.negf %0 : tensor<64x64xf32, #fa>
    %d = nv_tileas.dot %w, %1, %none {mma = #nv_tileas.mma<fma, m1n1k1, warps = [4, 1]>} : tensor<64x64xf32, #fa>, tensor<64x64xf32, #fb> -> tensor<64x64xf32, #fs>
    nv_tileas.local_store %w, %later : tensor<64x64xf32, #fa>, !nv_tileas.buffer<64x64xf32, #shared_fa>
    %s = nv_tileas.tiled_store %d, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32, #fs>, !nv_tileas.ptr<f32>
    nv_tileas.return
  }
}
