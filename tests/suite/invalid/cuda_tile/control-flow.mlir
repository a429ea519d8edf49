// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What the operations of the chapter Control Flow reject.

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x8xf32>
  %0 = reduce %x dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32> (%a: tile<f32>, %b: tile<f32>) {
    // expected-error@+1 {{use of undeclared SSA value name}}
    assert %arg1, "" : tile<i1>
    yield %a : tile<f32>
  }
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<i32>
  // expected-error@+1 {{'cuda_tile.assert' op operand #0 must be tile of i1 values, but got '!cuda_tile.tile<i32>'}}
  assert %x, "text" : tile<i32>
  return
}

// -----

// expected-note@+1 {{see unexpected ancestor operation}}
entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<i1>
  if %x {
    // expected-error@+1 {{'cuda_tile.break' op can only be nested within a ancestor chain of 'cuda_tile.loop', 'cuda_tile.if' operations}}
    break
  }
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.tile<i1>
  // expected-note@+1 {{see unexpected ancestor operation}}
  for %i in (%arg to %arg, step %arg) : tile<i32> {
    if %x {
      // expected-error@+1 {{'cuda_tile.break' op can only be nested within a ancestor chain of 'cuda_tile.loop', 'cuda_tile.if' operations}}
      break
    }
  }
  return
}

// -----

entry @k(%arg: tile<i32>) {
  loop {
    // expected-error@+1 {{'cuda_tile.break' op operand types must correspond to the parent loop result types: ('!cuda_tile.tile<i32>') vs ()}}
    break %arg : tile<i32>
  }
  return
}

// -----

// expected-note@+1 {{see unexpected ancestor operation}}
entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<i1>
  if %x {
    // expected-error@+1 {{'cuda_tile.continue' op can only be nested within a ancestor chain of 'cuda_tile.for', 'cuda_tile.loop', 'cuda_tile.if' operations}}
    continue
  }
  return
}

// -----

entry @k(%arg: tile<i32>) {
  loop {
    // expected-error@+1 {{`loop` is missing a valid terminator. `continue` op should have operand types that match the parent loop iter_values: (), but found: ('!cuda_tile.tile<i32>')}}
    continue %arg : tile<i32>
  }
  return
}

// -----

entry @k(%arg: tile<i32>) {
  for %i in (%arg to %arg, step %arg) : tile<i32> {
    // expected-error@+1 {{`for` is missing a valid terminator. `continue` op should have operand types that match the parent loop return types: (), but found: ('!cuda_tile.tile<i32>')}}
    continue %i : tile<i32>
  }
  return
}

// -----

entry @k(%arg: tile<i32>) {
  // expected-error@+1 {{custom op 'cuda_tile.for' mismatch in number of loop-carried values and defined values}}
  %0 = for %i in (%arg to %arg, step %arg) : tile<i32> iter_values(%a = %arg) -> (tile<i32>, tile<i32>) {
  }
  return
}

// -----

entry @k(%arg: tile<i32>) {
  // expected-note@+1 {{prior use here}}
  %x = "t.v"() : () -> !cuda_tile.tile<i64>
  // expected-error@+1 {{use of value '%x' expects different type than prior uses: '!cuda_tile.tile<i32>' vs '!cuda_tile.tile<i64>'}}
  for %i in (%arg to %x, step %arg) : tile<i32> {
  }
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.tile<i64>
  // expected-error@+1 {{'cuda_tile.for' op failed to verify that all of {lowerBound, upperBound, step} have same type}}
  "cuda_tile.for"(%arg, %x, %arg) ({
    ^bb0(%i: !cuda_tile.tile<i32>):
    "cuda_tile.continue"() : () -> ()
  }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i64>, !cuda_tile.tile<i32>) -> ()
  return
}

// -----

