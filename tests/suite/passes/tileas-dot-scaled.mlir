// RUN: tile-opt %s --tileas-legalize-dot --tileas-assign-layouts --gpu-name=sm_120 | FileCheck %s --check-prefixes=CHECK,SCALES
// RUN: tile-opt %s --tileas-legalize-dot --tileas-assign-layouts --gpu-name=sm_100 | FileCheck %s --check-prefixes=CHECK,BLOCKS
// RUN: tile-opt %s --tileas-legalize-dot --tileas-assign-layouts --gpu-name=sm_120 --remarks 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --gpu-name=sm_120 --lower-to=ptx | FileCheck %s --check-prefix=PTX
// RUN: tile-opt %s --gpu-name=sm_121 --lower-to=ptx | FileCheck %s --check-prefix=NEXT
// RUN: tile-opt %s --gpu-name=sm_100 --lower-to=ptx | FileCheck %s --check-prefix=PLAIN

// A product whose scales the target multiplies stays one: as few words as there are have the scales, and the instruction is told which bytes of which threads. The version and the target are those
// that ptxas wants for it, and no more where there is none.

// PTX: .version 9.1
// PTX: .target sm_120f{{$}}
// NEXT: .target sm_121f{{$}}
// PLAIN: .target sm_100{{$}}
// PLAIN-NOT: block_scale

