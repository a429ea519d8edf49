// RUN: tile-opt %s --tileas-make-async-mma --gpu-name=sm_90 | FileCheck %s

// Rows of A that are dealt out to fragments come from registers, even if the buffer that they are loaded from has a layout
// that a descriptor covers: that has the rows in their order (random kernel 7958: wrong rows).
// CHECK-LABEL: nv_tileas.func @dealt
// CHECK: %[[A:.*]] = nv_tileas.local_load
// CHECK: nv_tileas.dot_async %[[A]], %{{.*}} {unsigned_lhs, unsigned_rhs, mma = #nv_tileas.mma<wgmma, m64n64k32, warps = [4, 1], interleave = [2, 1]>}

// Without, the instruction reads the buffer.
// CHECK-LABEL: nv_tileas.func @natural
// CHECK: %[[A:.*]] = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<64x128xi8
// CHECK-NOT: nv_tileas.local_load
// CHECK: nv_tileas.dot_async %[[A]], %
#b = #nv_tileas.layout<"{shape = [128, 64], register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}">
#dealta = #nv_tileas.layout<"{shape = [64, 128], register = [[0, 1], [0, 2], [1, 0], [0, 16], [0, 32], [0, 64]], lane = [[0, 4], [0, 8], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], block = []}">
#dealtd = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [1, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], block = []}">
#a = #nv_tileas.layout<"{shape = [64, 128], register = [[0, 1], [0, 2], [8, 0], [0, 16], [0, 32], [0, 64]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#d = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#shared = #nv_tileas.shared<"{shape = [64, 128], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [1, 16], [2, 32], [4, 64], [8, 0], [16, 0], [32, 0]]}">
!buf = !nv_tileas.buffer<64x128xi8, #shared>
nv_tileas.func @dealt(%out: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %n = arith.constant 64 : i64
  %one = arith.constant 1 : i64
  %b = arith.constant dense<1> : tensor<128x64xi8> as tensor<128x64xi8, #b>
  %c = arith.constant dense<0> : tensor<64x64xi32> as tensor<64x64xi32, #dealtd>
  %buf = nv_tileas.alloc_shared align 1024 : !buf
  %v = nv_tileas.local_load %buf : !buf -> tensor<64x128xi8, #dealta>
  %x = nv_tileas.dot %v, %b, %c {unsigned_lhs, unsigned_rhs, mma = #nv_tileas.mma<wgmma, m64n64k32, warps = [4, 1], interleave = [2, 1]>} : tensor<64x128xi8, #dealta>, tensor<128x64xi8, #b> -> tensor<64x64xi32, #dealtd>
  %t = nv_tileas.tiled_store %x, %out[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: false, false>} : tensor<64x64xi32, #dealtd>, !nv_tileas.ptr<i32>
  nv_tileas.return
}
nv_tileas.func @natural(%out: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %n = arith.constant 64 : i64
  %one = arith.constant 1 : i64
  %b = arith.constant dense<1> : tensor<128x64xi8> as tensor<128x64xi8, #b>
  %c = arith.constant dense<0> : tensor<64x64xi32> as tensor<64x64xi32, #d>
  %buf = nv_tileas.alloc_shared align 1024 : !buf
  %v = nv_tileas.local_load %buf : !buf -> tensor<64x128xi8, #a>
  %x = nv_tileas.dot %v, %b, %c {unsigned_lhs, unsigned_rhs, mma = #nv_tileas.mma<wgmma, m64n64k32, warps = [4, 1]>} : tensor<64x128xi8, #a>, tensor<128x64xi8, #b> -> tensor<64x64xi32, #d>
  %t = nv_tileas.tiled_store %x, %out[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: false, false>} : tensor<64x64xi32, #d>, !nv_tileas.ptr<i32>
  nv_tileas.return
}
