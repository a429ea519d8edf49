// RUN: tile-opt %s --gpu-name=sm_100 --convert-tileaa-to-tileas | FileCheck %s --check-prefix=TMEM
// RUN: tile-opt %s --gpu-name=sm_90 --convert-tileaa-to-tileas | FileCheck %s --check-prefix=REGISTERS

// The accumulators of two versions of a loop take the same 384 columns of TMEM, of 512. So they take no registers, and four
// warps do, as in the gradients of keys and values.
// TMEM-LABEL: @versions
// TMEM-SAME: num_warps = 4
// REGISTERS-LABEL: @versions
// REGISTERS-SAME: num_warps = 8
nv_tileaa.func @versions(%q: !nv_tileaa.ptr<f16>, %k: !nv_tileaa.ptr<f16>, %o: !nv_tileaa.ptr<f32>, %n: i64, %end: i32, %fast: i1) {
  %one = arith.constant 1 : i64
  %z = arith.constant 0 : i64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %block = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %a, %ta = nv_tileaa.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 64, 4611686018427387904>, stride_div = array<i64: 8, 1>} : !nv_tileaa.ptr<f16> -> tensor<64x128xf16>
  %r:2 = scf.if %fast -> (tensor<64x128xf32>, tensor<64x128xf32>) {
    %f:2 = scf.for %i = %c0 to %end step %c1 iter_args(%x = %zero, %y = %zero) -> (tensor<64x128xf32>, tensor<64x128xf32>) : i32 {
      %w = arith.extsi %i : i32 to i64
      %at = arith.muli %w, %block : i64
      %b, %tb = nv_tileaa.tiled_load %k[%at, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 64, 4611686018427387904>, stride_div = array<i64: 8, 1>} : !nv_tileaa.ptr<f16> -> tensor<64x128xf16>
      %t = nv_tileaa.permute %b [1, 0] : tensor<64x128xf16> -> tensor<128x64xf16>
      %s = nv_tileaa.dot %a, %t, %none : tensor<64x128xf16>, tensor<128x64xf16> -> tensor<64x64xf32>
      %e = arith.exp2 %s : tensor<64x64xf32>
      %p = arith.ftof %e : tensor<64x64xf32> to tensor<64x64xf16>
      %u = nv_tileaa.dot %p, %b, %x : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
      %d = nv_tileaa.dot %a, %t, %none : tensor<64x128xf16>, tensor<128x64xf16> -> tensor<64x64xf32>
      %g = arith.mulf %e, %d : tensor<64x64xf32>
      %h = arith.ftof %g : tensor<64x64xf32> to tensor<64x64xf16>
      %v = nv_tileaa.dot %h, %b, %y : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
      scf.continue %u, %v : tensor<64x128xf32>, tensor<64x128xf32>
    }
    scf.yield %f#0, %f#1 : tensor<64x128xf32>, tensor<64x128xf32>
  } else {
    %f:2 = scf.for %i = %c0 to %end step %c1 iter_args(%x = %zero, %y = %zero) -> (tensor<64x128xf32>, tensor<64x128xf32>) : i32 {
      %w = arith.extsi %i : i32 to i64
      %at = arith.muli %w, %block : i64
      %b, %tb = nv_tileaa.tiled_load %k[%at, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, false>, base_div = 16 : i64, offset_div = array<i64: 64, 4611686018427387904>, stride_div = array<i64: 8, 1>} : !nv_tileaa.ptr<f16> -> tensor<64x128xf16>
      %t = nv_tileaa.permute %b [1, 0] : tensor<64x128xf16> -> tensor<128x64xf16>
      %s = nv_tileaa.dot %a, %t, %none : tensor<64x128xf16>, tensor<128x64xf16> -> tensor<64x64xf32>
      %e = arith.exp2 %s : tensor<64x64xf32>
      %p = arith.ftof %e : tensor<64x64xf32> to tensor<64x64xf16>
      %u = nv_tileaa.dot %p, %b, %x : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
      %d = nv_tileaa.dot %a, %t, %none : tensor<64x128xf16>, tensor<128x64xf16> -> tensor<64x64xf32>
      %g = arith.mulf %e, %d : tensor<64x64xf32>
      %h = arith.ftof %g : tensor<64x64xf32> to tensor<64x64xf16>
      %v = nv_tileaa.dot %h, %b, %y : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
      scf.continue %u, %v : tensor<64x128xf32>, tensor<64x128xf32>
    }
    scf.yield %f#0, %f#1 : tensor<64x128xf32>, tensor<64x128xf32>
  }
  %m = nv_tileaa.tiled_store %r#0, %o[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: false, false>} : tensor<64x128xf32>, !nv_tileaa.ptr<f32>
  %l = nv_tileaa.tiled_store %r#1, %o[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: false, false>} : tensor<64x128xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}
