// RUN: tile-opt %s --canonicalize --allow-unregistered-dialect | FileCheck %s

// Arms of an if that end with a return, a continue or a break.

cuda_tile.module @exits {
  // What follows a return is not reached, whatever it does.
  // CHECK-LABEL: @known_return
  // CHECK-NEXT: "t.a"() : () -> ()
  // CHECK-NEXT: return
  // CHECK-NEXT: }
  entry @known_return(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %true = constant <i1: true> : tile<i1>
    %0 = if %true -> (tile<i32>) {
      "t.a"() : () -> ()
      return
    } else {
      yield %n : tile<i32>
    }
    %t = store_ptr_tko weak %p, %0 : tile<ptr<i32>>, tile<i32> -> token
    if %true {
      "t.b"(%0) : (!cuda_tile.tile<i32>) -> ()
      yield
    }
    return
  }

  // CHECK-LABEL: @known_continue
  // CHECK: for
  // CHECK-NEXT: "t.a"() : () -> ()
  // CHECK-NEXT: continue
  // CHECK-NEXT: }
  // CHECK-NEXT: "t.after"(%{{.*}})
  entry @known_continue(%n: tile<i32>) {
    %false = constant <i1: false> : tile<i1>
    %one = constant <i32: 1> : tile<i32>
    %x = for %i in (%one to %n, step %one) : tile<i32> iter_values(%acc = %one) -> (tile<i32>) {
      if %false {
        "t.b"() : () -> ()
        yield
      } else {
        "t.a"() : () -> ()
        continue %i : tile<i32>
      }
      %sum = addi %acc, %i : tile<i32>
      continue %sum : tile<i32>
    }
    "t.after"(%x) : (!cuda_tile.tile<i32>) -> ()
    return
  }

  // CHECK-LABEL: @known_break
  // CHECK: %[[L:.*]] = loop iter_values(%[[I:.*]] = %{{.*}}) : tile<i32> -> tile<i32> {
  // CHECK-NEXT: "t.a"() : () -> ()
  // CHECK-NEXT: break %[[I]] : tile<i32>
  // CHECK-NEXT: }
  // CHECK-NEXT: "t.after"(%[[L]])
  entry @known_break() {
    %true = constant <i1: true> : tile<i1>
    %one = constant <i32: 1> : tile<i32>
    %x = loop iter_values(%i = %one) : tile<i32> -> tile<i32> {
      if %true {
        "t.a"() : () -> ()
        break %i : tile<i32>
      }
      %next = addi %i, %one : tile<i32>
      continue %next : tile<i32>
    }
    "t.after"(%x) : (!cuda_tile.tile<i32>) -> ()
    return
  }

  // Where one arm returns, the results are what the other one yields.
  // CHECK-LABEL: @one_returns
  // CHECK-SAME: (%[[C:[a-z]+]]: tile<i1>, %[[N:[a-z]+]]: tile<i32>, %[[M:[a-z]+]]: tile<i32>)
  // CHECK-NEXT: if %[[C]] {
  // CHECK-NEXT: return
  // CHECK-NEXT: }
  // CHECK-NEXT: "t.use"(%[[N]], %[[M]])
  entry @one_returns(%c: tile<i1>, %n: tile<i32>, %m: tile<i32>) {
    %0:2 = if %c -> (tile<i32>, tile<i32>) {
      return
    } else {
      yield %n, %m : tile<i32>, tile<i32>
    }
    "t.use"(%0#0, %0#1) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
    return
  }

  // Where both leave, the else stands for all that would follow.
  // CHECK-LABEL: @both_return
  // CHECK-SAME: (%[[C:[a-z]+]]: tile<i1>)
  // CHECK-NEXT: if %[[C]] {
  // CHECK-NEXT: "t.a"()
  // CHECK-NEXT: return
  // CHECK-NEXT: }
  // CHECK-NEXT: "t.b"()
  // CHECK-NEXT: return
  // CHECK-NEXT: }
  entry @both_return(%c: tile<i1>) {
    %0 = if %c -> (tile<i32>) {
      "t.a"() : () -> ()
      return
    } else {
      "t.b"() : () -> ()
      return
    }
    "t.never"(%0) : (!cuda_tile.tile<i32>) -> ()
    return
  }

  // CHECK-LABEL: @both_leave_loop
  // CHECK: loop
  // CHECK-NEXT: %[[C:.*]] = "t.more"()
  // CHECK-NEXT: if %[[C]] {
  // CHECK-NEXT: continue
  // CHECK-NEXT: }
  // CHECK-NEXT: break
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  entry @both_leave_loop() {
    loop {
      %c = "t.more"() : () -> !cuda_tile.tile<i1>
      if %c {
        continue
      } else {
        break
      }
      "t.never"() : () -> ()
      continue
    }
    return
  }

  // An exit through several ifs.
  // CHECK-LABEL: @nested
  // CHECK: loop
  // CHECK-NEXT: %[[C:.*]] = "t.more"()
  // CHECK-NEXT: if %[[C]] {
  // CHECK-NEXT: "t.a"()
  // CHECK-NEXT: break
  // CHECK-NEXT: }
  // CHECK-NEXT: "t.b"() : () -> ()
  // CHECK-NEXT: continue
  // CHECK-NEXT: }
  entry @nested() {
    %true = constant <i1: true> : tile<i1>
    loop {
      %c = "t.more"() : () -> !cuda_tile.tile<i1>
      if %c {
        "t.a"() : () -> ()
        if %true {
          break
        }
        "t.never"() : () -> ()
        yield
      }
      "t.b"() : () -> ()
      continue
    }
    return
  }

  // An arm that ends with an operation of which nothing is known may end otherwise: everything stays.
  // CHECK-LABEL: @unknown_end
  // CHECK: if %{{.*}} {
  // CHECK-NEXT: "t.end"()
  // CHECK-NEXT: } else {
  // CHECK-NEXT: "t.end"()
  // CHECK-NEXT: }
  // CHECK-NEXT: "t.after"()
  entry @unknown_end() {
    %true = constant <i1: true> : tile<i1>
    if %true {
      "t.end"() : () -> ()
    } else {
      "t.end"() : () -> ()
    }
    "t.after"() : () -> ()
    return
  }
}
