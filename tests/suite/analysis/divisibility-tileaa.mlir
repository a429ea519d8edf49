// RUN: tile-opt %s --test-print-divisibility | FileCheck %s

// CHECK-LABEL: @k
nv_tileaa.func @k(%p: !nv_tileaa.ptr<f16>, %n: i32) {
  // CHECK: // %q: div 16
  %q = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<f16>
  %c8 = arith.constant 8 : i64
  // CHECK: // %r: div 16
  %r = nv_tileaa.addptr %q, %c8 : !nv_tileaa.ptr<f16>, i64
  %m = arith.extsi %n : i32 to i64
  // CHECK: // %m8: div 8
  %m8 = arith.muli %m, %c8 : i64
  // CHECK: // %i: div 1, dim 0: 64 by 1 from div 0
  %i = nv_tileaa.make_range : tensor<64xi64>
  // CHECK: // %s: div 8, dim 0: 64 equal
  %s = nv_tileaa.splat %m8 : i64 -> tensor<64xi64>
  %o = arith.addi %i, %s : tensor<64xi64>
  %ps = nv_tileaa.splat %q : !nv_tileaa.ptr<f16> -> tensor<64x!nv_tileaa.ptr<f16>>
  // CHECK: // %ptrs: div 2, dim 0: 64 by 2 from div 16
  %ptrs = nv_tileaa.addptr %ps, %o : tensor<64x!nv_tileaa.ptr<f16>>, tensor<64xi64>
  %t = nv_tileaa.reshape %ptrs : tensor<64x!nv_tileaa.ptr<f16>> -> tensor<4x16x!nv_tileaa.ptr<f16>>
  // CHECK: // %u: div 2, dim 0: 16 by 2 from div 16, dim 1: 4 by 32 from div 2
  %u = nv_tileaa.permute %t [1, 0] : tensor<4x16x!nv_tileaa.ptr<f16>> -> tensor<16x4x!nv_tileaa.ptr<f16>>
  // CHECK: // %int: div 2, dim 0: 64 by 2 from div 16
  %int = nv_tileaa.ptr_to_int %ptrs : tensor<64x!nv_tileaa.ptr<f16>> -> tensor<64xi64>
  %c64 = arith.constant 64 : i64
  scf.for %k = %c8 to %m step %c64 : i64 {
    scf.continue
  } // CHECK: } // %k: div 8
  nv_tileaa.return
}
