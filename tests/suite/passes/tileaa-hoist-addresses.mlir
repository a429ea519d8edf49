// RUN: tile-opt %s --tileaa-hoist-addresses | FileCheck %s

// What a row contributes does not change in the loop: the pointers to the beginnings of rows are before it.
// CHECK-LABEL: nv_tileaa.func @rows
// CHECK: %first = arith.muli
// CHECK: %[[ROWS:.*]] = nv_tileaa.addptr %bases, %first : tensor<16x64x!nv_tileaa.ptr<f16>>, tensor<16x64xi64>
// CHECK-NEXT: scf.for
// CHECK-NOT: arith.addi
// CHECK: %ptrs = nv_tileaa.addptr %[[ROWS]], %column
// CHECK-NEXT: nv_tileaa.load %ptrs
nv_tileaa.func @rows(%p: !nv_tileaa.ptr<f16>, %row: i64, %stride: i64, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bases = nv_tileaa.splat %p : !nv_tileaa.ptr<f16> -> tensor<16x64x!nv_tileaa.ptr<f16>>
  %rows = nv_tileaa.splat %row : i64 -> tensor<16x64xi64>
  %strides = nv_tileaa.splat %stride : i64 -> tensor<16x64xi64>
  %first = arith.muli %rows, %strides : tensor<16x64xi64>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %k = arith.extsi %i : i32 to i64
    %column = nv_tileaa.splat %k : i64 -> tensor<16x64xi64>
    %at = arith.addi %first, %column : tensor<16x64xi64>
    %ptrs = nv_tileaa.addptr %bases, %at : tensor<16x64x!nv_tileaa.ptr<f16>>, tensor<16x64xi64>
    %v, %t = nv_tileaa.load %ptrs : tensor<16x64x!nv_tileaa.ptr<f16>> -> tensor<16x64xf16>, !nv_tileaa.mem_token
    %u = nv_tileaa.store %ptrs, %v token %t : !nv_tileaa.mem_token : tensor<16x64x!nv_tileaa.ptr<f16>>, tensor<16x64xf16> -> !nv_tileaa.mem_token
    scf.continue
  }
  nv_tileaa.return
}

// Out of each loop as far as it goes: what the outer counter contributes is between the loops. A sum that is used elsewhere stays as well.
// CHECK-LABEL: nv_tileaa.func @nest
// CHECK: %[[O:.*]] = nv_tileaa.addptr %p, %o : !nv_tileaa.ptr<i64>, i64
// CHECK-NEXT: scf.for %i
// CHECK: %[[J:.*]] = nv_tileaa.addptr %[[O]], %wi
// CHECK-NEXT: scf.for %j
// CHECK: %wj = arith.extsi %j
// CHECK-NEXT: %a = arith.addi %o, %wi
// CHECK-NEXT: %b = arith.addi %wj, %a
// CHECK-NEXT: %q = nv_tileaa.addptr %[[J]], %wj
nv_tileaa.func @nest(%p: !nv_tileaa.ptr<i64>, %o: i64, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %wi = arith.extsi %i : i32 to i64
    scf.for %j = %c0 to %n step %c1 : i32 {
      %wj = arith.extsi %j : i32 to i64
      %a = arith.addi %o, %wi : i64
      %b = arith.addi %wj, %a : i64
      %q = nv_tileaa.addptr %p, %b : !nv_tileaa.ptr<i64>, i64
      %u = nv_tileaa.store %q, %b : !nv_tileaa.ptr<i64>, i64 -> !nv_tileaa.mem_token
      scf.continue
    }
    scf.continue
  }
  nv_tileaa.return
}

// A sum in the loop that does not change at all is licm's, which has not run here.
// CHECK-LABEL: nv_tileaa.func @left_to_licm
// CHECK-NOT: addptr
// CHECK: scf.for
// CHECK-NEXT: %s = arith.addi %a, %b
// CHECK-NEXT: %q = nv_tileaa.addptr %p, %s
nv_tileaa.func @left_to_licm(%p: !nv_tileaa.ptr<i64>, %a: i64, %b: i64, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %s = arith.addi %a, %b : i64
    %q = nv_tileaa.addptr %p, %s : !nv_tileaa.ptr<i64>, i64
    %u = nv_tileaa.store %q, %s : !nv_tileaa.ptr<i64>, i64 -> !nv_tileaa.mem_token
    scf.continue
  }
  nv_tileaa.return
}

