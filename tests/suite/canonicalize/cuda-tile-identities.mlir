// RUN: tile-opt %s --canonicalize --allow-unregistered-dialect | FileCheck %s

// What an operation comes to although not all of its operands are known.

cuda_tile.module @identities {
  // CHECK-LABEL: @integers
  // CHECK-SAME: (%[[X:.*]]: tile<i32>, %[[C:.*]]: tile<i1>)
  // CHECK-DAG: %[[ZERO:.*]] = constant <i32: 0> : tile<i32>
  // CHECK-DAG: %[[MAX:.*]] = constant <i32: 2147483647> : tile<i32>
  // CHECK-DAG: %[[FALSE:.*]] = constant <i1: false> : tile<i1>
  // CHECK-DAG: %[[TRUE:.*]] = constant <i1: true> : tile<i1>
  // CHECK-NEXT: "t.use"(%[[X]], %[[X]], %[[ZERO]], %[[X]], %[[X]], %[[ZERO]], %[[ZERO]], %[[ZERO]], %[[X]])
  // CHECK-NEXT: "t.use"(%[[MAX]], %[[X]], %[[FALSE]], %[[TRUE]], %[[TRUE]], %[[X]], %[[X]], %[[C]])
  entry @integers(%x: tile<i32>, %c: tile<i1>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %max = constant <i32: 2147483647> : tile<i32>
    // The constant goes to the right first.
    %sum = addi %zero, %x overflow<no_wrap> : tile<i32>
    %product = muli %one, %x : tile<i32>
    %nothing = muli %x, %zero : tile<i32>
    %quotient = divi %x, %one unsigned rounding<positive_inf> : tile<i32>
    %shifted = shli %x, %zero : tile<i32>
    %rest = remi %x, %one signed : tile<i32>
    %apart = xori %x, %x : tile<i32>
    %difference = subi %x, %x : tile<i32>
    %both = andi %x, %x : tile<i32>
    "t.use"(%sum, %product, %nothing, %quotient, %shifted, %rest, %apart, %difference, %both) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
    %larger = maxi %max, %x signed : tile<i32>
    %smaller = mini %x, %max signed : tile<i32>
    %less = cmpi less_than %x, %zero, unsigned : tile<i32> -> tile<i1>
    %atMost = cmpi less_than_or_equal %x, %max, signed : tile<i32> -> tile<i1>
    %itself = cmpi equal %x, %x, signed : tile<i32> -> tile<i1>
    %minus = negi %x : tile<i32>
    %back = negi %minus : tile<i32>
    %wide = exti %x signed : tile<i32> -> tile<i64>
    %narrow = trunci %wide : tile<i64> -> tile<i32>
    %yes = constant <i1: true> : tile<i1>
    %truth = andi %c, %yes : tile<i1>
    "t.use"(%larger, %smaller, %less, %atMost, %itself, %back, %narrow, %truth) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i1>, !cuda_tile.tile<i1>, !cuda_tile.tile<i1>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i1>) -> ()
    return
  }

  // Of a float that comes from anywhere only the sign may be changed back, and its comparison with a NaN or itself, where the order does not matter, be known.
  // CHECK-LABEL: @any_float
  // CHECK-SAME: (%[[X:.*]]: tile<f32>)
  // CHECK-DAG: %[[FALSE:.*]] = constant <i1: false> : tile<i1>
  // CHECK-DAG: %[[TRUE:.*]] = constant <i1: true> : tile<i1>
  // CHECK: %[[ABS:.*]] = absf %[[X]] : tile<f32>
  // CHECK-NEXT: %[[SAME:.*]] = mulf %[[X]], %{{.*}} : tile<f32>
  // CHECK-NEXT: %[[ORDERED:.*]] = cmpf equal ordered %[[X]], %[[X]]
  // CHECK-NEXT: "t.use"(%[[X]], %[[ABS]], %[[SAME]], %[[ORDERED]], %[[TRUE]], %[[FALSE]], %[[TRUE]])
  entry @any_float(%x: tile<f32>) {
    %one = constant <f32: 1.0> : tile<f32>
    %nan = constant <f32: 0x7FC00000> : tile<f32>
    %minus = negf %x : tile<f32>
    %back = negf %minus : tile<f32>
    %abs = absf %minus : tile<f32>
    %abs2 = absf %abs : tile<f32>
    // A NaN that is not canonical would become so.
    %same = mulf %x, %one : tile<f32>
    %ordered = cmpf equal ordered %x, %x : tile<f32> -> tile<i1>
    %unordered = cmpf equal unordered %x, %x : tile<f32> -> tile<i1>
    %no = cmpf not_equal ordered %x, %nan : tile<f32> -> tile<i1>
    %yes = cmpf less_than unordered %nan, %nan : tile<f32> -> tile<i1>
    "t.use"(%back, %abs2, %same, %ordered, %unordered, %no, %yes) : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<i1>, !cuda_tile.tile<i1>, !cuda_tile.tile<i1>, !cuda_tile.tile<i1>) -> ()
    return
  }

  // The result of arithmetic is canonical. The zero that is added must have the sign that the rounding mode favours, and flushing keeps everything.
  // CHECK-LABEL: @computed_float
  // CHECK: %[[S:.*]] = addf
  // CHECK-NEXT: %[[PLUS:.*]] = addf %[[S]], %{{.*}} : tile<f32>
  // CHECK-NEXT: %[[DOWN:.*]] = addf %[[S]], %{{.*}} rounding<negative_inf> : tile<f32>
  // CHECK-NEXT: %[[FLUSH:.*]] = mulf %[[S]], %{{.*}} flush_to_zero : tile<f32>
  // CHECK-NEXT: %[[MAX:.*]] = maxf %[[S]], %{{.*}} : tile<f32>
  // CHECK-NEXT: "t.use"(%[[S]], %[[S]], %[[S]], %[[S]], %[[S]], %[[S]], %[[PLUS]], %[[DOWN]], %[[FLUSH]], %[[MAX]])
  entry @computed_float(%x: tile<f32>, %y: tile<f32>) {
    %one = constant <f32: 1.0> : tile<f32>
    %zero = constant <f32: 0.0> : tile<f32>
    %minus0 = constant <f32: -0.0> : tile<f32>
    %low = constant <f32: 0xFF800000> : tile<f32>
    %s = addf %x, %y : tile<f32>
    %0 = addf %minus0, %s : tile<f32>
    %1 = addf %s, %zero rounding<negative_inf> : tile<f32>
    %2 = subf %s, %zero : tile<f32>
    %3 = mulf %s, %one rounding<zero> : tile<f32>
    %4 = divf %s, %one : tile<f32>
    %5 = maxf %s, %low propagate_nan : tile<f32>
    %6 = addf %s, %zero : tile<f32>
    %7 = addf %s, %minus0 rounding<negative_inf> : tile<f32>
    %8 = mulf %s, %one flush_to_zero : tile<f32>
    // A NaN would become the infinity.
    %9 = maxf %s, %low : tile<f32>
    "t.use"(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9) : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> ()
    return
  }

  // A product goes to the left of a sum, unless both are. The two are not fused here.
  // CHECK-LABEL: @sums
  // CHECK: %[[P:.*]] = mulf
  // CHECK: %[[Q:.*]] = mulf
  // CHECK-NOT: fma
  // CHECK: addf %[[P]], %[[Z:.*]] rounding<zero> : tile<f32>
  // CHECK-NEXT: addf %[[P]], %[[Q]] : tile<f32>
  // CHECK-NEXT: addf %[[Q]], %[[P]] : tile<f32>
  // CHECK-NEXT: addf %[[P]], %[[Z]] : tile<f32>
  // CHECK-NEXT: addf %[[P]], %[[C:.*]] : tile<f32>
  entry @sums(%x: tile<f32>, %y: tile<f32>, %z: tile<f32>) {
    %c = constant <f32: 3.0> : tile<f32>
    %p = mulf %x, %y : tile<f32>
    %q = mulf %z, %y : tile<f32>
    %0 = addf %z, %p rounding<zero> : tile<f32>
    %1 = addf %p, %q : tile<f32>
    %2 = addf %q, %p : tile<f32>
    %3 = addf %p, %z : tile<f32>
    %4 = addf %c, %p : tile<f32>
    "t.use"(%0, %1, %2, %3, %4) : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> ()
    return
  }

  // CHECK-LABEL: @pointers
  // CHECK-SAME: (%[[P:.*]]: tile<ptr<f32>>, %[[I:.*]]: tile<i64>)
  // CHECK-NEXT: %[[D:.*]] = ptr_to_ptr %[[P]] : tile<ptr<f32>> -> tile<ptr<f64>>
  // CHECK-NEXT: "t.use"(%[[P]], %[[P]], %[[I]], %[[P]], %[[D]])
  entry @pointers(%p: tile<ptr<f32>>, %i: tile<i64>) {
    %zero = constant <i32: 0> : tile<i32>
    %0 = offset %p, %zero : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %n = ptr_to_int %p : tile<ptr<f32>> -> tile<i64>
    %1 = int_to_ptr %n : tile<i64> -> tile<ptr<f32>>
    %q = int_to_ptr %i : tile<i64> -> tile<ptr<f32>>
    %2 = ptr_to_int %q : tile<ptr<f32>> -> tile<i64>
    %b = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<i8>>
    %3 = ptr_to_ptr %b : tile<ptr<i8>> -> tile<ptr<f32>>
    %4 = ptr_to_ptr %b : tile<ptr<i8>> -> tile<ptr<f64>>
    "t.use"(%0, %1, %2, %3, %4) : (!cuda_tile.tile<!cuda_tile.ptr<f32>>, !cuda_tile.tile<!cuda_tile.ptr<f32>>, !cuda_tile.tile<i64>, !cuda_tile.tile<!cuda_tile.ptr<f32>>, !cuda_tile.tile<!cuda_tile.ptr<f64>>) -> ()
    return
  }

  // An assumption is kept, also about what is known, and repeated once at most.
  // CHECK-LABEL: @assumptions
  // CHECK-SAME: (%[[P:.*]]: tile<ptr<f32>>, %[[N:.*]]: tile<i32>, %[[T:.*]]: tile<i32>)
  // CHECK: %[[KNOWN:.*]] = assume div_by<4>, %{{.*}} : tile<i32>
  // CHECK-NEXT: %[[A:.*]] = assume div_by<16>, %[[P]] : tile<ptr<f32>>
  // CHECK-NEXT: %[[B:.*]] = assume div_by<8>, %[[A]] : tile<ptr<f32>>
  // CHECK-NEXT: %[[BOUND:.*]] = assume bounded<0, 42>, %[[N]] : tile<i32>
  // CHECK-NEXT: "t.use"(%[[KNOWN]], %[[B]], %[[BOUND]])
  entry @assumptions(%p: tile<ptr<f32>>, %n: tile<i32>, %t: tile<i32>) {
    %eight = constant <i32: 8> : tile<i32>
    %0 = assume div_by<4>, %eight : tile<i32>
    %1 = assume div_by<16>, %p : tile<ptr<f32>>
    %2 = assume div_by<16>, %1 : tile<ptr<f32>>
    %3 = assume div_by<8>, %2 : tile<ptr<f32>>
    %4 = assume bounded<0, 42>, %n : tile<i32>
    %5 = assume bounded<0, 42>, %4 : tile<i32>
    // Nobody uses this one.
    %6 = assume bounded<0, 7>, %t : tile<i32>
    "t.use"(%0, %3, %5) : (!cuda_tile.tile<i32>, !cuda_tile.tile<!cuda_tile.ptr<f32>>, !cuda_tile.tile<i32>) -> ()
    return
  }
}
