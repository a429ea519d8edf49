// RUN: tile-opt %s --loop-to-for | FileCheck %s
// RUN: tile-opt %s --loop-to-for --remarks 2>&1 | FileCheck %s --check-prefix=REMARK

cuda_tile.module @m {

// What cuTile Python makes of while i < n: i += 1. The counter cannot wrap around below n.
// CHECK-LABEL: entry @counts
// CHECK-NOT: loop
// CHECK: %[[R:.*]] = for %i in (%zero to %n, step %{{.*}}) : tile<i32> iter_values(%a = %zero) -> (tile<i32>) {
// CHECK-NEXT: %[[B:.*]] = addi %a, %i
// CHECK-NEXT: addi %i, %one
// CHECK-NEXT: continue %[[B]] : tile<i32>
// CHECK: store_ptr_tko weak %p, %[[R]]
// REMARK: remark: loop counts, and is a for{{$}}
entry @counts(%p: tile<ptr<i32>>, %n: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %r:2 = loop iter_values(%i = %zero, %a = %zero) : tile<i32>, tile<i32> -> tile<i32>, tile<i32> {
    %c = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
    if %c {
    } else {
      break %i, %a : tile<i32>, tile<i32>
    }
    %b = addi %a, %i : tile<i32>
    %j = addi %i, %one : tile<i32>
    continue %j, %b : tile<i32>, tile<i32>
  }
  %t = store_ptr_tko weak %p, %r#1 : tile<ptr<i32>>, tile<i32> -> token
  return
}

// With a step that is a number of tile blocks the counter may wrap around: the loop stays, and tests again.
// CHECK-LABEL: entry @strides
// CHECK: loop iter_values(%i = %x, %a = %zero)
// CHECK: %[[F:.*]]:2 = for %{{.*}} in (%i to %n, step %gx) : tile<i32> iter_values(%{{.*}} = %i, %{{.*}} = %a)
// CHECK: cmpi less_than %[[F]]#0, %n, signed
// CHECK: break %[[F]]#1
// CHECK: continue %[[F]]#0, %[[F]]#1
// REMARK: remark: loop counts, and is a for, in a loop for the case that its counter wraps around
entry @strides(%p: tile<ptr<i32>>, %n: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %gx, %gy, %gz = get_num_tile_blocks : tile<i32>
  %r = loop iter_values(%i = %x, %a = %zero) : tile<i32>, tile<i32> -> tile<i32> {
    %c = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
    if %c {
    } else {
      break %a : tile<i32>
    }
    %b = addi %a, %i : tile<i32>
    %j = addi %i, %gx : tile<i32>
    continue %j, %b : tile<i32>, tile<i32>
  }
  %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
  return
}

// while start <= i and i < end: the first part holds throughout if it holds at the beginning.
// CHECK-LABEL: entry @between
// CHECK-NOT: loop
// CHECK: %[[G:.*]] = cmpi greater_than_or_equal %from, %start, signed
// CHECK: %[[U:.*]] = select %[[G]], %n, %from
// CHECK: for %{{.*}} in (%from to %[[U]], step
// REMARK: remark: loop counts, and is a for{{$}}
entry @between(%p: tile<ptr<i32>>, %from: tile<i32>, %start: tile<i32>, %n: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %r = loop iter_values(%i = %from, %a = %zero) : tile<i32>, tile<i32> -> tile<i32> {
    %c = cmpi greater_than_or_equal %i, %start, signed : tile<i32> -> tile<i1>
    %d = if %c -> (tile<i1>) {
      %e = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
      yield %e : tile<i1>
    } else {
      yield %c : tile<i1>
    }
    if %d {
    } else {
      break %a : tile<i32>
    }
    %b = addi %a, %i : tile<i32>
    %j = addi %i, %one : tile<i32>
    continue %j, %b : tile<i32>, tile<i32>
  }
  %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
  return
}

// A counter that falls: its complement grows. Iterations may end early, and the last number is asked for.
// CHECK-LABEL: entry @falls
// CHECK-NOT: loop
// CHECK-DAG: %[[L:.*]] = xori %n, %
// CHECK-DAG: %[[U:.*]] = xori %zero, %
// CHECK: %[[F:.*]]:2 = for unsigned %[[I:.*]] in (%[[L]] to %[[U]], step %{{.*}}) : tile<i32> iter_values(%{{.*}} = %n, %{{.*}} = %zero)
// CHECK: %[[J:.*]] = xori %[[I]], %
// CHECK: %[[N:.*]] = subi %[[J]], %one
// CHECK: continue %[[N]]
// CHECK: store_ptr_tko weak %p, %[[F]]#0
// REMARK: remark: loop counts, and is a for{{$}}
entry @falls(%p: tile<ptr<i32>>, %n: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %r:2 = loop iter_values(%i = %n, %a = %zero) : tile<i32>, tile<i32> -> tile<i32>, tile<i32> {
    %c = cmpi less_than_or_equal %i, %zero, unsigned : tile<i32> -> tile<i1>
    if %c {
      break %i, %a : tile<i32>, tile<i32>
    }
    %j = subi %i, %one : tile<i32>
    %k = cmpi equal %a, %n, signed : tile<i32> -> tile<i1>
    if %k {
      continue %j, %n : tile<i32>, tile<i32>
    }
    %b = addi %a, %i : tile<i32>
    continue %j, %b : tile<i32>, tile<i32>
  }
  %t = store_ptr_tko weak %p, %r#0 : tile<ptr<i32>>, tile<i32> -> token
  return
}

// The step may be negative.
// CHECK-LABEL: entry @unchanged_step
// CHECK-NOT: for
// REMARK: remark: loop has no counter, so that it is not pipelined: its step is not known to be positive
entry @unchanged_step(%p: tile<ptr<i32>>, %n: tile<i32>, %s: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %r = loop iter_values(%i = %zero) : tile<i32> -> tile<i32> {
    %c = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
    if %c {
    } else {
      break %i : tile<i32>
    }
    %j = addi %i, %s : tile<i32>
    continue %j : tile<i32>
  }
  %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
  return
}

// CHECK-LABEL: entry @unchanged_second_break
// CHECK-NOT: for
// REMARK: 'cuda_tile.break' leaves it at another place than its head too
entry @unchanged_second_break(%p: tile<ptr<i32>>, %n: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %r = loop iter_values(%i = %zero) : tile<i32> -> tile<i32> {
    %c = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
    if %c {
    } else {
      break %i : tile<i32>
    }
    %v, %u = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
    %d = cmpi equal %v, %i, signed : tile<i32> -> tile<i1>
    if %d {
      break %v : tile<i32>
    }
    %j = addi %i, %one : tile<i32>
    continue %j : tile<i32>
  }
  %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
  return
}

// What ends it is found in memory.
// CHECK-LABEL: entry @unchanged_search
// CHECK-NOT: for
// REMARK: 'cuda_tile.load_ptr_tko' is before the test that ends it
entry @unchanged_search(%p: tile<ptr<i32>>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %r = loop iter_values(%i = %zero) : tile<i32> -> tile<i32> {
    %q = offset %p, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v, %u = load_ptr_tko weak %q : tile<ptr<i32>> -> tile<i32>, token
    %c = cmpi equal %v, %zero, signed : tile<i32> -> tile<i1>
    if %c {
      break %i : tile<i32>
    }
    %j = addi %i, %one : tile<i32>
    continue %j : tile<i32>
  }
  %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
  return
}

// i <= n goes on for ever where n is the largest number, and a for would not; i != n may begin beyond n.
// CHECK-LABEL: entry @unchanged_last
// CHECK-NOT: for
// REMARK: its bound, which the counter must pass, may be the last number there is
// REMARK: its counter is compared for equality, which it may step over
entry @unchanged_last(%p: tile<ptr<i32>>, %n: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %r = loop iter_values(%i = %zero) : tile<i32> -> tile<i32> {
    %c = cmpi less_than_or_equal %i, %n, signed : tile<i32> -> tile<i1>
    if %c {
    } else {
      break %i : tile<i32>
    }
    %j = addi %i, %one : tile<i32>
    continue %j : tile<i32>
  }
  %s = loop iter_values(%i = %r) : tile<i32> -> tile<i32> {
    %c = cmpi not_equal %i, %n, signed : tile<i32> -> tile<i1>
    if %c {
    } else {
      break %i : tile<i32>
    }
    %j = addi %i, %one : tile<i32>
    continue %j : tile<i32>
  }
  %t = store_ptr_tko weak %p, %s : tile<ptr<i32>>, tile<i32> -> token
  return
}


// One way to the next iteration promises that the sum does not wrap around, the other does not: the loop stays around the for.
// CHECK-LABEL: entry @half_a_promise
// CHECK: loop iter_values
// CHECK: for
// REMARK: remark: loop counts, and is a for, in a loop for the case that its counter wraps around
entry @half_a_promise(%p: tile<ptr<i32>>, %n: tile<i32>, %s: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %seven = constant <i32: 7> : tile<i32>
  %r:2 = loop iter_values(%i = %zero, %a = %zero) : tile<i32>, tile<i32> -> tile<i32>, tile<i32> {
    %c = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
    if %c {
    } else {
      break %i, %a : tile<i32>, tile<i32>
    }
    %b = addi %a, %i : tile<i32>
    %odd = cmpi less_than %b, %s, signed : tile<i32> -> tile<i1>
    if %odd {
      %j = addi %i, %seven overflow<no_signed_wrap> : tile<i32>
      continue %j, %b : tile<i32>, tile<i32>
    }
    %k = addi %i, %seven : tile<i32>
    continue %k, %b : tile<i32>, tile<i32>
  }
  %t = store_ptr_tko weak %p, %r#1 : tile<ptr<i32>>, tile<i32> -> token
  return
}

// The bound of one loop, and what a condition of it is made of, are results of another one that becomes a for too.
// CHECK-LABEL: entry @one_after_the_other
// CHECK-NOT: loop
// CHECK: %[[A:.*]] = for %i in (%zero to %n, step
// CHECK: cmpi greater_than %[[A]], %n
// CHECK: for %i in (%zero to %{{.*}}, step
// REMARK: remark: loop counts, and is a for{{$}}
// REMARK: remark: loop counts, and is a for{{$}}
entry @one_after_the_other(%p: tile<ptr<i32>>, %n: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %q = loop iter_values(%i = %zero) : tile<i32> -> tile<i32> {
    %c = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
    if %c {
    } else {
      break %i : tile<i32>
    }
    %k = addi %i, %one : tile<i32>
    continue %k : tile<i32>
  }
  %r = loop iter_values(%i = %zero) : tile<i32> -> tile<i32> {
    %d = cmpi greater_than %q, %n, signed : tile<i32> -> tile<i1>
    %e = cmpi less_than %i, %q, signed : tile<i32> -> tile<i1>
    %c = andi %d, %e : tile<i1>
    if %c {
    } else {
      break %i : tile<i32>
    }
    %k = addi %i, %one : tile<i32>
    continue %k : tile<i32>
  }
  %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
  return
}

// What a for counts beside its own counter is computed from that, also where it was a loop before.
// CHECK-LABEL: entry @beside
// CHECK: for %i in (%a to %b, step %c128) : tile<i32> iter_values(%n = %m, %{{.*}} = %zero)
// CHECK: %[[D:.*]] = subi %i, %a
// CHECK: %[[S:.*]] = constant <i32: 7>
// CHECK: %[[Q:.*]] = shri %[[D]], %[[S]] unsigned
// CHECK: %[[N:.*]] = addi %m, %[[Q]]
// CHECK: addi %s, %[[N]]
entry @beside(%p: tile<ptr<i32>>, %a: tile<i32>, %b: tile<i32>, %m: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %c128 = constant <i32: 128> : tile<i32>
  %r:2 = for %i in (%a to %b, step %c128) : tile<i32> iter_values(%n = %m, %s = %zero) -> (tile<i32>, tile<i32>) {
    %next = addi %s, %n : tile<i32>
    %n2 = addi %n, %one : tile<i32>
    continue %n2, %next : tile<i32>, tile<i32>
  }
  %t = store_ptr_tko weak %p, %r#1 : tile<ptr<i32>>, tile<i32> -> token
  return
}

// Nobody reads this one but its own step, and that is no power of two.
// CHECK-LABEL: entry @unchanged_beside
// CHECK-NOT: shri
// CHECK-NOT: subi
entry @unchanged_beside(%p: tile<ptr<i32>>, %a: tile<i32>, %b: tile<i32>, %m: tile<i32>) {
  %one = constant <i32: 1> : tile<i32>
  %three = constant <i32: 3> : tile<i32>
  %r:2 = for %i in (%a to %b, step %one) : tile<i32> iter_values(%n = %m, %k = %m) -> (tile<i32>, tile<i32>) {
    %n2 = addi %n, %one : tile<i32>
    %k2 = addi %k, %three : tile<i32>
    %t = store_ptr_tko weak %p, %k : tile<ptr<i32>>, tile<i32> -> token
    continue %n2, %k2 : tile<i32>, tile<i32>
  }
  return
}

// A kernel that returns early returns once, at its end. What follows is the arm that goes on.
// CHECK-LABEL: entry @early
// CHECK: if %c {
// CHECK-NOT: return
// CHECK: } else {
// CHECK-NEXT: for %{{.*}} in
// CHECK: store_ptr_tko weak %p, %a
// CHECK: }
// CHECK-NEXT: }
// CHECK-NEXT: return
entry @early(%p: tile<ptr<i32>>, %a: tile<i32>, %n: tile<i32>, %c: tile<i1>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  if %c {
    return
  }
  for %i in (%zero to %n, step %one) : tile<i32> {
    %t = store_ptr_tko weak %p, %a : tile<ptr<i32>>, tile<i32> -> token
  }
  return
}

// A loop that runs once is its body. What follows an early break becomes the arm that goes on.
// CHECK-LABEL: entry @once
// CHECK-NOT: loop
// CHECK: %[[R:.*]]:2 = if %c -> (tile<i32>, tile<i32>) {
// CHECK-NEXT: yield %a, %b
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[S:.*]] = addi %a, %b
// CHECK-NEXT: %[[Q:.*]]:2 = if %d -> (tile<i32>, tile<i32>) {
// CHECK-NEXT: %[[T:.*]] = muli %[[S]], %[[S]]
// CHECK-NEXT: %[[U:.*]] = addi %[[T]], %b
// CHECK-NEXT: yield %[[U]], %a
// CHECK-NEXT: } else {
// CHECK-NEXT: yield %[[S]], %[[S]]
// CHECK-NEXT: }
// CHECK-NEXT: yield %[[Q]]#0, %[[Q]]#1
// CHECK-NEXT: }
// CHECK: addi %[[R]]#0, %[[R]]#1
entry @once(%p: tile<ptr<i32>>, %a: tile<i32>, %b: tile<i32>, %c: tile<i1>, %d: tile<i1>) {
  %r:2 = loop iter_values(%i = %a) : tile<i32> -> tile<i32>, tile<i32> {
    if %c {
      break %i, %b : tile<i32>, tile<i32>
    }
    %s = addi %i, %b : tile<i32>
    %x = if %d -> (tile<i32>) {
      %t = muli %s, %s : tile<i32>
      yield %t : tile<i32>
    } else {
      break %s, %s : tile<i32>, tile<i32>
    }
    %y = addi %x, %b : tile<i32>
    break %y, %i : tile<i32>, tile<i32>
  }
  %z = addi %r#0, %r#1 : tile<i32>
  %t = store_ptr_tko weak %p, %z : tile<ptr<i32>>, tile<i32> -> token
  return
}

