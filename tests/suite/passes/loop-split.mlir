// RUN: tile-opt %s --split-input-file --loop-split | FileCheck %s
// RUN: tile-opt %s --split-input-file --loop-split=split-threshold=3 | FileCheck %s --check-prefix=THREE
// RUN: tile-opt %s --split-input-file --loop-split=split-threshold=0 | FileCheck %s --check-prefix=NEVER
// RUN: tile-opt %s --split-input-file --loop-split --canonicalize | FileCheck %s --check-prefix=CLEAN
// RUN: tile-opt %s --split-input-file --loop-split --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOC

// The comparison with a value that is not known: it is brought below the upper bound before 1 is added, so that nothing wraps around. Loop-carried
// values go through both halves, and everything keeps its location; what computes the point has that of the loop.
// CHECK-LABEL: entry @above
// CHECK: %[[ONE:.*]] = constant <i32: 1>
// CHECK: %[[LAST:.*]] = subi %n, %[[I:.*]] : tile<i32>
// CHECK-NEXT: %[[S:.*]] = mini %s, %[[LAST]] signed
// CHECK-NEXT: %[[AT:.*]] = addi %[[S]], %[[I]]
// CHECK-NEXT: %[[UP:.*]] = mini %[[AT]], %n signed
// CHECK-NEXT: %[[LOW:.*]] = maxi %[[AT]], %zero signed
// CHECK-NEXT: %[[FIRST:.*]] = for %{{.*}} in (%zero to %[[UP]], step %one) {{.*}} iter_values(%[[A:.*]] = %zero)
// CHECK-NEXT: %[[B:.*]] = subi %[[A]], %n
// CHECK-NEXT: muli %[[B]], %[[B]]
// CHECK-NEXT: continue
// CHECK: for %{{.*}} in (%[[LOW]] to %n, step %one) {{.*}} iter_values(%[[C:.*]] = %[[FIRST]])
// CHECK-NEXT: %[[D:.*]] = addi %[[C]], %{{.*}}
// CHECK-NEXT: muli %[[D]], %[[D]]
// CHECK-NEXT: continue
// CHECK-NOT: for %
// CHECK: return
// THREE-LABEL: entry @above
// THREE: if
// NEVER-LABEL: entry @above
// NEVER: if
// LOC-LABEL: entry @above
// LOC: mini %{{.*}} loc("k.py":9:1)
// LOC: for
// LOC: subi %{{.*}} loc("k.py":3:1)
// LOC: continue %{{.*}} loc("k.py":5:1)
// LOC-NEXT: } loc("k.py":9:1)
// LOC: addi %{{.*}} loc("k.py":2:1)
entry @above(%p: tile<ptr<i32>>, %n: tile<i32>, %s: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %r = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%a = %zero) -> (tile<i32>) {
    %k = cmpi greater_than %i, %s, signed : tile<i32> -> tile<i1> loc("k.py":1:1)
    %v = if %k -> (tile<i32>) {
      %b = addi %a, %i : tile<i32> loc("k.py":2:1)
      yield %b : tile<i32>
    } else {
      %c = subi %a, %n : tile<i32> loc("k.py":3:1)
      yield %c : tile<i32>
    }
    %w = muli %v, %v : tile<i32> loc("k.py":4:1)
    continue %w : tile<i32> loc("k.py":5:1)
  } loc("k.py":9:1)
  %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
  return
}

// -----

// An unsigned loop with a step that is not known: the point is rounded up to a number that the counter reaches.
// CHECK-LABEL: entry @steps
// CHECK: %[[A:.*]] = mini %s, %n unsigned
// CHECK-NEXT: %[[B:.*]] = maxi %[[A]], %m unsigned
// CHECK-NEXT: %[[C:.*]] = subi %[[B]], %m
// CHECK-NEXT: %[[D:.*]] = remi %[[C]], %d unsigned
// CHECK-NEXT: %[[E:.*]] = subi %d, %[[D]]
// CHECK-NEXT: %[[F:.*]] = remi %[[E]], %d unsigned
// CHECK-NEXT: %[[G:.*]] = subi %n, %[[B]]
// CHECK-NEXT: %[[H:.*]] = mini %[[F]], %[[G]] unsigned
// CHECK-NEXT: %[[I:.*]] = addi %[[B]], %[[H]]
// CHECK-NEXT: %[[U:.*]] = mini %[[I]], %n unsigned
// CHECK-NEXT: %[[L:.*]] = maxi %[[I]], %m unsigned
// CHECK-NEXT: for unsigned %{{.*}} in (%m to %[[U]], step %d)
// CHECK: store_ptr_tko
// CHECK: for unsigned %{{.*}} in (%[[L]] to %n, step %d)
// CHECK-NOT: store_ptr_tko
// CHECK: return
// THREE-LABEL: entry @steps
// THREE-NOT: if
// THREE: return
entry @steps(%p: tile<ptr<i32>>, %m: tile<i32>, %n: tile<i32>, %d: tile<i32>, %s: tile<i32>) {
  for unsigned %i in (%m to %n, step %d) : tile<i32> {
    %k = cmpi greater_than %s, %i, unsigned : tile<i32> -> tile<i1>
    if %k {
      %t = store_ptr_tko weak %p, %i : tile<ptr<i32>>, tile<i32> -> token
    }
  }
  return
}

