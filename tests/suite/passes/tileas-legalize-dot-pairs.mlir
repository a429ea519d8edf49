// RUN: tile-opt %s --tileas-legalize-dot --gpu-name=sm_100 | FileCheck %s
// RUN: tile-opt %s --tileas-legalize-dot --gpu-name=sm_120 --verify-diagnostics

// What the pass has made of halves is right as it is where it was made, and has no instruction elsewhere.
// CHECK-LABEL: nv_tileas.func @unchanged_pairs
// CHECK: nv_tileas.dot_scaled %{{.*}} {pairs}
nv_tileas.func @unchanged_pairs() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %x = arith.constant dense<1> : tensor<128x64xi8>
  %y = arith.constant dense<1> : tensor<64x64xi8>
  %c = arith.constant dense<1.000000e+00> : tensor<128x64xf32>
  %s = arith.constant dense<1.000000e+00> : tensor<128x4xf8E8M0FNU>
  %t = arith.constant dense<1.000000e+00> : tensor<4x64xf8E8M0FNU>
  // expected-error@+1 {{'nv_tileas.dot_scaled' op has packed 4-bit operands, which need an MMA with accumulators in TMEM: sm_120 has none for this dot}}
  %d = nv_tileas.dot_scaled %x, %y, %c, %s, %t {pairs} : tensor<128x64xi8>, tensor<64x64xi8>, tensor<128x4xf8E8M0FNU>, tensor<4x64xf8E8M0FNU> -> tensor<128x64xf32>
  nv_tileas.return
}
