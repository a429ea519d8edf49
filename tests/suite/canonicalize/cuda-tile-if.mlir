// RUN: tile-opt %s --canonicalize --allow-unregistered-dialect | FileCheck %s

cuda_tile.module @ifs {
  // CHECK-LABEL: @known_condition
  // CHECK-NEXT: "t.then"() : () -> ()
  // CHECK-NEXT: %[[X:.*]] = "t.make"()
  // CHECK-NEXT: "t.use"(%[[X]])
  // CHECK-NEXT: return
  entry @known_condition() {
    %true = constant <i1: true> : tile<i1>
    %false = constant <i1: false> : tile<i1>
    if %true {
      "t.then"() : () -> ()
      yield
    } else {
      "t.else"() : () -> ()
      yield
    }
    if %false {
      "t.then"() : () -> ()
      yield
    }
    %0 = if %false -> (tile<i32>) {
      %x = "t.other"() : () -> !cuda_tile.tile<i32>
      yield %x : tile<i32>
    } else {
      %x = "t.make"() : () -> !cuda_tile.tile<i32>
      yield %x : tile<i32>
    }
    "t.use"(%0) : (!cuda_tile.tile<i32>) -> ()
    return
  }

  // The condition may come from folding.
  // CHECK-LABEL: @folded_condition
  // CHECK-NOT: if
  // CHECK: "t.else"()
  entry @folded_condition() {
    %three = constant <i32: 3> : tile<i32>
    %four = constant <i32: 4> : tile<i32>
    %c = cmpi greater_than %three, %four, signed : tile<i32> -> tile<i1>
    if %c {
      "t.then"() : () -> ()
      yield
    } else {
      "t.else"() : () -> ()
      yield
    }
    return
  }

  // A result of which nobody asks is dropped, with what computes it.
  // CHECK-LABEL: @unused_results
  // CHECK-SAME: (%[[C:.*]]: tile<i1>, %[[N:.*]]: tile<i32>)
  // CHECK-NEXT: %[[IF:.*]] = if %[[C]] -> (tile<i32>) {
  // CHECK-NEXT: %[[A:.*]] = "t.make"()
  // CHECK-NEXT: yield %[[A]] : tile<i32>
  // CHECK-NEXT: } else {
  // CHECK-NEXT: %[[B:.*]] = "t.make"()
  // CHECK-NEXT: yield %[[B]] : tile<i32>
  // CHECK-NEXT: }
  // CHECK-NEXT: "t.use"(%[[IF]])
  entry @unused_results(%c: tile<i1>, %n: tile<i32>) {
    %0:3 = if %c -> (tile<i32>, tile<i32>, tile<f32>) {
      %a = "t.make"() : () -> !cuda_tile.tile<i32>
      %dead = muli %n, %n : tile<i32>
      %f = itof %dead signed : tile<i32> -> tile<f32>
      yield %dead, %a, %f : tile<i32>, tile<i32>, tile<f32>
    } else {
      %b = "t.make"() : () -> !cuda_tile.tile<i32>
      %dead = addi %n, %n : tile<i32>
      %f = itof %dead signed : tile<i32> -> tile<f32>
      yield %dead, %b, %f : tile<i32>, tile<i32>, tile<f32>
    }
    "t.use"(%0#1) : (!cuda_tile.tile<i32>) -> ()
    return
  }

  // CHECK-LABEL: @known_results
  // CHECK-SAME: (%[[C:.*]]: tile<i1>, %[[N:.*]]: tile<i32>)
  // CHECK-NEXT: %[[TRUE:.*]] = constant <i1: true> : tile<i1>
  // CHECK-NEXT: %[[T:.*]] = make_token
  // CHECK-NEXT: %[[NOT:.*]] = xori %[[C]], %[[TRUE]] : tile<i1>
  // CHECK-NOT: if
  // CHECK: "t.use"(%[[N]], %[[T]], %[[C]], %[[NOT]])
  entry @known_results(%c: tile<i1>, %n: tile<i32>) {
    %true = constant <i1: true> : tile<i1>
    %t = make_token : token
    %0:4 = if %c -> (tile<i32>, token, tile<i1>, tile<i1>) {
      %false = constant <i1: false> : tile<i1>
      yield %n, %t, %true, %false : tile<i32>, token, tile<i1>, tile<i1>
    } else {
      %false = constant <i1: false> : tile<i1>
      yield %n, %t, %false, %true : tile<i32>, token, tile<i1>, tile<i1>
    }
    "t.use"(%0#0, %0#1, %0#2, %0#3) : (!cuda_tile.tile<i32>, !cuda_tile.token, !cuda_tile.tile<i1>, !cuda_tile.tile<i1>) -> ()
    return
  }

  // Truth values of a tile are not the condition.
  // CHECK-LABEL: @truth_of_tiles
  // CHECK: %[[S:.*]] = select %{{.*}}, %{{.*}}, %{{.*}} : tile<4xi1>, tile<4xi1>
  entry @truth_of_tiles(%c: tile<i1>) {
    %true = constant <i1: [true, true, true, true]> : tile<4xi1>
    %mixed = constant <i1: [false, true, false, false]> : tile<4xi1>
    %0 = if %c -> (tile<4xi1>) {
      yield %true : tile<4xi1>
    } else {
      yield %mixed : tile<4xi1>
    }
    "t.use"(%0) : (!cuda_tile.tile<4xi1>) -> ()
    return
  }

  // Values from outside are selected; the condition is made a tile where they are.
  // CHECK-LABEL: @select
  // CHECK-SAME: (%[[C:.*]]: tile<i1>, %[[X:.*]]: tile<i32>, %[[Y:.*]]: tile<i32>)
  // CHECK-DAG: %[[A:.*]] = constant <f32: 1.000000e+00> : tile<4x2xf32>
  // CHECK-DAG: %[[B:.*]] = constant <f32: 2.000000e+00> : tile<4x2xf32>
  // CHECK: %[[S:.*]] = select %[[C]], %[[X]], %[[Y]] : tile<i1>, tile<i32>
  // CHECK-NEXT: %[[R:.*]] = reshape %[[C]] : tile<i1> -> tile<1x1xi1>
  // CHECK-NEXT: %[[W:.*]] = broadcast %[[R]] : tile<1x1xi1> -> tile<4x2xi1>
  // CHECK-NEXT: %[[T:.*]] = select %[[W]], %[[A]], %[[B]] : tile<4x2xi1>, tile<4x2xf32>
  // CHECK-NEXT: %[[IF:.*]] = if %[[C]] -> (tile<i32>) {
  // CHECK-NEXT: %[[SUM:.*]] = addi %[[X]], %[[Y]]
  // CHECK-NEXT: yield %[[SUM]]
  // CHECK-NEXT: } else {
  // CHECK-NEXT: yield %[[X]]
  // CHECK-NEXT: }
  // CHECK-NEXT: "t.use"(%[[S]], %[[IF]], %[[T]])
  entry @select(%c: tile<i1>, %x: tile<i32>, %y: tile<i32>) {
    %a = constant <f32: 1.0> : tile<4x2xf32>
    %b = constant <f32: 2.0> : tile<4x2xf32>
    %0:3 = if %c -> (tile<i32>, tile<i32>, tile<4x2xf32>) {
      %sum = addi %x, %y : tile<i32>
      yield %x, %sum, %a : tile<i32>, tile<i32>, tile<4x2xf32>
    } else {
      yield %y, %x, %b : tile<i32>, tile<i32>, tile<4x2xf32>
    }
    "t.use"(%0#0, %0#1, %0#2) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4x2xf32>) -> ()
    return
  }

  // Tokens cannot be selected, nor can what is loaded be before the branch is taken.
  // CHECK-LABEL: @no_select
  // CHECK: if %{{.*}} -> (token) {
  // CHECK: if %{{.*}} -> (tile<f32>) {
  // CHECK-NEXT: load_ptr_tko
  // CHECK-NOT: select
  // CHECK: return
  entry @no_select(%c: tile<i1>, %p: tile<ptr<f32>>, %x: tile<f32>) {
    %0 = "t.make"() : () -> !cuda_tile.token
    %1 = "t.make"() : () -> !cuda_tile.token
    %2 = if %c -> (token) {
      yield %0 : token
    } else {
      yield %1 : token
    }
    %t = store_ptr_tko weak %p, %x token=%2 : tile<ptr<f32>>, tile<f32> -> token
    %3 = if %c -> (tile<f32>) {
      %v, %t2 = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
      yield %v : tile<f32>
    } else {
      yield %x : tile<f32>
    }
    "t.use"(%3) : (!cuda_tile.tile<f32>) -> ()
    return
  }

  // CHECK-LABEL: @negated
  // CHECK-SAME: (%[[C:[a-z]+]]: tile<i1>
  // CHECK: if %[[C]] {
  // CHECK-NEXT: "t.else"()
  // CHECK-NEXT: yield
  // CHECK-NEXT: } else {
  // CHECK-NEXT: "t.then"()
  // CHECK-NEXT: yield
  // CHECK-NEXT: }
  // CHECK-NEXT: %[[NOT:.*]] = xori
  // CHECK-NEXT: if %[[NOT]] {
  // CHECK-NEXT: "t.only"()
  // CHECK-NEXT: yield
  // CHECK-NEXT: }
  entry @negated(%c: tile<i1>, %d: tile<i1>) {
    %true = constant <i1: true> : tile<i1>
    %not = xori %c, %true : tile<i1>
    if %not {
      "t.then"() : () -> ()
      yield
    } else {
      "t.else"() : () -> ()
      yield
    }
    %not_d = xori %d, %true : tile<i1>
    if %not_d {
      "t.only"() : () -> ()
      yield
    } else {
    }
    return
  }
}
