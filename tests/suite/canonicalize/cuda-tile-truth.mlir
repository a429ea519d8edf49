// RUN: tile-opt %s --canonicalize --split-input-file --allow-unregistered-dialect | FileCheck %s

// A bool that is kept as a byte, and asked for being 0 or 1, is the bool.
// CHECK-LABEL: @bytes
// CHECK-DAG: %[[T:.*]] = constant <i1: true> : tile<8xi1>
// CHECK: %[[C:.*]] = "t.mask"
// CHECK: %[[N:.*]] = xori %[[C]], %[[T]]
// CHECK: %[[N2:.*]] = xori %[[C]], %[[T]]
// CHECK: "t.use"(%[[C]], %[[N]], %[[C]], %[[N2]])
cuda_tile.module @bytes {
  entry @bytes() {
    %c = "t.mask"() : () -> !cuda_tile.tile<8xi1>
    %0 = constant <i8: 0> : tile<8xi8>
    %1 = constant <i8: 1> : tile<8xi8>
    %b = exti %c unsigned : tile<8xi1> -> tile<8xi8>
    %w = cmpi not_equal %b, %0, signed : tile<8xi8> -> tile<8xi1>
    %x = cmpi equal %b, %0, unsigned : tile<8xi8> -> tile<8xi1>
    %y = cmpi equal %b, %1, signed : tile<8xi8> -> tile<8xi1>
    %z = cmpi not_equal %b, %1, signed : tile<8xi8> -> tile<8xi1>
    "t.use"(%w, %x, %y, %z) : (!cuda_tile.tile<8xi1>, !cuda_tile.tile<8xi1>, !cuda_tile.tile<8xi1>, !cuda_tile.tile<8xi1>) -> ()
    return
  }
}

// -----

// Bytes that are combined, spread and inverted are bools that are.
// CHECK-LABEL: @combined
// CHECK-NOT: i8
// CHECK: %[[R:.*]] = reshape %{{.*}} : tile<4xi1> -> tile<4x1xi1>
// CHECK: %[[B:.*]] = broadcast %[[R]] : tile<4x1xi1> -> tile<4x8xi1>
// CHECK: %[[D:.*]] = xori %{{.*}} : tile<8xi1>
// CHECK: %[[S:.*]] = reshape %[[D]] : tile<8xi1> -> tile<1x8xi1>
// CHECK: %[[E:.*]] = broadcast %[[S]] : tile<1x8xi1> -> tile<4x8xi1>
// CHECK: %[[A:.*]] = andi %[[B]], %[[E]] : tile<4x8xi1>
// CHECK: "t.use"(%[[A]])
cuda_tile.module @combined {
  entry @combined() {
    %c = "t.mask"() : () -> !cuda_tile.tile<4xi1>
    %d = "t.mask"() : () -> !cuda_tile.tile<8xi1>
    %0 = constant <i8: 0> : tile<4x8xi8>
    %1 = constant <i8: 1> : tile<8xi8>
    %ones = constant <i8: -1> : tile<8xi8>
    %cb = exti %c unsigned : tile<4xi1> -> tile<4xi8>
    %cr = reshape %cb : tile<4xi8> -> tile<4x1xi8>
    %ca = broadcast %cr : tile<4x1xi8> -> tile<4x8xi8>
    %db = exti %d unsigned : tile<8xi1> -> tile<8xi8>
    %dx = xori %db, %ones : tile<8xi8>
    %dn = andi %dx, %1 : tile<8xi8>
    %dr = reshape %dn : tile<8xi8> -> tile<1x8xi8>
    %da = broadcast %dr : tile<1x8xi8> -> tile<4x8xi8>
    %a = andi %ca, %da : tile<4x8xi8>
    %m = cmpi not_equal %a, %0, signed : tile<4x8xi8> -> tile<4x8xi1>
    "t.use"(%m) : (!cuda_tile.tile<4x8xi1>) -> ()
    return
  }
}

// -----

// What may be neither 0 nor 1 is compared: a sum of bools, an extension of the sign, a number from elsewhere, and comparisons with 2.
// CHECK-LABEL: @numbers
// CHECK-COUNT-4: cmpi
cuda_tile.module @numbers {
  entry @numbers(%c: tile<i1>, %d: tile<i1>, %n: tile<i8>) {
    %0 = constant <i8: 0> : tile<i8>
    %1 = constant <i8: 1> : tile<i8>
    %2 = constant <i8: 2> : tile<i8>
    %b = exti %c unsigned : tile<i1> -> tile<i8>
    %e = exti %d unsigned : tile<i1> -> tile<i8>
    %sum = addi %b, %e : tile<i8>
    %w = cmpi equal %sum, %1, signed : tile<i8> -> tile<i1>
    %s = exti %c signed : tile<i1> -> tile<i8>
    %x = cmpi equal %s, %1, signed : tile<i8> -> tile<i1>
    %both = andi %b, %n : tile<i8>
    %y = cmpi not_equal %both, %0, signed : tile<i8> -> tile<i1>
    %either = ori %b, %n : tile<i8>
    %z = cmpi equal %either, %2, signed : tile<i8> -> tile<i1>
    "t.use"(%w, %x, %y, %z) : (!cuda_tile.tile<i1>, !cuda_tile.tile<i1>, !cuda_tile.tile<i1>, !cuda_tile.tile<i1>) -> ()
    return
  }
}

// -----

// Fewer bits hold 1 and 0 as well.
// CHECK-LABEL: @truncated
// CHECK: exti %{{.*}} unsigned : tile<i1> -> tile<i8>
// CHECK-NOT: trunci
cuda_tile.module @truncated {
  entry @truncated(%c: tile<i1>) {
    %b = exti %c unsigned : tile<i1> -> tile<i32>
    %t = trunci %b : tile<i32> -> tile<i8>
    "t.use"(%t) : (!cuda_tile.tile<i8>) -> ()
    return
  }
}
