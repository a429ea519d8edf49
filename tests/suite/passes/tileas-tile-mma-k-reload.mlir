// RUN: tile-opt %s --tileas-tile-mma-k --gpu-name=sm_90 | FileCheck %s

// A of 16x512 takes 128 registers of each thread, since all warps have it, beside 64 that the loop carries: each step loads its part again.
// CHECK-LABEL: nv_tileas.func @reloaded
// CHECK-NOT: nv_tileas.local_load
// CHECK: scf.for
// CHECK: nv_tileas.local_load {{.*}} from [0, 0] : !nv_tileas.buffer<16x512xbf16
// CHECK: nv_tileas.local_load {{.*}} from [0, 496] : !nv_tileas.buffer<16x512xbf16
// CHECK: scf.continue
//
// Where the loop carries less, A stays in registers.
// CHECK-LABEL: nv_tileas.func @kept
// CHECK: nv_tileas.local_load {{.*}} : !nv_tileas.buffer<16x512xbf16
// CHECK: scf.for
// CHECK-NOT: buffer<16x512xbf16
// CHECK: nv_tileas.return
//
// Warps with 8 columns each load B for two steps at once: one access of ldmatrix has the parts of both.
// CHECK-LABEL: nv_tileas.func @pairs
// CHECK: scf.for
// CHECK: %[[PAIR:.*]] = nv_tileas.local_load {{.*}} from [0, 0] : !nv_tileas.buffer<512x32xbf16, {{.*}}> -> tensor<32x32xbf16
// CHECK: nv_tileas.extract %[[PAIR]]
// CHECK: nv_tileas.extract %[[PAIR]]
// CHECK: nv_tileas.local_load {{.*}} from [32, 0] : !nv_tileas.buffer<512x32xbf16
#q = #nv_tileas.layout<"{shape = [16, 512], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128], [0, 256]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [0, 0]], block = []}">
#o = #nv_tileas.layout<"{shape = [16, 512], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 128], [0, 256]], block = []}">
#s = #nv_tileas.layout<"{shape = [16, 64], register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 16], [0, 32]], block = []}">
#s8 = #nv_tileas.layout<"{shape = [16, 32], register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [0, 16]], block = []}">
#k = #nv_tileas.layout<"{shape = [512, 64], register = [[1, 0], [8, 0], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0], [0, 8]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32]], block = []}">
#k8 = #nv_tileas.layout<"{shape = [512, 32], register = [[1, 0], [8, 0], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 8], [0, 16]], block = []}">
#shared = #nv_tileas.shared<"{shape = [16, 512], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128], [0, 256], [8, 0], [1, 8], [2, 16], [4, 32]]}">
#shared1 = #nv_tileas.shared<"{shape = [512, 64], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0], [0, 8], [0, 16], [0, 32], [8, 1], [16, 2], [32, 4]]}">
#shared2 = #nv_tileas.shared<"{shape = [512, 32], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0], [0, 8], [0, 16], [8, 1], [16, 2], [32, 4]]}">
module {
  nv_tileas.func @reloaded(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %first = arith.constant dense<0.000000e+00> : tensor<16x512xf32> as tensor<16x512xf32, #o>
    %none = arith.constant dense<0.000000e+00> : tensor<16x64xf32> as tensor<16x64xf32, #s>
    %bufq = nv_tileas.alloc_shared : !nv_tileas.buffer<16x512xbf16, #shared>
    %q = nv_tileas.local_load %bufq : !nv_tileas.buffer<16x512xbf16, #shared> -> tensor<16x512xbf16, #q>
    %r = scf.for %i = %zero to %n step %one iter_args(%a = %first) -> (tensor<16x512xf32, #o>) : i32 {
      %bufk = nv_tileas.alloc_shared : !nv_tileas.buffer<512x64xbf16, #shared1>
      %k = nv_tileas.local_load %bufk : !nv_tileas.buffer<512x64xbf16, #shared1> -> tensor<512x64xbf16, #k>
      %d = nv_tileas.dot %q, %k, %none {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [1, 4]>} : tensor<16x512xbf16, #q>, tensor<512x64xbf16, #k> -> tensor<16x64xf32, #s>
      %t = arith.addf %a, %a : tensor<16x512xf32, #o>
      scf.continue %t : tensor<16x512xf32, #o>
    }
    nv_tileas.return
  }
  nv_tileas.func @kept(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %first = arith.constant dense<0.000000e+00> : tensor<16x64xf32> as tensor<16x64xf32, #s>
    %none = arith.constant dense<0.000000e+00> : tensor<16x64xf32> as tensor<16x64xf32, #s>
    %bufq = nv_tileas.alloc_shared : !nv_tileas.buffer<16x512xbf16, #shared>
    %q = nv_tileas.local_load %bufq : !nv_tileas.buffer<16x512xbf16, #shared> -> tensor<16x512xbf16, #q>
    %r = scf.for %i = %zero to %n step %one iter_args(%a = %first) -> (tensor<16x64xf32, #s>) : i32 {
      %bufk = nv_tileas.alloc_shared : !nv_tileas.buffer<512x64xbf16, #shared1>
      %k = nv_tileas.local_load %bufk : !nv_tileas.buffer<512x64xbf16, #shared1> -> tensor<512x64xbf16, #k>
      %d = nv_tileas.dot %q, %k, %none {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [1, 4]>} : tensor<16x512xbf16, #q>, tensor<512x64xbf16, #k> -> tensor<16x64xf32, #s>
      %t = arith.addf %a, %d : tensor<16x64xf32, #s>
      scf.continue %t : tensor<16x64xf32, #s>
    }
    nv_tileas.return
  }
  nv_tileas.func @pairs(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %first = arith.constant dense<0.000000e+00> : tensor<16x32xf32> as tensor<16x32xf32, #s8>
    %none = arith.constant dense<0.000000e+00> : tensor<16x32xf32> as tensor<16x32xf32, #s8>
    %bufq = nv_tileas.alloc_shared : !nv_tileas.buffer<16x512xbf16, #shared>
    %q = nv_tileas.local_load %bufq : !nv_tileas.buffer<16x512xbf16, #shared> -> tensor<16x512xbf16, #q>
    %r = scf.for %i = %zero to %n step %one iter_args(%a = %first) -> (tensor<16x32xf32, #s8>) : i32 {
      %bufk = nv_tileas.alloc_shared : !nv_tileas.buffer<512x32xbf16, #shared2>
      %k = nv_tileas.local_load %bufk : !nv_tileas.buffer<512x32xbf16, #shared2> -> tensor<512x32xbf16, #k8>
      %d = nv_tileas.dot %q, %k, %none {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [1, 4]>} : tensor<16x512xbf16, #q>, tensor<512x32xbf16, #k8> -> tensor<16x32xf32, #s8>
      %t = arith.addf %a, %d : tensor<16x32xf32, #s8>
      scf.continue %t : tensor<16x32xf32, #s8>
    }
    nv_tileas.return
  }
}
