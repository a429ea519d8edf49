// RUN: tile-opt %s --lower-to=ptx --gpu-name=sm_80 | FileCheck %s

// A tile of 32 words and a CTA of 4 warps: the first warp copies it.
// CHECK: and.b32 %[[WARP:.*]], %{{.*}}, 96;
// CHECK: setp.eq.u32 %[[FIRST:.*]], %[[WARP]], 0;
// CHECK: @%[[FIRST]] cp.async.ca.shared.global [%{{.*}}], [%{{.*}}], 4, %
nv_tileas.func @fewer_words(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c = arith.constant dense<0.0> : tensor<1x16xf32>
  %a, %at = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<1x64xf16>
  %b, %bt = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x16xf16>
  %d = nv_tileas.dot %a, %b, %c : tensor<1x64xf16>, tensor<64x16xf16> -> tensor<1x16xf32>
  %t = nv_tileas.tiled_store %d, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<1x16xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
