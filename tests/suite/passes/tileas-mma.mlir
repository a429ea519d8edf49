// RUN: not tile-opt %s --split-input-file --tileas-assign-layouts --gpu-name=sm_80 2>&1 | FileCheck %s

// An attribute that names what there is not is refused at the dot.

// CHECK: error: 'nv_tileas.dot' op names no matrix instruction for its element types 'f16', 'f16' and 'f32', but #nv_tileas.mma<mma.sync, m16n8k32, warps = [2, 2]>
nv_tileas.func @shape() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = arith.constant dense<1.0> : tensor<32x32xf16>
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = nv_tileas.dot %a, %a, %c {mma = #nv_tileas.mma<mma.sync, m16n8k32, warps = [2, 2]>} : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  nv_tileas.return
}

// -----

// CHECK: error: 'nv_tileas.dot' op names no matrix instruction for its element types 'f16', 'f16' and 'f32', but #nv_tileas.mma<mma.async, m16n8k16, warps = [2, 2]>
nv_tileas.func @family() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = arith.constant dense<1.0> : tensor<32x32xf16>
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = nv_tileas.dot %a, %a, %c {mma = #nv_tileas.mma<mma.async, m16n8k16, warps = [2, 2]>} : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  nv_tileas.return
}

// -----

// CHECK: error: 'nv_tileas.dot' op is to be computed by #nv_tileas.mma<wgmma, m64n32k16, warps = [4, 1]>, which sm_80 does not have
nv_tileas.func @group() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = arith.constant dense<1.0> : tensor<64x32xf16>
  %b = arith.constant dense<1.0> : tensor<32x32xf16>
  %c = arith.constant dense<0.0> : tensor<64x32xf32>
  %d = nv_tileas.dot %a, %b, %c {mma = #nv_tileas.mma<wgmma, m64n32k16, warps = [4, 1]>} : tensor<64x32xf16>, tensor<32x32xf16> -> tensor<64x32xf32>
  nv_tileas.return
}

// -----

// CHECK: error: 'nv_tileas.dot' op has no fragments: operand of m16n8k16 with 16-bit elements has shape [32 8]: extent 8 of K is less than 16
nv_tileas.func @short() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = arith.constant dense<1.0> : tensor<32x8xf16>
  %b = arith.constant dense<1.0> : tensor<8x32xf16>
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = nv_tileas.dot %a, %b, %c {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<32x8xf16>, tensor<8x32xf16> -> tensor<32x32xf32>
  nv_tileas.return
}

// -----

// What follows from the wrong number of warps, the property says when the pass has run.
// CHECK: error: {{.*}} over another number of warps than the kernel has
nv_tileas.func @warps() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = arith.constant dense<1.0> : tensor<32x32xf16>
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = nv_tileas.dot %a, %a, %c {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [4, 2]>} : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  nv_tileas.return
}

// -----

// CHECK: error: {{.*}}sm_80 does not have
nv_tileas.func @target() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = arith.constant dense<1.0> : tensor<32x32xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = nv_tileas.dot %a, %a, %c {mma = #nv_tileas.mma<mma.sync, m16n8k32, warps = [2, 2]>} : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
  nv_tileas.return
}

// -----

// CHECK: error: 'nv_tileas.dot' op has no fragments: a warp has no 2 fragments along dimension 1 of [32 16] to interleave
nv_tileas.func @interleave() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = arith.constant dense<1> : tensor<32x32xi8>
  %b = arith.constant dense<1> : tensor<32x16xi8>
  %c = arith.constant dense<0> : tensor<32x16xi32>
  %d = nv_tileas.dot %a, %b, %c {mma = #nv_tileas.mma<mma.sync, m16n8k32, warps = [2, 2], interleave = [1, 2]>} : tensor<32x32xi8>, tensor<32x16xi8> -> tensor<32x16xi32>
  nv_tileas.return
}

// -----

// CHECK: error: 'nv_tileas.dot_scaled' op names no matrix instruction for its element types 'e4m3', 'e4m3' and 'f32' with a scale of 'ue8m0' for 32, but #nv_tileas.mma<mma.sync.scaled, m16n8k64, warps = [2, 2]>
nv_tileas.func @scales() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = arith.constant dense<1.0> : tensor<32x64xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<64x32xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %as = arith.constant dense<1.0> : tensor<32x2xf8E8M0FNU>
  %bs = arith.constant dense<1.0> : tensor<2x32xf8E8M0FNU>
  %d = nv_tileas.dot_scaled %a, %b, %c, %as, %bs {mma = #nv_tileas.mma<mma.sync.scaled, m16n8k64, warps = [2, 2]>} : tensor<32x64xf8E4M3FN>, tensor<64x32xf8E4M3FN>, tensor<32x2xf8E8M0FNU>, tensor<2x32xf8E8M0FNU> -> tensor<32x32xf32>
  nv_tileas.return
}

// -----

// CHECK: error: 'nv_tileas.dot_scaled' op names no matrix instruction for its element types 'e4m3', 'e4m3' and 'f32' with a scale of 'ue8m0' for 32, but #nv_tileas.mma<mma.sync, m16n8k32, warps = [2, 2]>
nv_tileas.func @unscaled() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = arith.constant dense<1.0> : tensor<32x64xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<64x32xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %as = arith.constant dense<1.0> : tensor<32x2xf8E8M0FNU>
  %bs = arith.constant dense<1.0> : tensor<2x32xf8E8M0FNU>
  %d = nv_tileas.dot_scaled %a, %b, %c, %as, %bs {mma = #nv_tileas.mma<mma.sync, m16n8k32, warps = [2, 2]>} : tensor<32x64xf8E4M3FN>, tensor<64x32xf8E4M3FN>, tensor<32x2xf8E8M0FNU>, tensor<2x32xf8E8M0FNU> -> tensor<32x32xf32>
  nv_tileas.return
}

// -----

// CHECK: error: 'nv_tileas.dot_scaled' op names no matrix instruction for its element types 'e4m3', 'e4m3' and 'f32' with a scale of 'ue8m0' for 32, but #nv_tileas.mma<fma, m1n1k1, warps = [2, 2]>
nv_tileas.func @alone() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = arith.constant dense<1.0> : tensor<32x64xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<64x32xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %as = arith.constant dense<1.0> : tensor<32x2xf8E8M0FNU>
  %bs = arith.constant dense<1.0> : tensor<2x32xf8E8M0FNU>
  %d = nv_tileas.dot_scaled %a, %b, %c, %as, %bs {mma = #nv_tileas.mma<fma, m1n1k1, warps = [2, 2]>} : tensor<32x64xf8E4M3FN>, tensor<64x32xf8E4M3FN>, tensor<32x2xf8E8M0FNU>, tensor<2x32xf8E8M0FNU> -> tensor<32x32xf32>
  nv_tileas.return
}

// -----

// CHECK: error: {{.*}}sm_80 does not have
nv_tileas.func @scaled_target() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = arith.constant dense<1.0> : tensor<32x64xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<64x32xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %as = arith.constant dense<1.0> : tensor<32x2xf8E8M0FNU>
  %bs = arith.constant dense<1.0> : tensor<2x32xf8E8M0FNU>
  %d = nv_tileas.dot_scaled %a, %b, %c, %as, %bs {mma = #nv_tileas.mma<mma.sync.scaled, m16n8k32, warps = [2, 2]>} : tensor<32x64xf8E4M3FN>, tensor<64x32xf8E4M3FN>, tensor<32x2xf8E8M0FNU>, tensor<2x32xf8E8M0FNU> -> tensor<32x32xf32>
  nv_tileas.return
}
