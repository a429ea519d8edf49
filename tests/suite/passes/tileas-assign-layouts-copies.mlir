// RUN: tile-opt %s --tileas-legalize-dot --tileas-assign-layouts --gpu-name=sm_100 | FileCheck %s

// A fragment of eight rows has registers that are copies, which a part of a tensor need not have: the parts are taken without them, and a conversion makes the fragment.
// CHECK-LABEL: nv_tileas.func @parts
// CHECK: nv_tileas.extract
// CHECK: nv_tileas.dot
// CHECK: nv_tileas.return
nv_tileas.func @parts(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %i = arith.constant 1 : i32
  %o = arith.constant 0 : i32
  %a = arith.constant dense<1.0> : tensor<8x64xf8E5M2>
  %b = arith.constant dense<1.0> : tensor<64x8xf8E5M2>
  %c = arith.constant dense<0.0> : tensor<8x8xf32>
  %x = nv_tileas.extract %a[%o, %i] : tensor<8x64xf8E5M2>, i32, i32 -> tensor<8x32xf8E5M2>
  %y = nv_tileas.extract %b[%i, %o] : tensor<64x8xf8E5M2>, i32, i32 -> tensor<32x8xf8E5M2>
  %d = nv_tileas.dot %x, %y, %c : tensor<8x32xf8E5M2>, tensor<32x8xf8E5M2> -> tensor<8x8xf32>
  %t = nv_tileas.tiled_store %d, %p[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<8x8xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
