// RUN: tile-opt %s --allow-unregistered-dialect | FileCheck %s
// RUN: tile-opt %s --allow-unregistered-dialect | tile-opt --allow-unregistered-dialect | FileCheck %s

// A terminator that the text may leave out is printed behind an operation of which nothing is known, since that could be the terminator.

// CHECK-LABEL: @known
// CHECK: if %{{.*}} {
// CHECK-NEXT: absf
// CHECK-NEXT: }
entry @known(%c: tile<i1>, %x: tile<f32>) {
  if %c {
    %0 = absf %x : tile<f32>
    yield
  }
}

// CHECK-LABEL: @unknown
// CHECK: if %{{.*}} {
// CHECK-NEXT: "t.op"() : () -> ()
// CHECK-NEXT: yield
// CHECK-NEXT: }
entry @unknown(%c: tile<i1>) {
  if %c {
    "t.op"() : () -> ()
    yield
  }
}