// Not this one: what follows the if is reached from two places, and code would be there twice.
// CHECK-LABEL: entry @unchanged_meets
// CHECK: loop
entry @unchanged_meets(%p: tile<ptr<i32>>, %a: tile<i32>, %b: tile<i32>, %c: tile<i1>, %d: tile<i1>) {
  %r = loop iter_values(%i = %a) : tile<i32> -> tile<i32> {
    if %c {
      if %d {
        break %i : tile<i32>
      }
      yield
    }
    %s = addi %i, %b : tile<i32>
    break %s : tile<i32>
  }
  %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
  return
}

// A for from a number to that plus a step runs once, if the sum cannot wrap around.
// CHECK-LABEL: entry @one_trip
// CHECK-NOT: for
// CHECK: %[[LO:.*]] = muli %x, %c64
// CHECK: %[[S:.*]] = addi %a, %[[LO]]
// CHECK: store_ptr_tko weak %p, %[[S]]
entry @one_trip(%p: tile<ptr<i32>>, %a: tile<i32>) {
  %c64 = constant <i32: 64> : tile<i32>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %lo = muli %x, %c64 : tile<i32>
  %hi = addi %c64, %lo : tile<i32>
  %r = for %i in (%lo to %hi, step %c64) : tile<i32> iter_values(%s = %a) -> (tile<i32>) {
    %t = addi %s, %i : tile<i32>
    continue %t : tile<i32>
  }
  %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
  return
}