// -----

// Other uses of the comparison, ifs inside others among them, see a constant. When folded, nothing of either is left.
// CHECK-LABEL: entry @uses
// CHECK: for
// CHECK: %[[T:.*]] = constant <i1: true>
// CHECK-NEXT: exti %[[T]]
// CHECK: if %[[T]]
// CHECK: for
// CHECK: %[[F:.*]] = constant <i1: false>
// CHECK-NEXT: exti %[[F]]
// CHECK: if %[[F]]
// CLEAN-LABEL: entry @uses
// CLEAN: for
// CLEAN: if %c
// CLEAN-NOT: if
// CLEAN: for
// CLEAN-NOT: if
// CLEAN: return
entry @uses(%p: tile<ptr<i32>>, %n: tile<i32>, %c: tile<i1>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %s = constant <i32: 64> : tile<i32>
  for %i in (%zero to %n, step %one) : tile<i32> {
    %k = cmpi less_than %i, %s, signed : tile<i32> -> tile<i1>
    %x = exti %k unsigned : tile<i1> -> tile<i32>
    %t = store_ptr_tko weak %p, %x : tile<ptr<i32>>, tile<i32> -> token
    if %c {
      if %k {
        %u = store_ptr_tko weak %p, %i : tile<ptr<i32>>, tile<i32> -> token
      }
    }
  }
  return
}

// -----

// A comparison with a value of the iteration (the reference takes one that the loop carries for invariant), with the counter of another loop in the
// body, for equality, in another signedness, or with the greatest number: no split.
// CHECK-LABEL: entry @kept
// CHECK-COUNT-5: for %
// CHECK-NOT: for %
// CHECK: return
entry @kept(%p: tile<ptr<i32>>, %n: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %max = constant <i32: 2147483647> : tile<i32>
  %r = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%a = %n) -> (tile<i32>) {
    %k = cmpi less_than %i, %a, signed : tile<i32> -> tile<i1>
    %v = if %k -> (tile<i32>) {
      yield %i : tile<i32>
    } else {
      yield %a : tile<i32>
    }
    continue %v : tile<i32>
  }
  for %i in (%zero to %n, step %one) : tile<i32> {
    for %j in (%zero to %n, step %one) : tile<i32> {
      %k = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
      if %k {
        %t = store_ptr_tko weak %p, %j : tile<ptr<i32>>, tile<i32> -> token
      }
    }
  }
  for %i in (%zero to %n, step %one) : tile<i32> {
    %k = cmpi equal %i, %r, signed : tile<i32> -> tile<i1>
    if %k {
      %t = store_ptr_tko weak %p, %i : tile<ptr<i32>>, tile<i32> -> token
    }
    %l = cmpi less_than %i, %r, unsigned : tile<i32> -> tile<i1>
    if %l {
      %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
    }
  }
  for %i in (%zero to %n, step %one) : tile<i32> {
    %k = cmpi less_than_or_equal %i, %max, signed : tile<i32> -> tile<i1>
    if %k {
      %t = store_ptr_tko weak %p, %i : tile<ptr<i32>>, tile<i32> -> token
    }
  }
  return
}

// -----

// A branch that ends the iteration ends the copy of the body. Hints stay on the two loops; one of 0 on an if prevents splitting.
// CHECK-LABEL: entry @ends
// CHECK: for
// CHECK: store_ptr_tko
// CHECK: } {cuda_tile.loop_split = 1 : i64}
// CHECK: for
// CHECK-NEXT: continue
// CHECK-NEXT: } {cuda_tile.loop_split = 1 : i64}
// CHECK: for
// CHECK-NOT: for %
// CHECK: return
// NEVER-LABEL: entry @ends
// NEVER-COUNT-2: for %
entry @ends(%p: tile<ptr<i32>>, %n: tile<i32>, %s: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %r = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%a = %n) -> (tile<i32>) {
    %k = cmpi less_than_or_equal %s, %i, signed : tile<i32> -> tile<i1>
    if %k {
      continue %i : tile<i32>
    }
    %t = store_ptr_tko weak %p, %a : tile<ptr<i32>>, tile<i32> -> token
    continue %a : tile<i32>
  } {cuda_tile.loop_split = 1}
  for %i in (%zero to %n, step %one) : tile<i32> {
    %k = cmpi less_than %i, %s, signed : tile<i32> -> tile<i1>
    if %k {
      %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
    } {cuda_tile.loop_split = 0}
  }
  return
}
