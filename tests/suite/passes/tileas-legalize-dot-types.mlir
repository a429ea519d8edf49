// RUN: tile-opt %s --tileas-legalize-dot --gpu-name=sm_80 | FileCheck %s --check-prefixes=CHECK,AMPERE
// RUN: tile-opt %s --tileas-legalize-dot --gpu-name=sm_89 | FileCheck %s --check-prefixes=CHECK,ADA
// RUN: tile-opt %s --tileas-legalize-dot --gpu-name=sm_120 | FileCheck %s --check-prefixes=CHECK,ADA

// Element types that the target does not multiply become ones that it does. What it multiplies stays, and so does what no conversion helps.

// CHECK-LABEL: nv_tileas.func @bytes
// AMPERE-COUNT-2: arith.ftof {{.*}} to tensor<32x32xf16>
// ADA-NOT: arith.ftof
// CHECK: nv_tileas.dot
nv_tileas.func @bytes() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = arith.constant dense<1.0> : tensor<32x32xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = nv_tileas.dot %a, %a, %c : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
  nv_tileas.return
}

// With a sum in f16 there are instructions for a K of 32 and of 16.
// CHECK-LABEL: nv_tileas.func @sums
// AMPERE-COUNT-2: arith.ftof {{.*}} to tensor<32x32xf16>
// ADA-NOT: arith.ftof
// CHECK: nv_tileas.dot
// AMPERE: arith.ftof {{.*}} to tensor<32x16xf16>
// AMPERE: arith.ftof {{.*}} to tensor<16x32xf16>
// ADA-NOT: arith.ftof
// CHECK: nv_tileas.dot
nv_tileas.func @sums() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = arith.constant dense<1.0> : tensor<32x32xf8E5M2>
  %l = arith.constant dense<1.0> : tensor<32x16xf8E5M2>
  %r = arith.constant dense<1.0> : tensor<16x32xf8E5M2>
  %c = arith.constant dense<0.0> : tensor<32x32xf16>
  %d = nv_tileas.dot %a, %a, %c : tensor<32x32xf8E5M2>, tensor<32x32xf8E5M2> -> tensor<32x32xf16>
  %e = nv_tileas.dot %l, %r, %d : tensor<32x16xf8E5M2>, tensor<16x32xf8E5M2> -> tensor<32x32xf16>
  nv_tileas.return
}

// f32 has no instruction and no type without loss that has one; f16 and i8 have theirs everywhere; a K of 4 is too short for f16 as well.
// CHECK-LABEL: nv_tileas.func @stay
// CHECK-NOT: arith.ftof
// CHECK: nv_tileas.return
nv_tileas.func @stay() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %f = arith.constant dense<1.0> : tensor<16x16xf32>
  %h = arith.constant dense<1.0> : tensor<16x16xf16>
  %i = arith.constant dense<1> : tensor<16x16xi8>
  %z = arith.constant dense<0> : tensor<16x16xi32>
  %l = arith.constant dense<1.0> : tensor<16x4xf8E4M3FN>
  %r = arith.constant dense<1.0> : tensor<4x16xf8E4M3FN>
  %1 = nv_tileas.dot %f, %f, %f : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %2 = nv_tileas.dot %h, %h, %f : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  %3 = nv_tileas.dot %i, %i, %z : tensor<16x16xi8>, tensor<16x16xi8> -> tensor<16x16xi32>
  %4 = nv_tileas.dot %l, %r, %f : tensor<16x4xf8E4M3FN>, tensor<4x16xf8E4M3FN> -> tensor<16x16xf32>
  nv_tileas.return
}