// The condition around it excludes that the sum wraps around.
// CHECK-LABEL: entry @one_trip_guarded
// CHECK-NOT: for
// CHECK: if %{{.*}} -> (tile<i32>) {
// CHECK-NEXT: addi %n, %c64
// CHECK-NEXT: addi %a, %n
entry @one_trip_guarded(%p: tile<ptr<i32>>, %a: tile<i32>, %n: tile<i32>) {
  %c64 = constant <i32: 64> : tile<i32>
  %most = constant <i32: 1000> : tile<i32>
  %c = cmpi less_than %n, %most, signed : tile<i32> -> tile<i1>
  %r = if %c -> (tile<i32>) {
    %hi = addi %n, %c64 : tile<i32>
    %q = for %i in (%n to %hi, step %c64) : tile<i32> iter_values(%s = %a) -> (tile<i32>) {
      %t = addi %s, %i : tile<i32>
      continue %t : tile<i32>
    }
    yield %q : tile<i32>
  } else {
    yield %a : tile<i32>
  }
  %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
  return
}

// These stay: a sum that may wrap around, a sum of two steps, one that wraps around as an unsigned number, and an
// iteration that ends early.
// CHECK-LABEL: entry @unchanged_trips
// CHECK: for %{{.*}} in (%a to
// CHECK: for %{{.*}} in (%lo to
// CHECK: for unsigned %{{.*}} in (%lo to
// CHECK: for %{{.*}} in (%lo to
entry @unchanged_trips(%p: tile<ptr<i32>>, %a: tile<i32>, %c: tile<i1>) {
  %c64 = constant <i32: 64> : tile<i32>
  %c65 = constant <i32: 65> : tile<i32>
  %least = constant <i32: -2000000000> : tile<i32>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %lo = muli %x, %c64 : tile<i32>
  %ha = addi %a, %c64 : tile<i32>
  %hb = addi %lo, %c65 : tile<i32>
  %hc = addi %lo, %least : tile<i32>
  %hd = addi %lo, %c64 : tile<i32>
  %r = for %i in (%a to %ha, step %c64) : tile<i32> iter_values(%s = %a) -> (tile<i32>) {
    %t = addi %s, %i : tile<i32>
    continue %t : tile<i32>
  }
  %r1 = for %i in (%lo to %hb, step %c64) : tile<i32> iter_values(%s = %r) -> (tile<i32>) {
    %t = addi %s, %i : tile<i32>
    continue %t : tile<i32>
  }
  %r2 = for unsigned %i in (%lo to %hc, step %c64) : tile<i32> iter_values(%s = %r1) -> (tile<i32>) {
    %t = addi %s, %i : tile<i32>
    continue %t : tile<i32>
  }
  %r3 = for %i in (%lo to %hd, step %c64) : tile<i32> iter_values(%s = %r2) -> (tile<i32>) {
    if %c {
      continue %s : tile<i32>
    }
    %t = addi %s, %i : tile<i32>
    continue %t : tile<i32>
  }
  %t = store_ptr_tko weak %p, %r3 : tile<ptr<i32>>, tile<i32> -> token
  return
}

}