// CHECK-LABEL: nv_tileas.func @bytes
// SCALES-NOT: arith.fma
// REMARK: remark: MMA uses mma.sync.scaled m16n8k32, warp tiling 1 x 1
// SCALES: nv_tileas.dot_scaled {{.*}} {mma = #nv_tileas.mma<mma.sync.scaled, m16n8k32, warps = [1, 1]>}
// BLOCKS-NOT: nv_tileas.dot_scaled
// BLOCKS-COUNT-2: nv_tileas.dot {{.*}} {mma = #nv_tileas.mma<mma.sync, m16n8k32, warps = [1, 1]>}
// PTX-LABEL: .entry bytes
// PTX: mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0 {{.*}}, {0, 0}, %r{{[0-9]+}}, {0, 0};
// PTX: mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0 {{.*}}, {0, 0}, %r{{[0-9]+}}, {0, 1};
// PTX: mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0 {{.*}}, {1, 0}, %r{{[0-9]+}}, {1, 0};
// PTX: mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0 {{.*}}, {1, 0}, %r{{[0-9]+}}, {1, 1};
nv_tileas.func @bytes(%q: !nv_tileas.ptr<f8E8M0FNU>, %p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = arith.constant dense<1.0> : tensor<16x64xf8E4M3FN>
  %b = arith.constant dense<1.0> : tensor<64x16xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  %as, %u = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f8E8M0FNU> -> tensor<16x2xf8E8M0FNU>
  %bs, %v = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f8E8M0FNU> -> tensor<2x16xf8E8M0FNU>
  %d = nv_tileas.dot_scaled %a, %b, %c, %as, %bs : tensor<16x64xf8E4M3FN>, tensor<64x16xf8E4M3FN>, tensor<16x2xf8E8M0FNU>, tensor<2x16xf8E8M0FNU> -> tensor<16x16xf32>
  %t = nv_tileas.tiled_store %d, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// Elements of half a byte are two to a byte; two or four scales of a row are taken at once.
// CHECK-LABEL: nv_tileas.func @halves
// REMARK: remark: MMA uses mma.sync.scaled m16n8k32, warp tiling 1 x 1
// SCALES: nv_tileas.dot_scaled {{.*}} {mma = #nv_tileas.mma<mma.sync.scaled, m16n8k64, warps = [1, 1]>}
// PTX-LABEL: .entry halves
// PTX: mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 {{.*}}, {0, 0}, %r{{[0-9]+}}, {0, 0};
nv_tileas.func @halves(%q: !nv_tileas.ptr<f8E8M0FNU>, %p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = arith.constant dense<1.0> : tensor<16x64xf4E2M1FN>
  %b = arith.constant dense<1.0> : tensor<64x16xf4E2M1FN>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  %as, %u = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f8E8M0FNU> -> tensor<16x2xf8E8M0FNU>
  %bs, %v = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f8E8M0FNU> -> tensor<2x16xf8E8M0FNU>
  %d = nv_tileas.dot_scaled %a, %b, %c, %as, %bs : tensor<16x64xf4E2M1FN>, tensor<64x16xf4E2M1FN>, tensor<16x2xf8E8M0FNU>, tensor<2x16xf8E8M0FNU> -> tensor<16x16xf32>
  %t = nv_tileas.tiled_store %d, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// PTX-LABEL: .entry four
// PTX: mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 {{.*}}, {0, 0}, %r{{[0-9]+}}, {0, 0};
nv_tileas.func @four(%q: !nv_tileas.ptr<f8E4M3FN>, %p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = arith.constant dense<1.0> : tensor<16x64xf4E2M1FN>
  %b = arith.constant dense<1.0> : tensor<64x16xf4E2M1FN>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  %as, %u = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f8E4M3FN> -> tensor<16x4xf8E4M3FN>
  %bs, %v = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f8E4M3FN> -> tensor<4x16xf8E4M3FN>
  %d = nv_tileas.dot_scaled %a, %b, %c, %as, %bs : tensor<16x64xf4E2M1FN>, tensor<64x16xf4E2M1FN>, tensor<16x4xf8E4M3FN>, tensor<4x16xf8E4M3FN> -> tensor<16x16xf32>
  %t = nv_tileas.tiled_store %d, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// PTX-LABEL: .entry powers
// PTX: mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue8m0 {{.*}}, {0, 0}, %r{{[0-9]+}}, {0, 0};
nv_tileas.func @powers(%q: !nv_tileas.ptr<f8E8M0FNU>, %p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = arith.constant dense<1.0> : tensor<16x64xf4E2M1FN>
  %b = arith.constant dense<1.0> : tensor<64x16xf4E2M1FN>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  %as, %u = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f8E8M0FNU> -> tensor<16x4xf8E8M0FNU>
  %bs, %v = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f8E8M0FNU> -> tensor<4x16xf8E8M0FNU>
  %d = nv_tileas.dot_scaled %a, %b, %c, %as, %bs : tensor<16x64xf4E2M1FN>, tensor<64x16xf4E2M1FN>, tensor<16x4xf8E8M0FNU>, tensor<4x16xf8E8M0FNU> -> tensor<16x16xf32>
  %t = nv_tileas.tiled_store %d, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// For a K of 32 they are each in a byte, as those of a byte are.
// CHECK-LABEL: nv_tileas.func @short
// SCALES: nv_tileas.dot_scaled {{.*}} {mma = #nv_tileas.mma<mma.sync.scaled, m16n8k32, warps = [1, 1]>}
// PTX-LABEL: .entry short
// PTX: mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e2m1.e2m1.f32.ue8m0 {{.*}}, {0, 0}, %r{{[0-9]+}}, {0, 0};
nv_tileas.func @short(%q: !nv_tileas.ptr<f8E8M0FNU>, %p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = arith.constant dense<1.0> : tensor<16x32xf4E2M1FN>
  %b = arith.constant dense<1.0> : tensor<32x16xf4E2M1FN>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  %as, %u = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f8E8M0FNU> -> tensor<16x1xf8E8M0FNU>
  %bs, %v = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f8E8M0FNU> -> tensor<1x16xf8E8M0FNU>
  %d = nv_tileas.dot_scaled %a, %b, %c, %as, %bs : tensor<16x32xf4E2M1FN>, tensor<32x16xf4E2M1FN>, tensor<16x1xf8E8M0FNU>, tensor<1x16xf8E8M0FNU> -> tensor<16x16xf32>
  %t = nv_tileas.tiled_store %d, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// No instruction takes 16 of them with one scale at this depth, nor scales of fnv8E5M3FNU.
// CHECK-LABEL: nv_tileas.func @none
// CHECK-NOT: nv_tileas.dot_scaled
// CHECK: arith.fma
// PTX-LABEL: .entry none
// PTX-NOT: block_scale
nv_tileas.func @none(%q: !nv_tileas.ptr<f8E4M3FN>, %p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = arith.constant dense<1.0> : tensor<16x32xf4E2M1FN>
  %b = arith.constant dense<1.0> : tensor<32x16xf4E2M1FN>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  %as, %u = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f8E4M3FN> -> tensor<16x2xf8E4M3FN>
  %bs, %v = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f8E4M3FN> -> tensor<2x16xf8E4M3FN>
  %d = nv_tileas.dot_scaled %a, %b, %c, %as, %bs : tensor<16x32xf4E2M1FN>, tensor<32x16xf4E2M1FN>, tensor<16x2xf8E4M3FN>, tensor<2x16xf8E4M3FN> -> tensor<16x16xf32>
  %t = nv_tileas.tiled_store %d, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// CHECK-LABEL: nv_tileas.func @wide
// CHECK-NOT: nv_tileas.dot_scaled
// CHECK: arith.fma
nv_tileas.func @wide(%q: !nv_tileas.ptr<fnv8E5M3FNU>, %p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = arith.constant dense<1.0> : tensor<16x64xf4E2M1FN>
  %b = arith.constant dense<1.0> : tensor<64x16xf4E2M1FN>
  %c = arith.constant dense<0.0> : tensor<16x16xf32>
  %as, %u = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<fnv8E5M3FNU> -> tensor<16x4xfnv8E5M3FNU>
  %bs, %v = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<fnv8E5M3FNU> -> tensor<4x16xfnv8E5M3FNU>
  %d = nv_tileas.dot_scaled %a, %b, %c, %as, %bs : tensor<16x64xf4E2M1FN>, tensor<64x16xf4E2M1FN>, tensor<16x4xfnv8E5M3FNU>, tensor<4x16xfnv8E5M3FNU> -> tensor<16x16xf32>
  %t = nv_tileas.tiled_store %d, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