entry @k(%arg: tile<i32>) {
  // expected-error@+1 {{'cuda_tile.gdc_launch_dependents_tko' op operand #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
  %0 = "cuda_tile.gdc_launch_dependents_tko"(%arg) : (!cuda_tile.tile<i32>) -> !cuda_tile.token
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.token
  // expected-error@+1 {{'cuda_tile.gdc_launch_dependents_tko' op result #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
  %0 = gdc_launch_dependents_tko token = %x -> tile<i32>
  return
}

// -----

entry @k(%arg: tile<i32>) {
  // expected-error@+1 {{'cuda_tile.gdc_wait_tko' op operand #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
  %0 = "cuda_tile.gdc_wait_tko"(%arg) : (!cuda_tile.tile<i32>) -> !cuda_tile.token
  return
}

// -----

entry @k() {
  // expected-error@+1 {{'cuda_tile.gdc_wait_tko' op result #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
  %0 = "cuda_tile.gdc_wait_tko"() : () -> !cuda_tile.tile<i32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<i1>
  // expected-error@+1 {{'cuda_tile.if' op has return type of '!cuda_tile.tile<i32>' but then branch does not yield anything}}
  %0 = if %x -> (tile<i32>) {
  } else {
  }
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.tile<i1>
  // expected-error@+1 {{'cuda_tile.if' op does not return a value, but then branch yields '!cuda_tile.tile<i32>'}}
  if %x {
    yield %arg : tile<i32>
  }
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.tile<i1>
  // expected-error@+1 {{'cuda_tile.if' op type does not match yield type, then branch yields '!cuda_tile.tile<i32>' but op result type is '!cuda_tile.tile<i8>'}}
  %0 = if %x -> (tile<i8>) {
    yield %arg : tile<i32>
  } else {
    yield %arg : tile<i32>
  }
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.tile<i1>
  // expected-error@+1 {{'cuda_tile.if' op has non-empty return type, must define else branch}}
  %0 = if %x -> (tile<i32>) {
    yield %arg : tile<i32>
  }
  return
}

// -----

entry @k() {
  // expected-note@+1 {{prior use here}}
  %x = "t.v"() : () -> !cuda_tile.tile<2xi1>
  // expected-error@+1 {{use of value '%x' expects different type than prior uses: '!cuda_tile.tile<i1>' vs '!cuda_tile.tile<2xi1>'}}
  if %x {
  }
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tensor_view<f32>
  // expected-error@+1 {{'cuda_tile.loop' op result type 0 is a tensor_view, which is not supported}}
  %0 = loop : tensor_view<f32> {
    break %x : tensor_view<f32>
  }
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.tensor_view<f32>
  // expected-error@+1 {{'cuda_tile.loop' op loop-carried value 0 is a tensor_view, which is not supported}}
  %0 = loop iter_values(%a = %x) : tensor_view<f32> -> tile<i32> {
    break %arg : tile<i32>
  }
  return
}

// -----

entry @k(%arg: tile<i32>) {
  // expected-error@+1 {{custom op 'cuda_tile.loop' found different number of iter_values and types}}
  %0 = loop iter_values(%a = %arg, %b = %arg) : tile<i32> {
    break
  }
  return
}

// -----

entry @k() {
  loop {
    // expected-error@+1 {{'cuda_tile.return' op expects parent op to be one of 'cuda_tile.entry, cuda_tile.if', but got 'cuda_tile.loop'}}
    return
  }
  return
}

// -----

cuda_tile.module @m {
  entry @k() {
    // expected-error@+1 {{'cuda_tile.return' op must be the last operation in the parent block}}
    return
    return
  }
}

// -----

entry @k(%arg: tile<i32>) {
  // expected-error@+1 {{'cuda_tile.yield' op must be the last operation in the parent block}}
  yield %arg : tile<i32>
  return
}

// -----

entry @k() {
  loop {
    // expected-error@+1 {{'cuda_tile.yield' op expects parent op to be one of 'cuda_tile.if, cuda_tile.reduce, cuda_tile.scan', but got 'cuda_tile.loop'}}
    yield
  }
  return
}
