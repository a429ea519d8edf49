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

// With locations, one that only such a terminator has is not printed either.

// RUN: tile-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | FileCheck %s --check-prefix=LOC --implicit-check-not=nowhere
// LOC-LABEL: entry @located
// LOC: absf %{{.*}} : tile<f32> loc(#[[A:loc[0-9]*]])
// LOC: #[[A]] = loc("somewhere.py":1:1)
entry @located(%c: tile<i1>, %x: tile<f32>) {
  if %c {
    %0 = absf %x : tile<f32> loc("somewhere.py":1:1)
    yield loc("nowhere.py":2:2)
  }
}
