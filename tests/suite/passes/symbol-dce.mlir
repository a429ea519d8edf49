// RUN: tile-opt %s --split-input-file --allow-unregistered-dialect --symbol-dce | FileCheck %s
// RUN: tile-opt %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(any(symbol-dce))' | FileCheck %s --check-prefix=INNER
// RUN: tile-opt %s --split-input-file --allow-unregistered-dialect --symbol-dce --pass-statistics --pass-statistics-display=list -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATS

// Entries are launched, and public globals read, by the host; private globals stay only for those who use them.
// CHECK-LABEL: cuda_tile.module @globals
// CHECK-NEXT: global @public
// CHECK-NEXT: global private @used
// CHECK-NEXT: entry @launched
// CHECK-NEXT: get_global @used
// CHECK-NOT: unused
// INNER-LABEL: cuda_tile.module @globals
// INNER-NOT: @unused
// STATS: 1 num-erased
cuda_tile.module @globals {
  global @public <i32: 1> : tile<1xi32>
  global private @used <i32: 1> : tile<1xi32>
  global private constant @unused <i32: 1> : tile<1xi32>
  entry @launched() {
    %0 = get_global @used : tile<ptr<i32>>
    %1, %t = load_ptr_tko weak %0 : tile<ptr<i32>> -> tile<i32>, token
    return
  }
}

// -----

// Private modules that only use each other go together; a name is looked for from the inside outwards; references may lie anywhere in an
// attribute; a use in a dead symbol counts for nothing. What is nested, which is not private, goes with what is around it only.
// STATS: 4 num-erased
// CHECK: module @outer
// CHECK-NEXT: module @lib
// CHECK-NEXT: module @same
// CHECK-NEXT: module @nested{{.*}} {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: "x.use"() {to = @same}
// CHECK-NEXT: }
// CHECK-NEXT: "x.use"() {to = {list = [1, [@lib]]}}
// CHECK-NEXT: }
// INNER: module @ring1
// INNER: module @ring2
// INNER: module @lib
// INNER: module @same
// INNER-NOT: @lost
// INNER: module @same
module @outer {
  module @ring1 attributes {sym_visibility = "private"} {
    "x.use"() {to = @ring2} : () -> ()
  }
  module @ring2 attributes {sym_visibility = "private"} {
    "x.use"() {to = @ring1} : () -> ()
    module @nested attributes {sym_visibility = "nested"} {
    }
  }
  module @lib attributes {sym_visibility = "private"} {
    module @same attributes {sym_visibility = "private"} {
      module @nested attributes {sym_visibility = "nested"} {
      }
    }
    module @lost attributes {sym_visibility = "private"} {
      "x.use"() {to = @lost} : () -> ()
    }
    "x.use"() {to = @same} : () -> ()
  }
  module @same attributes {sym_visibility = "private"} {
  }
  "x.use"() {to = {list = [1, [@lib]]}} : () -> ()
}
