// RUN: tile-opt %s --convert-tileaa-to-tileas | FileCheck %s

// A kernel without a hint gets more warps when its accumulators would not fit the registers of 128 threads.
// CHECK-LABEL: nv_tileas.func @small
// CHECK-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>
nv_tileaa.func @small() {
  %a = arith.constant dense<0.0> : tensor<128x16xf16>
  %b = arith.constant dense<0.0> : tensor<16x128xf16>
  %c = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = nv_tileaa.dot %a, %b, %c : tensor<128x16xf16>, tensor<16x128xf16> -> tensor<128x128xf32>
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileas.func @large
// CHECK-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>
nv_tileaa.func @large() {
  %a = arith.constant dense<0.0> : tensor<128x16xf16>
  %b = arith.constant dense<0.0> : tensor<16x256xf16>
  %c = arith.constant dense<0.0> : tensor<128x256xf32>
  %d = nv_tileaa.dot %a, %b, %c : tensor<128x16xf16>, tensor<16x256xf16> -> tensor<128x256xf32>
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileas.func @told
// CHECK-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>
nv_tileaa.func @told() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = arith.constant dense<0.0> : tensor<128x16xf16>
  %b = arith.constant dense<0.0> : tensor<16x256xf16>
  %c = arith.constant dense<0.0> : tensor<128x256xf32>
  %d = nv_tileaa.dot %a, %b, %c : tensor<128x16xf16>, tensor<16x256xf16> -> tensor<128x256xf32>
  nv_tileaa.return
}

// What is live beside the accumulator counts: here a second product, which the first one is added to afterwards.
// CHECK-LABEL: nv_tileas.func @two
// CHECK-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>
nv_tileaa.func @two() {
  %a = arith.constant dense<0.0> : tensor<128x16xf16>
  %b = arith.constant dense<0.0> : tensor<16x128xf16>
  %c = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = nv_tileaa.dot %a, %b, %c : tensor<128x16xf16>, tensor<16x128xf16> -> tensor<128x128xf32>
  %e = nv_tileaa.dot %a, %b, %c : tensor<128x16xf16>, tensor<16x128xf16> -> tensor<128x128xf32>
  %f = arith.mulf %d, %e : tensor<128x128xf32>
  nv_tileaa.return
}

// One that ends where the other begins leaves it its registers.
// CHECK-LABEL: nv_tileas.func @chained
// CHECK-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>
nv_tileaa.func @chained() {
  %a = arith.constant dense<0.0> : tensor<128x16xf16>
  %b = arith.constant dense<0.0> : tensor<16x128xf16>
  %c = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = nv_tileaa.dot %a, %b, %c : tensor<128x16xf16>, tensor<16x128xf16> -> tensor<128x128xf32>
  %e = nv_tileaa.dot %a, %b, %d : tensor<128x16xf16>, tensor<16x128xf16> -> tensor<128x128xf32>
  %f = arith.mulf %e, %e : tensor<128x128xf32>
  nv_tileaa.return
}

// A row of a softmax is held too, without any product; half of it is not too much.
// CHECK-LABEL: nv_tileas.func @row
// CHECK-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>
nv_tileaa.func @row(%p: !nv_tileaa.ptr<f32>, %n: i64) {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a, %t = nv_tileaa.tiled_load %p[%z] sizes [%n] strides [%one] {bounds = array<i1: true>} : !nv_tileaa.ptr<f32> -> tensor<32768xf32>
  %b = arith.mulf %a, %a : tensor<32768xf32>
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileas.func @half
// CHECK-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>
nv_tileaa.func @half(%p: !nv_tileaa.ptr<f32>, %n: i64) {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a, %t = nv_tileaa.tiled_load %p[%z] sizes [%n] strides [%one] {bounds = array<i1: true>} : !nv_tileaa.ptr<f32> -> tensor<16384xf32>
  %b = arith.mulf %a, %a : tensor<16384xf32>
  nv_tileaa.return
}

// Where two tile blocks are to share an SM, more warps would have half the registers each.
// CHECK-LABEL: nv_tileas.func @shared
// CHECK-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, occupancy = 2>
nv_tileaa.func @shared() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<occupancy = 2>} {
  %a = arith.constant dense<0.0> : tensor<128x16xf16>
  %b = arith.constant dense<0.0> : tensor<16x256xf16>
  %c = arith.constant dense<0.0> : tensor<128x256xf32>
  %d = nv_tileaa.dot %a, %b, %c : tensor<128x16xf16>, tensor<16x256xf16> -> tensor<128x256xf32>
  nv_tileaa.return
}

// What is loaded for a product alone waits in shared memory, unless its elements come one by one and so pass registers.
// CHECK-LABEL: nv_tileas.func @aligned
// CHECK-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>
nv_tileaa.func @aligned(%p: !nv_tileaa.ptr<f16>, %n: i64) {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a, %t = nv_tileaa.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 128, 128>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileaa.ptr<f16> -> tensor<128x64xf16>
  %b, %u = nv_tileaa.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 128, 128>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileaa.ptr<f16> -> tensor<64x128xf16>
  %c = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = nv_tileaa.dot %a, %b, %c : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileas.func @ragged
// CHECK-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>
nv_tileaa.func @ragged(%p: !nv_tileaa.ptr<f16>, %n: i64) {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c = arith.constant dense<0.0> : tensor<128x128xf32>
  %ca = arith.constant dense<0.0> : tensor<128x64xf16>
  %cb = arith.constant dense<0.0> : tensor<64x128xf16>
  %first = nv_tileaa.dot %ca, %cb, %c : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  %a, %t = nv_tileaa.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileaa.ptr<f16> -> tensor<128x64xf16>
  %b, %u = nv_tileaa.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileaa.ptr<f16> -> tensor<64x128xf16>
  %d = nv_tileaa.dot %a, %b, %first : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  nv_tileaa.return
}

// Pointers and masks of which an access takes the first of each run only, as it knows the others, are that much fewer: a gather of 64 rows leaves room for the sums in four warps, and one of single elements
// does not.
// CHECK-LABEL: nv_tileas.func @gather_rows
// CHECK-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>
nv_tileaa.func @gather_rows(%p: !nv_tileaa.ptr<f16>, %n: i32, %q: !nv_tileaa.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = arith.constant dense<0.0> : tensor<64x128xf32>
  %b = arith.constant dense<0.0> : tensor<64x128xf16>
  %base = nv_tileaa.splat %p : !nv_tileaa.ptr<f16> -> tensor<64x64x!nv_tileaa.ptr<f16>>
  %range = nv_tileaa.make_range : tensor<64xi64>
  %row = nv_tileaa.reshape %range : tensor<64xi64> -> tensor<64x1xi64>
  %rows = nv_tileaa.broadcast %row : tensor<64x1xi64> -> tensor<64x64xi64>
  %first = arith.muli %rows, %rows : tensor<64x64xi64>
  %inside = arith.cmpi slt, %first, %rows : tensor<64x64xi64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (tensor<64x128xf32>) : i32 {
    %w = arith.extsi %i : i32 to i64
    %ws = nv_tileaa.splat %w : i64 -> tensor<64x64xi64>
    %at = arith.addi %first, %ws : tensor<64x64xi64>
    %in = arith.cmpi slt, %at, %first : tensor<64x64xi64>
    %both = arith.andi %in, %inside : tensor<64x64xi1>
    %ptrs = nv_tileaa.addptr %base, %at : tensor<64x64x!nv_tileaa.ptr<f16>>, tensor<64x64xi64>
    %a, %t = nv_tileaa.load %ptrs mask %both : tensor<64x64xi1> {runs = array<i64: 1, 8>} : tensor<64x64x!nv_tileaa.ptr<f16>> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileaa.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
    scf.continue %d : tensor<64x128xf32>
  }
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileas.func @gather_elements
// CHECK-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>
nv_tileaa.func @gather_elements(%p: !nv_tileaa.ptr<f16>, %n: i32, %q: !nv_tileaa.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = arith.constant dense<0.0> : tensor<64x128xf32>
  %b = arith.constant dense<0.0> : tensor<64x128xf16>
  %base = nv_tileaa.splat %p : !nv_tileaa.ptr<f16> -> tensor<64x64x!nv_tileaa.ptr<f16>>
  %range = nv_tileaa.make_range : tensor<64xi64>
  %row = nv_tileaa.reshape %range : tensor<64xi64> -> tensor<64x1xi64>
  %rows = nv_tileaa.broadcast %row : tensor<64x1xi64> -> tensor<64x64xi64>
  %first = arith.muli %rows, %rows : tensor<64x64xi64>
  %inside = arith.cmpi slt, %first, %rows : tensor<64x64xi64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (tensor<64x128xf32>) : i32 {
    %w = arith.extsi %i : i32 to i64
    %ws = nv_tileaa.splat %w : i64 -> tensor<64x64xi64>
    %at = arith.addi %first, %ws : tensor<64x64xi64>
    %in = arith.cmpi slt, %at, %first : tensor<64x64xi64>
    %both = arith.andi %in, %inside : tensor<64x64xi1>
    %ptrs = nv_tileaa.addptr %base, %at : tensor<64x64x!nv_tileaa.ptr<f16>>, tensor<64x64xi64>
    %a, %t = nv_tileaa.load %ptrs mask %both : tensor<64x64xi1> : tensor<64x64x!nv_tileaa.ptr<f16>> -> tensor<64x64xf16>, !nv_tileaa.mem_token
    %d = nv_tileaa.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
    scf.continue %d : tensor<64x128xf32>
  }
  nv_tileaa.return
}

// The pointers of an epilogue are sums of a row's and a column's offset, which each access adds up where it is executed:
// four warps hold the accumulator beside them.
// CHECK-LABEL: nv_tileas.func @epilogue
// CHECK-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>
nv_tileaa.func @epilogue(%p: !nv_tileaa.ptr<f32>, %n: i64) {
  %c = arith.constant dense<0.0> : tensor<128x128xf32>
  %a = arith.constant dense<0.0> : tensor<128x64xf16>
  %b = arith.constant dense<0.0> : tensor<64x128xf16>
  %d = nv_tileaa.dot %a, %b, %c : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  %base = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<128x128x!nv_tileaa.ptr<f32>>
  %range = nv_tileaa.make_range : tensor<128xi64>
  %row = nv_tileaa.reshape %range : tensor<128xi64> -> tensor<128x1xi64>
  %rows = nv_tileaa.broadcast %row : tensor<128x1xi64> -> tensor<128x128xi64>
  %column = nv_tileaa.reshape %range : tensor<128xi64> -> tensor<1x128xi64>
  %columns = nv_tileaa.broadcast %column : tensor<1x128xi64> -> tensor<128x128xi64>
  %stride = nv_tileaa.splat %n : i64 -> tensor<128x128xi64>
  %first = arith.muli %rows, %stride : tensor<128x128xi64>
  %at = arith.addi %first, %columns : tensor<128x128xi64>
  %ptrs = nv_tileaa.addptr %base, %at : tensor<128x128x!nv_tileaa.ptr<f32>>, tensor<128x128xi64>
  %t = nv_tileaa.store %ptrs, %d : tensor<128x128x!nv_tileaa.ptr<f32>>, tensor<128x128xf32> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
