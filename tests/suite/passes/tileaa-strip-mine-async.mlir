// RUN: tile-opt %s --gpu-name=sm_100 --tileaa-strip-mine | FileCheck %s --check-prefix=ENTIRE
// RUN: tile-opt %s --gpu-name=sm_90 --tileaa-strip-mine | FileCheck %s --check-prefix=ENTIRE
// RUN: tile-opt %s --gpu-name=sm_80 --tileaa-strip-mine | FileCheck %s --check-prefix=SPLIT

// P V of one block of keys is added to what is scaled, in registers. Asynchronous MMAs take no registers for operands,
// so that the tiles of 64 rows fit beside a second CTA. Parts of 32 rows are too small for wgmma and tcgen05.
// ENTIRE-LABEL: @added
// ENTIRE: scf.for
// ENTIRE-NOT: scf.for
// ENTIRE: nv_tileaa.dot {{.*}} -> tensor<64x128xf32>
// ENTIRE: nv_tileaa.dot {{.*}} -> tensor<64x128xf32>
// SPLIT-LABEL: @added
// SPLIT: scf.for
// SPLIT: scf.for
// SPLIT: nv_tileaa.dot {{.*}} -> tensor<32x128xf32>
nv_tileaa.func @added(%q: !nv_tileaa.ptr<f16>, %k: !nv_tileaa.ptr<f16>, %o: !nv_tileaa.ptr<f32>, %n: i64, %end: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<occupancy = 2>} {
  %one = arith.constant 1 : i64
  %z = arith.constant 0 : i64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %block = arith.constant 128 : i64
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %low = arith.constant dense<0xFF800000> : tensor<64x1xf32>
  %a, %ta = nv_tileaa.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 64, 4611686018427387904>, stride_div = array<i64: 8, 1>} : !nv_tileaa.ptr<f16> -> tensor<64x128xf16>
  %r:2 = scf.for %i = %c0 to %end step %c1 iter_args(%acc = %zero, %m = %low) -> (tensor<64x128xf32>, tensor<64x1xf32>) : i32 {
    %w = arith.extsi %i : i32 to i64
    %at = arith.muli %w, %block : i64
    %b, %tb = nv_tileaa.tiled_load %k[%at, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 128, 4611686018427387904>, stride_div = array<i64: 8, 1>} : !nv_tileaa.ptr<f16> -> tensor<128x128xf16>
    %s = nv_tileaa.dot %a, %b, %zero : tensor<64x128xf16>, tensor<128x128xf16> -> tensor<64x128xf32>
    %x = nv_tileaa.reduce (%s) {dim = 1 : i64, identities = [0xFF800000 : f32]} : (tensor<64x128xf32>) -> tensor<64xf32> (%l: f32, %h: f32) {
      %y = arith.maxnumf %l, %h : f32
      nv_tileaa.yield %y : f32
    }
    %rows = nv_tileaa.reshape %x : tensor<64xf32> -> tensor<64x1xf32>
    %next = arith.maxnumf %m, %rows : tensor<64x1xf32>
    %wide = nv_tileaa.broadcast %next : tensor<64x1xf32> -> tensor<64x128xf32>
    %d = arith.subf %s, %wide : tensor<64x128xf32>
    %e = arith.exp2 %d : tensor<64x128xf32>
    %less = arith.subf %m, %next : tensor<64x1xf32>
    %f = arith.exp2 %less : tensor<64x1xf32>
    %scale = nv_tileaa.broadcast %f : tensor<64x1xf32> -> tensor<64x128xf32>
    %scaled = arith.mulf %acc, %scale : tensor<64x128xf32>
    %p = arith.ftof %e : tensor<64x128xf32> to tensor<64x128xf16>
    %v = nv_tileaa.dot %p, %b, %zero : tensor<64x128xf16>, tensor<128x128xf16> -> tensor<64x128xf32>
    %t = arith.addf %scaled, %v : tensor<64x128xf32>
    scf.continue %t, %next : tensor<64x128xf32>, tensor<64x1xf32>
  }
  %u = nv_tileaa.tiled_store %r#0, %o[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: false, false>} : tensor<64x128xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}
