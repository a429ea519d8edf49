// RUN: tile-opt %s --tileas-assign-layouts --tileas-remove-layout-conversions --tileas-plan-copies --gpu-name=sm_90 | FileCheck %s
// RUN: tile-opt %s --lower-to=ptx --gpu-name=sm_90 | FileCheck %s --check-prefix=SM90
// RUN: tile-opt %s --lower-to=ptx --gpu-name=sm_89 | FileCheck %s --check-prefix=SM89

// Bytes that lie along the columns of B: fragments share columns out in pairs, so that ldmatrix transposes pairs of bytes and prmt sorts the bytes. Nothing passes registers on the way to shared memory.
// CHECK-LABEL: nv_tileas.func @columns
// CHECK-COUNT-2: nv_tileas.transfer = "cp.async"
// CHECK: nv_tileas.dot {{.*}}#nv_tileas.mma<mma.sync, m16n8k32, warps = [2, 2], interleave = [1, 2]>
// Where the machine multiplies no bytes, it is f16 that is multiplied, added to C at once; elsewhere the bytes themselves.
// SM90: .entry columns(
// SM90-COUNT-2: cp.async.cg
// SM90: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// SM90: prmt.b32
// SM90: cvt.rn.f16x2.e4m3x2
// SM90: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// SM90-NOT: m16n8k32
// SM90-NOT: ld.shared.b8
// SM90: .entry rows(
// SM89: .entry columns(
// SM89: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// SM89: prmt.b32
// SM89-NOT: cvt.rn.f16x2
// SM89: mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32
// SM89: .entry rows(
nv_tileas.func @columns(%p: !nv_tileas.ptr<f8E4M3FN>, %q: !nv_tileas.ptr<f8E4M3FN>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %a, %at = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f8E4M3FN> -> tensor<32x64xf8E4M3FN>
  %b, %bt = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f8E4M3FN> -> tensor<64x32xf8E4M3FN>
  %d = nv_tileas.dot %a, %b, %c : tensor<32x64xf8E4M3FN>, tensor<64x32xf8E4M3FN> -> tensor<32x32xf32>
  %t = nv_tileas.tiled_store %d, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<32x32xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// A transposed A lies along its rows.
// CHECK-LABEL: nv_tileas.func @rows
// CHECK-COUNT-2: nv_tileas.transfer = "cp.async"
// CHECK: nv_tileas.dot {{.*}}#nv_tileas.mma<mma.sync, m16n8k32, warps = [2, 2], interleave = [2, 2]>
nv_tileas.func @rows(%p: !nv_tileas.ptr<i8>, %q: !nv_tileas.ptr<i8>, %r: !nv_tileas.ptr<i32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c = arith.constant dense<0> : tensor<32x32xi32>
  %a0, %at = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<i8> -> tensor<64x32xi8>
  %a = nv_tileas.permute %a0 [1, 0] : tensor<64x32xi8> -> tensor<32x64xi8>
  %b, %bt = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<i8> -> tensor<64x32xi8>
  %d = nv_tileas.dot %a, %b, %c : tensor<32x64xi8>, tensor<64x32xi8> -> tensor<32x32xi32>
  %t = nv_tileas.tiled_store %d, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<32x32xi32>, !nv_tileas.ptr<i32>
  nv_tileas.return
}

// Bytes along K are what fragments have, f16 is a unit of its own, and columns of which a warp has no two fragments stay as they are.
// CHECK-LABEL: nv_tileas.func @unchanged_others
// CHECK-COUNT-3: warps = [{{[0-9], [0-9]}}]>}
// CHECK-NOT: interleave
// CHECK: nv_tileas.return
nv_tileas.func @unchanged_others(%p: !nv_tileas.ptr<i8>, %h: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<i32>, %s: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c = arith.constant dense<0> : tensor<64x64xi32>
  %a, %at = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<i8> -> tensor<64x64xi8>
  %b = nv_tileas.permute %a [1, 0] : tensor<64x64xi8> -> tensor<64x64xi8>
  %d = nv_tileas.dot %a, %b, %c : tensor<64x64xi8>, tensor<64x64xi8> -> tensor<64x64xi32>
  %t = nv_tileas.tiled_store %d, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xi32>, !nv_tileas.ptr<i32>
  %f, %ft = nv_tileas.tiled_load %h[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %g = arith.constant dense<0.0> : tensor<64x64xf32>
  %e = nv_tileas.dot %f, %f, %g : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %u = nv_tileas.tiled_store %e, %s[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileas.ptr<f32>
  %m, %mt = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<i8> -> tensor<64x8xi8>
  %o = arith.constant dense<0> : tensor<64x8xi32>
  %x = nv_tileas.dot %a, %m, %o : tensor<64x64xi8>, tensor<64x8xi8> -> tensor<64x8xi32>
  %v = nv_tileas.tiled_store %x, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x8xi32>, !nv_tileas.ptr<i32>
  nv_tileas.return
}
