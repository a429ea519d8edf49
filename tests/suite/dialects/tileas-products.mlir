// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

#a = #nv_tileas.shared<"{shape = [64, 16], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [16, 8], offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]}">
#mma = #nv_tileas.mma<wgmma, m64n8k16, warps = [4, 1]>

// CHECK-LABEL: nv_tileas.func @products(
nv_tileas.func @products(%z: i32, %n: i32, %one: i32) {
  %a = nv_tileas.alloc_shared : !nv_tileas.buffer<64x16xf16, #a>
  %b = nv_tileas.alloc_shared : !nv_tileas.buffer<16x8xf16, #b>
  %x = arith.constant dense<1.0> : tensor<64x16xf16>
  %c = arith.constant dense<0.0> : tensor<64x8xf32>
  nv_tileas.fence_async
  nv_tileas.barrier
  // CHECK: %d = nv_tileas.dot_async %a, %b, %c {mma = #nv_tileas.mma<wgmma, m64n8k16, warps = [4, 1]>} : !nv_tileas.buffer<64x16xf16, #shared>, !nv_tileas.buffer<16x8xf16, #shared1> -> tensor<64x8xf32>
  %d = nv_tileas.dot_async %a, %b, %c {mma = #mma} : !nv_tileas.buffer<64x16xf16, #a>, !nv_tileas.buffer<16x8xf16, #b> -> tensor<64x8xf32>
  // CHECK: %e = nv_tileas.dot_async %{{.*}}, %b, %d {mma = {{.*}}} : tensor<64x16xf16>, !nv_tileas.buffer<16x8xf16, #shared1> -> tensor<64x8xf32>
  %e = nv_tileas.dot_async %x, %b, %d {mma = #mma} : tensor<64x16xf16>, !nv_tileas.buffer<16x8xf16, #b> -> tensor<64x8xf32>
  %y = arith.constant dense<1.0> : tensor<16x8xf16>
  // CHECK: nv_tileas.dot_async %a, %{{.*}}, %{{.*}} {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1], transposed>} : !nv_tileas.buffer<64x16xf16, #shared>, tensor<16x8xf16> -> tensor<64x8xf32>
  %ty = nv_tileas.dot_async %a, %y, %c {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1], transposed>} : !nv_tileas.buffer<64x16xf16, #a>, tensor<16x8xf16> -> tensor<64x8xf32>
  // CHECK: nv_tileas.dot_async %a, %{{.*}}, %{{.*}} {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1], interleave = [2, 1], transposed>} :
  %tz = nv_tileas.dot_async %a, %y, %c {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1], interleave = [2, 1], transposed>} : !nv_tileas.buffer<64x16xf16, #a>, tensor<16x8xf16> -> tensor<64x8xf32>
  // CHECK: nv_tileas.dot_wait {pending = 1 : i32}{{$}}
  nv_tileas.dot_wait {pending = 1 : i32}
  // CHECK: %r = nv_tileas.dot_wait %e {pending = 0 : i32} : tensor<64x8xf32>
  %r = nv_tileas.dot_wait %e {pending = 0 : i32} : tensor<64x8xf32>
  // CHECK: nv_tileas.dot_wait %r, %c {pending = 0 : i32} : tensor<64x8xf32>, tensor<64x8xf32>
  %s:2 = nv_tileas.dot_wait %r, %c {pending = 0 : i32} : tensor<64x8xf32>, tensor<64x8xf32>
  %p = nv_tileas.alloc_shared : !nv_tileas.buffer<64x16xi8, #a>
  %q = nv_tileas.alloc_shared : !nv_tileas.buffer<16x8xi8, #b>
  %i = arith.constant dense<0> : tensor<64x8xi32>
  // CHECK: nv_tileas.dot_async %p, %q, %i {unsigned_lhs, unsigned_rhs, mma = {{.*}}} : !nv_tileas.buffer<64x16xi8, #shared>
  %u = nv_tileas.dot_async %p, %q, %i {unsigned_lhs, unsigned_rhs, mma = #mma} : !nv_tileas.buffer<64x16xi8, #a>, !nv_tileas.buffer<16x8xi8, #b> -> tensor<64x8xi32>
  nv_tileas.return
}
