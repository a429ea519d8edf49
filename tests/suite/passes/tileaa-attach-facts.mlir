// RUN: tile-opt %s --tileaa-attach-facts | FileCheck %s

// The base is 16-byte aligned; the offset is a multiple of the tile; the row stride is a multiple of 8 as promised, the other 1.
// CHECK: nv_tileaa.tiled_load
// CHECK-SAME: base_div = 16 : i64, offset_div = array<i64: 16, 64>, size_div = array<i64: 1, 4>, stride_div = array<i64: 8, 1>
nv_tileaa.func @k(%p: !nv_tileaa.ptr<f16>, %rows: i32, %stride: i32, %i: i32) {
  %a = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<f16>
  %s = nv_tileaa.assume %stride div_by<8> lower<0> : i32
  %s64 = arith.extsi %s : i32 to i64
  %m = arith.extsi %rows : i32 to i64
  %n = arith.constant 100 : i64
  %one = arith.constant 1 : i64
  %i64 = arith.extsi %i : i32 to i64
  %c16 = arith.constant 16 : i64
  %c64 = arith.constant 64 : i64
  %x = arith.muli %i64, %c16 : i64
  %y = arith.muli %i64, %c64 : i64
  %t, %after = nv_tileaa.tiled_load %a[%x, %y] sizes [%m, %n] strides [%s64, %one] {bounds = array<i1: true, true>} : !nv_tileaa.ptr<f16> -> tensor<16x64xf16>
  nv_tileaa.return
}

// In a loop, the induction variable is the lower bound plus multiples of the step.
// CHECK-LABEL: @loop
// CHECK: offset_div = array<i64: 32>
nv_tileaa.func @loop(%p: !nv_tileaa.ptr<f32>, %n: i64) {
  %lo = arith.constant 64 : i64
  %step = arith.constant 32 : i64
  %one = arith.constant 1 : i64
  scf.for %i = %lo to %n step %step : i64 {
    %t, %after = nv_tileaa.tiled_load %p[%i] sizes [%n] strides [%one] {bounds = array<i1: true>} : !nv_tileaa.ptr<f32> -> tensor<32xf32>
    scf.continue
  }
  nv_tileaa.return
}

// Facts go onto tiled accesses only: one through pointers of its own says nothing.
// CHECK-LABEL: @unchanged_pointers
// CHECK-NOT: _div
nv_tileaa.func @unchanged_pointers(%p: !nv_tileaa.ptr<f32>, %n: i64) {
  %a = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<f32>
  %x, %t = nv_tileaa.load %a : !nv_tileaa.ptr<f32> -> f32, !nv_tileaa.mem_token
  %s = nv_tileaa.store %a, %x token %t : !nv_tileaa.mem_token : !nv_tileaa.ptr<f32>, f32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}
