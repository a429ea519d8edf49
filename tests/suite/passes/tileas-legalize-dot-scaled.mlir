// RUN: tile-opt %s --tileas-legalize-dot --gpu-name=sm_100 | FileCheck %s --check-prefixes=CHECK,TENSOR
// RUN: tile-opt %s --tileas-legalize-dot --gpu-name=sm_110 | FileCheck %s --check-prefixes=CHECK,TENSOR
// RUN: tile-opt %s --tileas-legalize-dot --gpu-name=sm_90 | FileCheck %s --check-prefixes=CHECK,OTHER

#four = #nv_tileaa.kernel_spec<num_warps = 4>

// What an instruction of TMEM scales stays.
// CHECK-LABEL: nv_tileas.func @stays
// TENSOR: nv_tileas.dot_scaled
// OTHER-NOT: nv_tileas.dot_scaled
// OTHER: nv_tileas.dot %
// CHECK: nv_tileas.return
nv_tileas.func @stays() attributes {nv_tileaa.kernel_spec = #four} {
  %a = arith.constant dense<1.0> : tensor<128x128xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<128x64xf8E5M2>
  %c = arith.constant dense<1.0> : tensor<128x64xf32>
  %s = arith.constant dense<1.0> : tensor<128x4xf8E8M0FNU>
  %t = arith.constant dense<1.0> : tensor<4x64xf8E8M0FNU>
  %d = nv_tileas.dot_scaled %a, %b, %c, %s, %t : tensor<128x128xf8E4M3FN>, tensor<128x64xf8E5M2>, tensor<128x4xf8E8M0FNU>, tensor<4x64xf8E8M0FNU> -> tensor<128x64xf32>
  nv_tileas.return
}

// 64 rows are too few for one that scales.
// CHECK-LABEL: nv_tileas.func @rows
// CHECK-NOT: nv_tileas.dot_scaled
// CHECK: nv_tileas.return
nv_tileas.func @rows() attributes {nv_tileaa.kernel_spec = #four} {
  %a = arith.constant dense<1.0> : tensor<64x128xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<128x64xf8E4M3FN>
  %c = arith.constant dense<1.0> : tensor<64x64xf32>
  %s = arith.constant dense<1.0> : tensor<64x4xf8E8M0FNU>
  %t = arith.constant dense<1.0> : tensor<4x64xf8E8M0FNU>
  %d = nv_tileas.dot_scaled %a, %b, %c, %s, %t : tensor<64x128xf8E4M3FN>, tensor<128x64xf8E4M3FN>, tensor<64x4xf8E8M0FNU>, tensor<4x64xf8E8M0FNU> -> tensor<64x64xf32>
  nv_tileas.return
}

// Words of scales have four along the depth.
// CHECK-LABEL: nv_tileas.func @depth
// CHECK-NOT: nv_tileas.dot_scaled
// CHECK: nv_tileas.return
nv_tileas.func @depth() attributes {nv_tileaa.kernel_spec = #four} {
  %a = arith.constant dense<1.0> : tensor<128x64xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<64x64xf8E4M3FN>
  %c = arith.constant dense<1.0> : tensor<128x64xf32>
  %s = arith.constant dense<1.0> : tensor<128x2xf8E8M0FNU>
  %t = arith.constant dense<1.0> : tensor<2x64xf8E8M0FNU>
  %d = nv_tileas.dot_scaled %a, %b, %c, %s, %t : tensor<128x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>, tensor<128x2xf8E8M0FNU>, tensor<2x64xf8E8M0FNU> -> tensor<128x64xf32>
  nv_tileas.return
}

// The first would stay alone; all sums of the kernel at once have no room.
// CHECK-LABEL: nv_tileas.func @room
// CHECK-NOT: nv_tileas.dot_scaled
// CHECK: nv_tileas.return
nv_tileas.func @room() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 16>} {
  %a = arith.constant dense<1.0> : tensor<128x128xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<128x64xf8E4M3FN>
  %c = arith.constant dense<1.0> : tensor<128x64xf32>
  %s = arith.constant dense<1.0> : tensor<128x4xf8E8M0FNU>
  %t = arith.constant dense<1.0> : tensor<4x64xf8E8M0FNU>
  %h = arith.constant dense<1.0> : tensor<512x128xf16>
  %i = arith.constant dense<1.0> : tensor<128x128xf16>
  %j = arith.constant dense<1.0> : tensor<512x128xf32>
  %d = nv_tileas.dot_scaled %a, %b, %c, %s, %t : tensor<128x128xf8E4M3FN>, tensor<128x64xf8E4M3FN>, tensor<128x4xf8E8M0FNU>, tensor<4x64xf8E8M0FNU> -> tensor<128x64xf32>
  %e = nv_tileas.dot %h, %i, %j : tensor<512x128xf16>, tensor<128x128xf16> -> tensor<512x128xf32>
  nv_tileas.return
}

// Elements of half a byte become bytes, along the depth: what was unpacked is taken as it was, anything else is packed.
// CHECK-LABEL: nv_tileas.func @halves
// TENSOR: %[[BYTES:.*]] = nv_tileas.reshape
// TENSOR: %[[TURNED:.*]] = nv_tileas.permute
// TENSOR: %[[PACKED:.*]] = nv_tileas.pack %[[TURNED]] : tensor<64x128xf4E2M1FN> -> tensor<64x64xi8>
// TENSOR: %[[COLUMNS:.*]] = nv_tileas.permute %[[PACKED]]
// TENSOR: nv_tileas.dot_scaled %[[BYTES]], %[[COLUMNS]], {{.*}} {pairs} : tensor<128x64xi8>, tensor<64x64xi8>
// OTHER-NOT: pairs
// CHECK: nv_tileas.return
nv_tileas.func @halves() attributes {nv_tileaa.kernel_spec = #four} {
  %line = arith.constant dense<1> : tensor<8192xi8>
  %x = nv_tileas.reshape %line : tensor<8192xi8> -> tensor<128x64xi8>
  %a = nv_tileas.unpack %x : tensor<128x64xi8> -> tensor<128x128xf4E2M1FN>
  %b = arith.constant dense<1.0> : tensor<128x64xf4E2M1FN>
  %c = arith.constant dense<1.0> : tensor<128x64xf32>
  %s = arith.constant dense<1.0> : tensor<128x4xf8E8M0FNU>
  %t = arith.constant dense<1.0> : tensor<4x64xf8E8M0FNU>
  %d = nv_tileas.dot_scaled %a, %b, %c, %s, %t : tensor<128x128xf4E2M1FN>, tensor<128x64xf4E2M1FN>, tensor<128x4xf8E8M0FNU>, tensor<4x64xf8E8M0FNU> -> tensor<128x64xf32>
  nv_tileas.return
}
