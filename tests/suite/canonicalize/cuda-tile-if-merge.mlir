// RUN: tile-opt %s --canonicalize --allow-unregistered-dialect | FileCheck %s

// An if directly behind another one, or alone in another one, becomes part of it.

cuda_tile.module @merges {
  // What the first yields is what the second uses of it.
  // CHECK-LABEL: @same_condition
  // CHECK-SAME: (%[[C:.*]]: tile<i1>, %[[N:.*]]: tile<i32>)
  // CHECK-NEXT: %[[IF:.*]]:2 = if %[[C]] -> (tile<i32>, tile<i32>) {
  // CHECK-NEXT: %[[A:.*]] = "t.a"(%[[N]])
  // CHECK-NEXT: %[[B:.*]] = "t.b"(%[[A]])
  // CHECK-NEXT: yield %[[A]], %[[B]] : tile<i32>, tile<i32>
  // CHECK-NEXT: } else {
  // CHECK-NEXT: %[[D:.*]] = "t.d"(%[[N]])
  // CHECK-NEXT: %[[E:.*]] = "t.e"(%[[D]])
  // CHECK-NEXT: yield %[[D]], %[[E]] : tile<i32>, tile<i32>
  // CHECK-NEXT: }
  // CHECK-NEXT: "t.use"(%[[IF]]#0, %[[IF]]#1)
  entry @same_condition(%c: tile<i1>, %n: tile<i32>) {
    %0 = if %c -> (tile<i32>) {
      %a = "t.a"(%n) : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
      yield %a : tile<i32>
    } else {
      %d = "t.d"(%n) : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
      yield %d : tile<i32>
    }
    %1 = if %c -> (tile<i32>) {
      %b = "t.b"(%0) : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
      yield %b : tile<i32>
    } else {
      %e = "t.e"(%0) : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
      yield %e : tile<i32>
    }
    "t.use"(%0, %1) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
    return
  }

  // CHECK-LABEL: @negated_condition
  // CHECK-SAME: (%[[C:[a-z]+]]: tile<i1>)
  // CHECK: if %[[C]] {
  // CHECK-NEXT: "t.a"()
  // CHECK-NEXT: yield
  // CHECK-NEXT: } else {
  // CHECK-NEXT: "t.b"()
  // CHECK-NEXT: yield
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  entry @negated_condition(%c: tile<i1>) {
    %true = constant <i1: true> : tile<i1>
    %not = xori %c, %true : tile<i1>
    if %c {
      "t.a"() : () -> ()
      yield
    }
    if %not {
      "t.b"() : () -> ()
      yield
    }
    return
  }

  // CHECK-LABEL: @three
  // CHECK-SAME: (%[[C:[a-z]+]]: tile<i1>)
  // CHECK-NEXT: if %[[C]] {
  // CHECK-NEXT: "t.a"()
  // CHECK-NEXT: "t.b"()
  // CHECK-NEXT: "t.d"()
  // CHECK-NEXT: yield
  // CHECK-NEXT: } else {
  // CHECK-NEXT: "t.e"()
  // CHECK-NEXT: yield
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  entry @three(%c: tile<i1>) {
    if %c {
      "t.a"() : () -> ()
      yield
    }
    if %c {
      "t.b"() : () -> ()
      yield
    } else {
      "t.e"() : () -> ()
      yield
    }
    if %c {
      "t.d"() : () -> ()
      yield
    }
    return
  }

  // Something in between keeps the order.
  // CHECK-LABEL: @apart
  // CHECK: if
  // CHECK: "t.between"()
  // CHECK: if
  entry @apart(%c: tile<i1>) {
    if %c {
      "t.a"() : () -> ()
      yield
    }
    "t.between"() : () -> ()
    if %c {
      "t.b"() : () -> ()
      yield
    }
    return
  }

  // Behind an arm that leaves, the second if is not reached.
  // CHECK-LABEL: @behind_return
  // CHECK-SAME: (%[[C:[a-z]+]]: tile<i1>)
  // CHECK-NEXT: %[[IF:.*]] = if %[[C]] -> (tile<i32>) {
  // CHECK-NEXT: "t.a"()
  // CHECK-NEXT: return
  // CHECK-NEXT: } else {
  // CHECK-NEXT: %[[E:.*]] = "t.e"()
  // CHECK-NEXT: yield %[[E]] : tile<i32>
  // CHECK-NEXT: }
  // CHECK-NEXT: "t.use"(%[[IF]])
  entry @behind_return(%c: tile<i1>) {
    if %c {
      "t.a"() : () -> ()
      return
    }
    %0 = if %c -> (tile<i32>) {
      %b = "t.b"() : () -> !cuda_tile.tile<i32>
      yield %b : tile<i32>
    } else {
      %e = "t.e"() : () -> !cuda_tile.tile<i32>
      yield %e : tile<i32>
    }
    "t.use"(%0) : (!cuda_tile.tile<i32>) -> ()
    return
  }

  // CHECK-LABEL: @inside
  // CHECK-SAME: (%[[C:[a-z]+]]: tile<i1>, %[[D:[a-z]+]]: tile<i1>)
  // CHECK-NEXT: %[[AND:.*]] = andi %[[C]], %[[D]] : tile<i1>
  // CHECK-NEXT: if %[[AND]] {
  // CHECK-NEXT: "t.a"()
  // CHECK-NEXT: yield
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  entry @inside(%c: tile<i1>, %d: tile<i1>) {
    if %c {
      if %d {
        "t.a"() : () -> ()
        yield
      }
    }
    return
  }

  // CHECK-LABEL: @inside_with_results
  // CHECK-SAME: (%[[C:[a-z]+]]: tile<i1>, %[[D:[a-z]+]]: tile<i1>, %[[N:.*]]: tile<i32>, %[[M:.*]]: tile<i32>)
  // CHECK-NEXT: %[[S:.*]] = select %[[C]], %[[M]], %[[N]] : tile<i1>, tile<i32>
  // CHECK-NEXT: %[[AND:.*]] = andi %[[C]], %[[D]] : tile<i1>
  // CHECK-NEXT: %[[IF:.*]] = if %[[AND]] -> (tile<i32>) {
  // CHECK-NEXT: %[[A:.*]] = "t.a"()
  // CHECK-NEXT: yield %[[A]]
  // CHECK-NEXT: } else {
  // CHECK-NEXT: yield %[[N]]
  // CHECK-NEXT: }
  // CHECK-NEXT: "t.use"(%[[IF]], %[[S]])
  entry @inside_with_results(%c: tile<i1>, %d: tile<i1>, %n: tile<i32>, %m: tile<i32>) {
    %0:2 = if %c -> (tile<i32>, tile<i32>) {
      %1 = if %d -> (tile<i32>) {
        %a = "t.a"() : () -> !cuda_tile.tile<i32>
        yield %a : tile<i32>
      } else {
        yield %n : tile<i32>
      }
      yield %1, %m : tile<i32>, tile<i32>
    } else {
      yield %n, %n : tile<i32>, tile<i32>
    }
    "t.use"(%0#0, %0#1) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
    return
  }

  // The results when either condition fails differ.
  // CHECK-LABEL: @inside_but_different
  // CHECK-COUNT-2: if %
  entry @inside_but_different(%c: tile<i1>, %d: tile<i1>, %n: tile<i32>, %m: tile<i32>) {
    %0 = if %c -> (tile<i32>) {
      %1 = if %d -> (tile<i32>) {
        %a = "t.a"() : () -> !cuda_tile.tile<i32>
        yield %a : tile<i32>
      } else {
        yield %m : tile<i32>
      }
      yield %1 : tile<i32>
    } else {
      yield %n : tile<i32>
    }
    "t.use"(%0) : (!cuda_tile.tile<i32>) -> ()
    return
  }

  // An else that does something belongs to one of the conditions only.
  // CHECK-LABEL: @inside_with_else
  // CHECK-COUNT-2: if %
  entry @inside_with_else(%c: tile<i1>, %d: tile<i1>) {
    if %c {
      if %d {
        "t.a"() : () -> ()
        yield
      } else {
        "t.b"() : () -> ()
        yield
      }
    }
    return
  }

  // CHECK-LABEL: @inside_return
  // CHECK: %[[AND:.*]] = andi
  // CHECK-NEXT: if %[[AND]] {
  // CHECK-NEXT: "t.a"()
  // CHECK-NEXT: return
  // CHECK-NEXT: }
  // CHECK-NEXT: "t.b"()
  entry @inside_return(%c: tile<i1>, %d: tile<i1>) {
    if %c {
      if %d {
        "t.a"() : () -> ()
        return
      }
    }
    "t.b"() : () -> ()
    return
  }
}
