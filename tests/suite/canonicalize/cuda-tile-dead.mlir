// RUN: tile-opt %s --canonicalize | FileCheck %s

// What nobody needs is erased if it does nothing else.

cuda_tile.module @dead {
  // A load may go when neither what it loads nor its token is used; one that others are ordered by may not.
  // CHECK-LABEL: @loads
  // CHECK-NEXT: %[[A:.*]], %[[T:.*]] = load_ptr_tko acquire device
  // CHECK-NEXT: %[[B:.*]], %[[U:.*]] = load_ptr_tko weak
  // CHECK-NEXT: %[[S:.*]] = store_ptr_tko weak %{{.*}}, %{{.*}} token=%[[U]]
  // CHECK-NEXT: return
  entry @loads(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %0, %t0 = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
    %1, %t1 = load_ptr_tko relaxed device %p token=%t0 : tile<ptr<i32>> -> tile<i32>, token
    %2 = join_tokens %t0, %t1 : token
    %3, %t3 = load_ptr_tko acquire device %p : tile<ptr<i32>> -> tile<i32>, token
    %4, %t4 = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
    %5 = store_ptr_tko weak %p, %n token=%t4 : tile<ptr<i32>>, tile<i32> -> token
    return
  }

  // CHECK-LABEL: @effects
  // CHECK: store_ptr_tko
  // CHECK-NEXT: atomic_rmw_tko
  // CHECK-NEXT: print_tko
  // CHECK-NEXT: assert
  // CHECK-NEXT: return
  entry @effects(%p: tile<ptr<i32>>, %n: tile<i32>, %c: tile<i1>) {
    %0 = store_ptr_tko weak %p, %n : tile<ptr<i32>>, tile<i32> -> token
    %1, %t1 = atomic_rmw_tko relaxed device %p, add, %n : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %2 = print_tko "%d", %n : tile<i32> -> token
    assert %c, "holds" : tile<i1>
    %3 = divi %n, %n signed : tile<i32>
    %4 = assume div_by<4>, %n : tile<i32>
    %5 = make_token : token
    %6 = alloca num_elem = 4, alignment = 4 : tile<ptr<f32>>
    return
  }

  // A loop that does nothing is erased, an if with a return or a store in it not.
  // CHECK-LABEL: @regions
  // CHECK-NOT: for
  // CHECK-NOT: addi
  // CHECK: if %{{.*}} {
  // CHECK-NEXT: return
  // CHECK-NEXT: }
  // CHECK: for
  // CHECK: store_ptr_tko
  // CHECK: return
  entry @regions(%p: tile<ptr<i32>>, %n: tile<i32>, %c: tile<i1>, %d: tile<i1>) {
    %one = constant <i32: 1> : tile<i32>
    %0 = for %i in (%one to %n, step %one) : tile<i32> iter_values(%acc = %n) -> (tile<i32>) {
      %sum = addi %acc, %i : tile<i32>
      %v, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
      continue %sum : tile<i32>
    }
    if %d {
      %x = muli %n, %n : tile<i32>
    }
    if %c {
      return
    }
    for %i in (%one to %n, step %one) : tile<i32> {
      %t = store_ptr_tko weak %p, %i : tile<ptr<i32>>, tile<i32> -> token
      continue
    }
    return
  }

  // An arm that is not taken goes with its stores; what stood before stays.
  // CHECK-LABEL: @arms
  // CHECK-SAME: (%[[P:[a-z]+]]: tile<ptr<i32>>, %[[N:[a-z]+]]: tile<i32>)
  // CHECK: store_ptr_tko weak %[[P]], %[[N]] :
  // CHECK-NEXT: return
  // CHECK-NEXT: }
  entry @arms(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %false = constant <i1: false> : tile<i1>
    %zero = constant <i32: 0> : tile<i32>
    %t = store_ptr_tko weak %p, %n : tile<ptr<i32>>, tile<i32> -> token
    if %false {
      %u = store_ptr_tko weak %p, %zero token=%t : tile<ptr<i32>>, tile<i32> -> token
    } else {
      return
    }
    %v = store_ptr_tko weak %p, %zero token=%t : tile<ptr<i32>>, tile<i32> -> token
    return
  }

  // CHECK-LABEL: @tokens
  // CHECK: %[[T:.*]] = store_ptr_tko
  // CHECK-NEXT: store_ptr_tko weak %{{.*}}, %{{.*}} token=%[[T]]
  entry @tokens(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %t = store_ptr_tko weak %p, %n : tile<ptr<i32>>, tile<i32> -> token
    %u = join_tokens %t, %t, %t : token
    %v = store_ptr_tko weak %p, %n token=%u : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
