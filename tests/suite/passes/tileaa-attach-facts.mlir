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

// An access to one element has no facts.
// CHECK-LABEL: @unchanged_pointers
// CHECK-NOT: _div
nv_tileaa.func @unchanged_pointers(%p: !nv_tileaa.ptr<f32>, %n: i64) {
  %a = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<f32>
  %x, %t = nv_tileaa.load %a : !nv_tileaa.ptr<f32> -> f32, !nv_tileaa.mem_token
  %s = nv_tileaa.store %a, %x token %t : !nv_tileaa.mem_token : !nv_tileaa.ptr<f32>, f32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// Rows that numbers name, with consecutive columns: eight 16-bit elements are one run of 16 bytes if base and stride are multiples of it, and the mask leaves out entire runs.
// CHECK-LABEL: @rows
// CHECK: nv_tileaa.load {{.*}}runs = array<i64: 1, 8>
// CHECK: nv_tileaa.store {{.*}}runs = array<i64: 1, 8>
nv_tileaa.func @rows(%p: !nv_tileaa.ptr<f16>, %numbers: !nv_tileaa.ptr<i64>, %stride: i64, %columns: i64) {
  %nps = nv_tileaa.splat %numbers : !nv_tileaa.ptr<i64> -> tensor<16x1x!nv_tileaa.ptr<i64>>
  %row, %rt = nv_tileaa.load %nps : tensor<16x1x!nv_tileaa.ptr<i64>> -> tensor<16x1xi64>, !nv_tileaa.mem_token
  %base = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<f16>
  %s = nv_tileaa.assume %stride div_by<8> : i64
  %n = nv_tileaa.assume %columns div_by<8> lower<0> : i64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %c64 = arith.constant 64 : i32
  %rows = nv_tileaa.broadcast %row : tensor<16x1xi64> -> tensor<16x64xi64>
  %strides = nv_tileaa.splat %s : i64 -> tensor<16x64xi64>
  %first = arith.muli %rows, %strides : tensor<16x64xi64>
  %bases = nv_tileaa.splat %base : !nv_tileaa.ptr<f16> -> tensor<16x64x!nv_tileaa.ptr<f16>>
  %range = nv_tileaa.make_range : tensor<64xi32>
  %ns = nv_tileaa.splat %n : i64 -> tensor<16x64xi64>
  scf.for %i = %c0 to %c8 step %c1 : i32 {
    %k = arith.muli %i, %c64 : i32
    %ks = nv_tileaa.splat %k : i32 -> tensor<64xi32>
    %column = arith.addi %ks, %range : tensor<64xi32>
    %column2 = nv_tileaa.reshape %column : tensor<64xi32> -> tensor<1x64xi32>
    %wide = arith.extsi %column2 : tensor<1x64xi32> to tensor<1x64xi64>
    %cs = nv_tileaa.broadcast %wide : tensor<1x64xi64> -> tensor<16x64xi64>
    %in = arith.cmpi ult, %cs, %ns : tensor<16x64xi64>
    %at = arith.addi %first, %cs : tensor<16x64xi64>
    %ptrs = nv_tileaa.addptr %bases, %at : tensor<16x64x!nv_tileaa.ptr<f16>>, tensor<16x64xi64>
    %v, %t = nv_tileaa.load %ptrs mask %in : tensor<16x64xi1> : tensor<16x64x!nv_tileaa.ptr<f16>> -> tensor<16x64xf16>, !nv_tileaa.mem_token
    %u = nv_tileaa.store %ptrs, %v mask %in : tensor<16x64xi1> token %t : !nv_tileaa.mem_token : tensor<16x64x!nv_tileaa.ptr<f16>>, tensor<16x64xf16> -> !nv_tileaa.mem_token
    scf.continue
  }
  nv_tileaa.return
}

// Four bytes at once where no more is known of the stride; nothing for an ordered access, for a mask that may end anywhere, for bytes that are not neighbours, and where the base may lie anywhere.
// CHECK-LABEL: @less
// CHECK: runs = array<i64: 1, 2>
// CHECK-NOT: runs
// CHECK: nv_tileaa.return
nv_tileaa.func @less(%p: !nv_tileaa.ptr<f16>, %q: !nv_tileaa.ptr<f16>, %numbers: !nv_tileaa.ptr<i64>, %stride: i64, %columns: i64) {
  %nps = nv_tileaa.splat %numbers : !nv_tileaa.ptr<i64> -> tensor<16x1x!nv_tileaa.ptr<i64>>
  %row, %rt = nv_tileaa.load %nps : tensor<16x1x!nv_tileaa.ptr<i64>> -> tensor<16x1xi64>, !nv_tileaa.mem_token
  %base = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<f16>
  %s = nv_tileaa.assume %stride div_by<2> : i64
  %rows = nv_tileaa.broadcast %row : tensor<16x1xi64> -> tensor<16x64xi64>
  %strides = nv_tileaa.splat %s : i64 -> tensor<16x64xi64>
  %first = arith.muli %rows, %strides : tensor<16x64xi64>
  %bases = nv_tileaa.splat %base : !nv_tileaa.ptr<f16> -> tensor<16x64x!nv_tileaa.ptr<f16>>
  %others = nv_tileaa.splat %q : !nv_tileaa.ptr<f16> -> tensor<16x64x!nv_tileaa.ptr<f16>>
  %range = nv_tileaa.make_range : tensor<64xi64>
  %ns = nv_tileaa.splat %columns : i64 -> tensor<16x64xi64>
  %column2 = nv_tileaa.reshape %range : tensor<64xi64> -> tensor<1x64xi64>
  %cs = nv_tileaa.broadcast %column2 : tensor<1x64xi64> -> tensor<16x64xi64>
  %in = arith.cmpi ult, %cs, %ns : tensor<16x64xi64>
  %at = arith.addi %first, %cs : tensor<16x64xi64>
  %twice = arith.addi %at, %cs : tensor<16x64xi64>
  %ptrs = nv_tileaa.addptr %bases, %at : tensor<16x64x!nv_tileaa.ptr<f16>>, tensor<16x64xi64>
  %apart = nv_tileaa.addptr %bases, %twice : tensor<16x64x!nv_tileaa.ptr<f16>>, tensor<16x64xi64>
  %odd = nv_tileaa.addptr %others, %at : tensor<16x64x!nv_tileaa.ptr<f16>>, tensor<16x64xi64>
  %a, %t0 = nv_tileaa.load %ptrs : tensor<16x64x!nv_tileaa.ptr<f16>> -> tensor<16x64xf16>, !nv_tileaa.mem_token
  %b, %t1 = nv_tileaa.load %ptrs {ordering = "acquire", scope = "device"} : tensor<16x64x!nv_tileaa.ptr<f16>> -> tensor<16x64xf16>, !nv_tileaa.mem_token
  %c, %t2 = nv_tileaa.load %ptrs mask %in : tensor<16x64xi1> : tensor<16x64x!nv_tileaa.ptr<f16>> -> tensor<16x64xf16>, !nv_tileaa.mem_token
  %d, %t3 = nv_tileaa.load %apart : tensor<16x64x!nv_tileaa.ptr<f16>> -> tensor<16x64xf16>, !nv_tileaa.mem_token
  %e, %t4 = nv_tileaa.load %odd : tensor<16x64x!nv_tileaa.ptr<f16>> -> tensor<16x64xf16>, !nv_tileaa.mem_token
  nv_tileaa.return
}
