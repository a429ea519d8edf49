// RUN: tile-opt %s --test-print-integer-ranges | FileCheck %s

cuda_tile.module @m {
  // The facts of arguments of a region stand behind the operation.
  // CHECK-LABEL: @counted
  entry @counted(%n: tile<i32>, %m: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c3 = constant <i32: 3> : tile<i32>
    %c10 = constant <i32: 10> : tile<i32>
    for %i in (%c0 to %c10, step %c3) : tile<i32> {
      // The step does not reach 9 + 3.
      // CHECK: // %three: [0, 27]
      %three = muli %i, %c3 : tile<i32>
      continue
    } // CHECK: } // %i: [0, 9]
    for %i in (%n to %c10, step %c1) : tile<i32> {
      continue
    } // CHECK: } // %i: [-2147483648, 9]
    for unsigned %i in (%n to %c10, step %c1) : tile<i32> {
      continue
    } // CHECK: } // %i: [0, 9]
    // A loop that does not run has no values, and hands on what it starts with.
    %none = for %i in (%c10 to %c10, step %c1) : tile<i32> iter_values(%a = %c1) -> (tile<i32>) {
      // CHECK: // %dead: never computed
      %dead = addi %i, %a : tile<i32>
      continue %dead : tile<i32>
    } // CHECK: } // %i: never computed; %a: never computed; %none: 1
    // One that runs at least once does not.
    %once = for %i in (%c0 to %c10, step %c1) : tile<i32> iter_values(%a = %c1) -> (tile<i32>) {
      continue %i : tile<i32>
    } // CHECK: } // %i: [0, 9]; %a: [0, 9]; %once: [0, 9]
    return
  }

  // What is added to a loop-carried value is added once in each iteration at most; what else happens to it may end anywhere.
  // CHECK-LABEL: @carried
  entry @carried(%n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c3 = constant <i32: 3> : tile<i32>
    %c7 = constant <i32: 7> : tile<i32>
    %c10 = constant <i32: 10> : tile<i32>
    %r:4 = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%sum = %c0, %kept = %c0, %clamped = %c0, %product = %c1) -> (tile<i32>, tile<i32>, tile<i32>, tile<i32>) {
      %s = addi %sum, %i : tile<i32>
      %k = addi %kept, %c1 overflow<no_signed_wrap> : tile<i32>
      %l = addi %clamped, %c1 : tile<i32>
      %m = mini %l, %c7 signed : tile<i32>
      %p = muli %product, %c3 : tile<i32>
      continue %s, %k, %m, %p : tile<i32>, tile<i32>, tile<i32>, tile<i32>
    } // CHECK: } // %i: [0, 2147483646]; %sum: any; %kept: [0, 2147483646]; %clamped: [0, 7]; %product: any; %r#0: any; %r#1: [0, 2147483647]; %r#2: [0, 7]; %r#3: any
    %q:2 = for %i in (%c0 to %c10, step %c3) : tile<i32> iter_values(%up = %c7, %down = %c0) -> (tile<i32>, tile<i32>) {
      %u = addi %i, %up : tile<i32>
      %d = subi %down, %c1 : tile<i32>
      continue %u, %d : tile<i32>, tile<i32>
    } // CHECK: } // %i: [0, 9]; %up: [7, 34]; %down: [-3, 0]; %q#0: [7, 43]; %q#1: [-4, -1]
    return
  }

  // Inside a branch the comparison holds that led there.
  // CHECK-LABEL: @branches
  entry @branches(%n: tile<i32>, %m: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c10 = constant <i32: 10> : tile<i32>
    %low = cmpi greater_than_or_equal %n, %c0, signed : tile<i32> -> tile<i1>
    %high = cmpi less_than %n, %c10, signed : tile<i32> -> tile<i1>
    %in = andi %low, %high : tile<i1>
    %r = if %in -> (tile<i32>) {
      // CHECK: // %next: [1, 10]
      %next = addi %n, %c1 : tile<i32>
      // CHECK: // %known: -1
      %known = cmpi not_equal %next, %c0, signed : tile<i32> -> tile<i1>
      %inner = if %known -> (tile<i32>) {
        yield %next : tile<i32>
      } else {
        // CHECK: // %dead: never computed
        %dead = addi %next, %c10 : tile<i32>
        yield %dead : tile<i32>
      } // CHECK: } // %inner: [1, 10]
      yield %inner : tile<i32>
    } else {
      yield %c0 : tile<i32>
    } // CHECK: } // %r: [0, 10]
    // Behind a branch that leaves, the condition does not hold.
    if %low {
      return
    }
    // CHECK: // %negative: [-2147483647, 0]
    %negative = addi %n, %c1 : tile<i32>
    // One comparison with another value says as much as is known of that.
    %bound = assume bounded<0, 100>, %m : tile<i32>
    %less = cmpi less_than %bound, %n, unsigned : tile<i32> -> tile<i1>
    if %less {
      // CHECK: // %above: [-2147483646, 1]
      %above = addi %negative, %c1 : tile<i32>
    }
    return
  }

  // CHECK-LABEL: @breaks
  entry @breaks() {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c9 = constant <i32: 9> : tile<i32>
    %r = loop iter_values(%i = %c0) : tile<i32> -> tile<i32> {
      %done = cmpi greater_than_or_equal %i, %c9, signed : tile<i32> -> tile<i1>
      if %done {
        break %i : tile<i32>
      }
      // CHECK: // %next: [1, 9]
      %next = addi %i, %c1 : tile<i32>
      continue %next : tile<i32>
    } // CHECK: } // %i: [0, 9]; %r: 9
    return
  }

  // CHECK-LABEL: @asserted
  entry @asserted(%n: tile<i32>) {
    %c10 = constant <i32: 10> : tile<i32>
    %small = cmpi less_than %n, %c10, unsigned : tile<i32> -> tile<i1>
    assert %small, "small" : tile<i1>
    // CHECK: // %sum: [10, 19]
    %sum = addi %n, %c10 : tile<i32>
    return
  }

  // CHECK-LABEL: @reduced
  entry @reduced() {
    %i = iota : tile<64xi32>
    %sum = reduce %i dim=0 identities=[0 : i32] : tile<64xi32> -> tile<i32>
    (%a: tile<i32>, %b: tile<i32>) {
      %c = addi %a, %b : tile<i32>
      yield %c : tile<i32>
    } // CHECK: } // %a: any; %b: any; %sum: [0, 4032]
    %most = reduce %i dim=0 identities=[-2147483648 : i32] : tile<64xi32> -> tile<i32>
    (%a: tile<i32>, %b: tile<i32>) {
      %c = maxi %b, %a signed : tile<i32>
      yield %c : tile<i32>
    } // CHECK: } // %a: any; %b: any; %most: [0, 63]
    return
  }
}
