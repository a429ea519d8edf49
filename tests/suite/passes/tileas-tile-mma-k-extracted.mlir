// RUN: tile-opt %s --tileas-tile-mma-k --gpu-name=sm_80 | FileCheck %s

// Parts of an operand that only the run chooses are loaded from shared memory, where the tile is stored before the loop.
// A conversion of the layout of a part is left out: each load has the layout that it needs.
// CHECK-LABEL: nv_tileas.func @extracted
// CHECK: nv_tileas.local_store %{{.*}}, %[[Q:.*]] : tensor<64x64xf16
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[N:.*]] = arith.constant 32 : i32
// CHECK: %[[AT:.*]] = arith.muli %[[I]], %[[N]] : i32
// CHECK-NOT: nv_tileas.extract
// CHECK: nv_tileas.local_load %[[Q]] from [0, 0] + %[[AT]] along 0 : {{.*}} -> tensor<16x64xf16
// CHECK: nv_tileas.local_load %[[Q]] from [16, 0] + %[[AT]] along 0 : {{.*}} -> tensor<16x64xf16
// CHECK: nv_tileas.return

// A part along another dimension than K stays in registers.
// CHECK-LABEL: nv_tileas.func @columns
// CHECK: scf.for
// CHECK: nv_tileas.extract
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 32]], block = []}">
#a = #nv_tileas.layout<"{shape = [64, 32], register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 0]], block = []}">
#b = #nv_tileas.layout<"{shape = [32, 64], register = [[1, 0], [8, 0], [16, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 32]], block = []}">
#order = #nv_tileas.layout<"{shape = [32, 64], register = [[16, 0], [1, 0], [8, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 32]], block = []}">
#whole = #nv_tileas.layout<"{shape = [64, 64], register = [[16, 0], [1, 0], [8, 0], [0, 8], [0, 16], [32, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 32]], block = []}">
#wide = #nv_tileas.layout<"{shape = [32, 128], register = [[1, 0], [8, 0], [16, 0], [0, 8], [0, 16], [0, 64]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 32]], block = []}">
#shared_a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [32, 0], [2, 8], [4, 16]]}">
module {
  nv_tileas.func @extracted(%p: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %first = arith.constant 0 : i32
    %step = arith.constant 1 : i32
    %parts = arith.constant 2 : i32
    %x = arith.constant dense<1.000000e+00> : tensor<64x32xf16> as tensor<64x32xf16, #a>
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
    %q, %t = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #whole>
    %0 = nv_tileas.alloc_shared : !nv_tileas.buffer<64x32xf16, #shared_a>
    nv_tileas.local_store %x, %0 : tensor<64x32xf16, #a>, !nv_tileas.buffer<64x32xf16, #shared_a>
    %sum = scf.for %i = %first to %parts step %step iter_args(%acc = %none) -> (tensor<64x64xf32, #sum>) : i32 {
      %a = nv_tileas.local_load %0 : !nv_tileas.buffer<64x32xf16, #shared_a> -> tensor<64x32xf16, #a>
      %f = nv_tileas.extract %q[%i, %first] : tensor<64x64xf16, #whole>, i32, i32 -> tensor<32x64xf16, #order>
      %b = nv_tileas.convert_layout %f : tensor<32x64xf16, #order> -> tensor<32x64xf16, #b>
      %d = nv_tileas.dot %a, %b, %acc {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x32xf16, #a>, tensor<32x64xf16, #b> -> tensor<64x64xf32, #sum>
      scf.continue %d : tensor<64x64xf32, #sum>
    }
    %s = nv_tileas.tiled_store %sum, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
    nv_tileas.return
  }
  nv_tileas.func @columns(%p: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %first = arith.constant 0 : i32
    %step = arith.constant 1 : i32
    %parts = arith.constant 2 : i32
    %x = arith.constant dense<1.000000e+00> : tensor<64x32xf16> as tensor<64x32xf16, #a>
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
    %q, %t = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<32x128xf16, #wide>
    %0 = nv_tileas.alloc_shared : !nv_tileas.buffer<64x32xf16, #shared_a>
    nv_tileas.local_store %x, %0 : tensor<64x32xf16, #a>, !nv_tileas.buffer<64x32xf16, #shared_a>
    %sum = scf.for %i = %first to %parts step %step iter_args(%acc = %none) -> (tensor<64x64xf32, #sum>) : i32 {
      %a = nv_tileas.local_load %0 : !nv_tileas.buffer<64x32xf16, #shared_a> -> tensor<64x32xf16, #a>
      %b = nv_tileas.extract %q[%first, %i] : tensor<32x128xf16, #wide>, i32, i32 -> tensor<32x64xf16, #b>
      %d = nv_tileas.dot %a, %b, %acc {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x32xf16, #a>, tensor<32x64xf16, #b> -> tensor<64x64xf32, #sum>
      scf.continue %d : tensor<64x64xf32, #sum>
    }
    %s = nv_tileas.tiled_store %sum, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
    nv_tileas.return
  }
}