// A sum of 32 bits wraps before it is an offset; a pointer that the loop changes is no place to add to; and what has no invariant part, or no other, cannot be split.
// CHECK-LABEL: nv_tileaa.func @unchanged_others
// CHECK: scf.for
// CHECK: %a = arith.addi %o, %i : i32
// CHECK-NEXT: %q = nv_tileaa.addptr %p, %a
// CHECK: %c = arith.addi %wo, %w : i64
// CHECK-NEXT: %r = nv_tileaa.addptr %at, %c
// CHECK: %d = arith.muli %w, %wo : i64
// CHECK-NEXT: %s = nv_tileaa.addptr %p, %d
// CHECK-NEXT: %next = nv_tileaa.addptr %p, %wo
nv_tileaa.func @unchanged_others(%p: !nv_tileaa.ptr<i64>, %o: i32, %n: i32, %z: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %wo = arith.extsi %o : i32 to i64
  %e = scf.for %i = %c0 to %n step %c1 iter_args(%at = %p) -> (!nv_tileaa.ptr<i64>) : i32 {
    %a = arith.addi %o, %i : i32
    %q = nv_tileaa.addptr %p, %a : !nv_tileaa.ptr<i64>, i32
    %t = nv_tileaa.store %q, %z : !nv_tileaa.ptr<i64>, i64 -> !nv_tileaa.mem_token
    %w = arith.extsi %i : i32 to i64
    %c = arith.addi %wo, %w : i64
    %r = nv_tileaa.addptr %at, %c : !nv_tileaa.ptr<i64>, i64
    %u = nv_tileaa.store %r, %z : !nv_tileaa.ptr<i64>, i64 -> !nv_tileaa.mem_token
    %d = arith.muli %w, %wo : i64
    %s = nv_tileaa.addptr %p, %d : !nv_tileaa.ptr<i64>, i64
    %next = nv_tileaa.addptr %p, %wo : !nv_tileaa.ptr<i64>, i64
    %v = nv_tileaa.store %s, %z : !nv_tileaa.ptr<i64>, i64 -> !nv_tileaa.mem_token
    scf.continue %next : !nv_tileaa.ptr<i64>
  }
  %x = nv_tileaa.store %e, %z : !nv_tileaa.ptr<i64>, i64 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// The sum of a row and a column is multiplied: what rows contribute is a product of its own, before the loop. The sum cannot wrap, so that it may be extended
// in parts.
// CHECK-LABEL: nv_tileaa.func @products
// CHECK: %[[ROW:[0-9]+]] = arith.extsi %rows
// CHECK-NEXT: %[[BY:[0-9]+]] = arith.muli %[[ROW]], %strides
// CHECK-NEXT: %[[FRONT:[0-9]+]] = nv_tileaa.addptr %bases, %[[BY]]
// CHECK-NEXT: scf.for
// CHECK-NOT: arith.addi
// CHECK: %[[COLUMN:[0-9]+]] = arith.extsi %columns
// CHECK-NEXT: %[[PART:[0-9]+]] = arith.muli %[[COLUMN]], %strides
// CHECK-NEXT: nv_tileaa.addptr %[[FRONT]], %[[PART]]
nv_tileaa.func @products(%p: !nv_tileaa.ptr<f16>, %stride: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  %bases = nv_tileaa.splat %p : !nv_tileaa.ptr<f16> -> tensor<16x64x!nv_tileaa.ptr<f16>>
  %strides = nv_tileaa.splat %stride : i64 -> tensor<16x64xi64>
  %row = nv_tileaa.make_range : tensor<16xi32>
  %rowsOf = nv_tileaa.reshape %row : tensor<16xi32> -> tensor<16x1xi32>
  %rows = nv_tileaa.broadcast %rowsOf : tensor<16x1xi32> -> tensor<16x64xi32>
  scf.for %i = %c0 to %c9 step %c1 : i32 {
    %columns = nv_tileaa.splat %i : i32 -> tensor<16x64xi32>
    %sum = arith.addi %rows, %columns : tensor<16x64xi32>
    %w = arith.extsi %sum : tensor<16x64xi32> to tensor<16x64xi64>
    %at = arith.muli %w, %strides : tensor<16x64xi64>
    %ptrs = nv_tileaa.addptr %bases, %at : tensor<16x64x!nv_tileaa.ptr<f16>>, tensor<16x64xi64>
    %v, %t = nv_tileaa.load %ptrs : tensor<16x64x!nv_tileaa.ptr<f16>> -> tensor<16x64xf16>, !nv_tileaa.mem_token
    %u = nv_tileaa.store %ptrs, %v token %t : !nv_tileaa.mem_token : tensor<16x64x!nv_tileaa.ptr<f16>>, tensor<16x64xf16> -> !nv_tileaa.mem_token
    scf.continue
  }
  nv_tileaa.return
}

// A sum that may wrap is extended as one, and so is a product of 32 bits, whose sum does not. A row that differs in each element would be a register more for each.
// CHECK-LABEL: nv_tileaa.func @unchanged_products
// CHECK-NOT: addptr
// CHECK: scf.for
// CHECK: %wide = arith.extsi %sum
// CHECK: %ptrs = nv_tileaa.addptr %bases, %wide
// CHECK: %narrow = arith.muli %few, %by : tensor<16x64xi32>
// CHECK-NEXT: %extended = arith.extsi %narrow
// CHECK-NEXT: nv_tileaa.addptr %bases, %extended
// CHECK: %product = arith.muli %many, %strides
// CHECK-NEXT: %others = nv_tileaa.addptr %bases, %product
nv_tileaa.func @unchanged_products(%p: !nv_tileaa.ptr<f16>, %n: i32, %first: i32, %stride: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %bases = nv_tileaa.splat %p : !nv_tileaa.ptr<f16> -> tensor<16x64x!nv_tileaa.ptr<f16>>
  %strides = nv_tileaa.splat %stride : i64 -> tensor<16x64xi64>
  %rows = nv_tileaa.splat %first : i32 -> tensor<16x64xi32>
  %row = nv_tileaa.make_range : tensor<16xi32>
  %rowOf = nv_tileaa.reshape %row : tensor<16xi32> -> tensor<16x1xi32>
  %rowsOf = nv_tileaa.broadcast %rowOf : tensor<16x1xi32> -> tensor<16x64xi32>
  %by = nv_tileaa.splat %first : i32 -> tensor<16x64xi32>
  %number = nv_tileaa.make_range : tensor<1024xi64>
  %each = nv_tileaa.reshape %number : tensor<1024xi64> -> tensor<16x64xi64>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %columns = nv_tileaa.splat %i : i32 -> tensor<16x64xi32>
    %sum = arith.addi %rows, %columns : tensor<16x64xi32>
    %wide = arith.extsi %sum : tensor<16x64xi32> to tensor<16x64xi64>
    %ptrs = nv_tileaa.addptr %bases, %wide : tensor<16x64x!nv_tileaa.ptr<f16>>, tensor<16x64xi64>
    %v, %t = nv_tileaa.load %ptrs : tensor<16x64x!nv_tileaa.ptr<f16>> -> tensor<16x64xf16>, !nv_tileaa.mem_token
    %small = arith.andi %i, %c1 : i32
    %smalls = nv_tileaa.splat %small : i32 -> tensor<16x64xi32>
    %few = arith.addi %rowsOf, %smalls : tensor<16x64xi32>
    %narrow = arith.muli %few, %by : tensor<16x64xi32>
    %extended = arith.extsi %narrow : tensor<16x64xi32> to tensor<16x64xi64>
    %places = nv_tileaa.addptr %bases, %extended : tensor<16x64x!nv_tileaa.ptr<f16>>, tensor<16x64xi64>
    %x, %tx = nv_tileaa.load %places : tensor<16x64x!nv_tileaa.ptr<f16>> -> tensor<16x64xf16>, !nv_tileaa.mem_token
    %ux = nv_tileaa.store %ptrs, %x : tensor<16x64x!nv_tileaa.ptr<f16>>, tensor<16x64xf16> -> !nv_tileaa.mem_token
    %column = arith.extsi %columns : tensor<16x64xi32> to tensor<16x64xi64>
    %many = arith.addi %each, %column : tensor<16x64xi64>
    %product = arith.muli %many, %strides : tensor<16x64xi64>
    %others = nv_tileaa.addptr %bases, %product : tensor<16x64x!nv_tileaa.ptr<f16>>, tensor<16x64xi64>
    %u = nv_tileaa.store %others, %v token %t : !nv_tileaa.mem_token : tensor<16x64x!nv_tileaa.ptr<f16>>, tensor<16x64xf16> -> !nv_tileaa.mem_token
    scf.continue
  }
  nv_tileaa.return
}
