// RUN: tile-opt %s --convert-tileaa-to-tileas | FileCheck %s

// A kernel without a hint gets more warps when its accumulators would not fit the registers of 128 threads.
// CHECK-LABEL: nv_tileas.func @small
// CHECK-SAME: num_warps = 4 : i32
nv_tileaa.func @small() {
  %a = arith.constant dense<0.0> : tensor<128x16xf16>
  %b = arith.constant dense<0.0> : tensor<16x128xf16>
  %c = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = nv_tileaa.dot %a, %b, %c : tensor<128x16xf16>, tensor<16x128xf16> -> tensor<128x128xf32>
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileas.func @large
// CHECK-SAME: num_warps = 8 : i32
nv_tileaa.func @large() {
  %a = arith.constant dense<0.0> : tensor<128x16xf16>
  %b = arith.constant dense<0.0> : tensor<16x256xf16>
  %c = arith.constant dense<0.0> : tensor<128x256xf32>
  %d = nv_tileaa.dot %a, %b, %c : tensor<128x16xf16>, tensor<16x256xf16> -> tensor<128x256xf32>
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileas.func @told
// CHECK-SAME: num_warps = 4 : i32
nv_tileaa.func @told() attributes {num_warps = 4 : i32} {
  %a = arith.constant dense<0.0> : tensor<128x16xf16>
  %b = arith.constant dense<0.0> : tensor<16x256xf16>
  %c = arith.constant dense<0.0> : tensor<128x256xf32>
  %d = nv_tileaa.dot %a, %b, %c : tensor<128x16xf16>, tensor<16x256xf16> -> tensor<128x256xf32>
  nv_tileaa.return
}
