// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What the operations of the chapter Memory reject.

entry @k() {
  // expected-error@+1 {{'cuda_tile.alloca' op 'alignment' must be power of two}}
  %0 = alloca num_elem = 4, alignment = 3 : tile<ptr<f32>>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{'cuda_tile.alloca' op 'alignment' (2) must be at least the natural size (4 bytes) for element type 'f32'}}
  %0 = alloca num_elem = 4, alignment = 2 : tile<ptr<f32>>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{'cuda_tile.alloca' op attribute 'num_elem' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 0, but got -4 : i64}}
  %0 = alloca num_elem = -4, alignment = 2 : tile<ptr<f32>>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.token
  // expected-error@+1 {{'cuda_tile.join_tokens' op expect two or more tokens}}
  %0 = join_tokens %x : token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.token
  // expected-error@+1 {{'cuda_tile.join_tokens' op operand #1 must be variadic of cuda tile token type, but got '!cuda_tile.tile<i32>'}}
  %0 = "cuda_tile.join_tokens"(%x, %arg) : (!cuda_tile.token, !cuda_tile.tile<i32>) -> !cuda_tile.token
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<f32>>
  // expected-error@+1 {{'cuda_tile.load_ptr_tko' op expect one of: weak, relaxed, or acquire, but got: release}}
  %0, %1 = load_ptr_tko release sys %x : tile<ptr<f32>> -> tile<f32>, token
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<f32>>
  // expected-error@+1 {{'cuda_tile.load_ptr_tko' op weak load must not have memory scope}}
  %0, %1 = load_ptr_tko weak sys %x : tile<ptr<f32>> -> tile<f32>, token
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<f32>>
  // expected-error@+1 {{'cuda_tile.load_ptr_tko' op memory scope is required for relaxed load}}
  %0, %1 = load_ptr_tko relaxed %x : tile<ptr<f32>> -> tile<f32>, token
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<f32>>
  // expected-error@+1 {{'cuda_tile.load_ptr_tko' op failed to verify that `source` type is expected a pointer type of `result` type}}
  %0, %1 = load_ptr_tko weak %x : tile<ptr<f32>> -> tile<i32>, token
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<f32>>
  %y = "t.v"() : () -> !cuda_tile.tile<2xi1>
  // expected-error@+1 {{'cuda_tile.load_ptr_tko' op failed to verify that shape of 'mask' must match the shape of 'source'}}
  %0, %1 = load_ptr_tko weak %x, %y : tile<ptr<f32>>, tile<2xi1> -> tile<f32>, token
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<f32>>
  %y = "t.v"() : () -> !cuda_tile.tile<i1>
  %z = "t.v"() : () -> !cuda_tile.tile<f16>
  // expected-error@+1 {{'cuda_tile.load_ptr_tko' op failed to verify that type of 'paddingValue' must match the type of 'result'}}
  %0, %1 = load_ptr_tko weak %x, %y, %z : tile<ptr<f32>>, tile<i1>, tile<f16> -> tile<f32>, token
  return
}

// -----

entry @k() {
  // expected-error@+1 {{'cuda_tile.make_token' op result #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
  %0 = make_token : tile<i32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.token
  // expected-error@+1 {{'cuda_tile.make_token' op requires zero operands, but found 1}}
  %0 = "cuda_tile.make_token"(%x) : (!cuda_tile.token) -> !cuda_tile.token
  return
}

// -----

entry @k() {
  // expected-error@+1 {{'cuda_tile.memory_fence_alias_tko' op requires a single operand, but found 0}}
  %0 = "cuda_tile.memory_fence_alias_tko"() : () -> !cuda_tile.token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  // expected-error@+1 {{'cuda_tile.memory_fence_alias_tko' op operand #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
  %0 = "cuda_tile.memory_fence_alias_tko"(%arg) : (!cuda_tile.tile<i32>) -> !cuda_tile.token
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<f32>>
  %y = "t.v"() : () -> !cuda_tile.tile<f32>
  // expected-error@+1 {{'cuda_tile.store_ptr_tko' op expect one of: weak, relaxed, or release, but got: acquire}}
  %0 = store_ptr_tko acquire sys %x, %y : tile<ptr<f32>>, tile<f32> -> token
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<f32>>
  %y = "t.v"() : () -> !cuda_tile.tile<f16>
  // expected-error@+1 {{'cuda_tile.store_ptr_tko' op failed to verify that `destination` type is expected a pointer type of `value` type}}
  %0 = store_ptr_tko weak %x, %y : tile<ptr<f32>>, tile<f16> -> token
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<f32>>
  %y = "t.v"() : () -> !cuda_tile.tile<f32>
  %z = "t.v"() : () -> !cuda_tile.tile<2xi1>
  // expected-error@+1 {{'cuda_tile.store_ptr_tko' op failed to verify that shape of 'destination' must match the shape of 'mask'}}
  %0 = store_ptr_tko weak %x, %y, %z : tile<ptr<f32>>, tile<f32>, tile<2xi1> -> token
  return
}
