// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What the operations of the chapter Conversions reject.

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.bitcast' op types must be equal width, cannot convert '!cuda_tile.tile<4xi32>' of width 32 to type '!cuda_tile.tile<4xf16>' of width 16}}
  %0 = bitcast %x : tile<4xi32> -> tile<4xf16>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xptr<f32>>
  // expected-error@+1 {{'cuda_tile.bitcast' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got '!cuda_tile.tile<4xptr<f32>>'}}
  %0 = bitcast %x : tile<4xptr<f32>> -> tile<4xi64>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.exti' op extending to smaller or identical integer}}
  %0 = exti %x signed : tile<4xi32> -> tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f32>
  // expected-error@+1 {{'cuda_tile.ftof' op converting tiles must not be a no-op}}
  %0 = ftof %x : tile<f32> -> tile<f32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f32>
  // expected-error@+1 {{'cuda_tile.ftof' op invalid rounding mode specified for conversion to f8E8M0FNU. Only 'zero' and 'positive_inf' are supported}}
  %0 = ftof %x : tile<f32> -> tile<f8E8M0FNU>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f16>
  // expected-error@+1 {{'cuda_tile.ftof' op invalid rounding mode specified. Only 'nearest_even' is supported}}
  %0 = ftof %x rounding<zero> : tile<f16> -> tile<f32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f32>
  // expected-error@+1 {{'cuda_tile.ftof' op invalid rounding mode specified. Only 'nearest_even' and 'zero' are supported for narrowing conversions to standard types}}
  %0 = ftof %x rounding<negative_inf> : tile<f32> -> tile<f16>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.ftoi' op operand #0 must be tile of f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = ftoi %x signed : tile<4xi32> -> tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  // expected-error@+1 {{custom op 'cuda_tile.ftoi' expected rounding mode to be one of: 'nearest_int_to_zero', got: 'zero'}}
  %0 = ftoi %x signed rounding<zero> : tile<4xf32> -> tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  // expected-error@+1 {{'cuda_tile.ftoi' op failed to verify that all of {from, to} have same shape}}
  %0 = ftoi %x signed : tile<4xf32> -> tile<8xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.int_to_ptr' op operand #0 must be tile of i64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = int_to_ptr %x : tile<4xi32> -> tile<4xptr<f32>>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi64>
  // expected-error@+1 {{'cuda_tile.int_to_ptr' op failed to verify that all of {source, result} have same shape}}
  %0 = int_to_ptr %x : tile<4xi64> -> tile<8xptr<f32>>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<i32>
  // expected-error@+1 {{'cuda_tile.itof' op integer to f8E8M0FNU conversion is not supported, please first convert to another float type}}
  %0 = itof %x signed : tile<i32> -> tile<f8E8M0FNU>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<i32>
  // expected-error@+1 {{'cuda_tile.itof' op invalid rounding mode specified. Only 'nearest_even' is supported}}
  %0 = itof %x signed rounding<zero> : tile<i32> -> tile<f32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi64>
  // expected-error@+1 {{'cuda_tile.ptr_to_int' op operand #0 must be tile of Pointer type values, but got '!cuda_tile.tile<4xi64>'}}
  %0 = ptr_to_int %x : tile<4xi64> -> tile<4xi64>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xptr<f32>>
  // expected-error@+1 {{'cuda_tile.ptr_to_int' op result #0 must be tile of i64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = ptr_to_int %x : tile<4xptr<f32>> -> tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xptr<f32>>
  // expected-error@+1 {{'cuda_tile.ptr_to_ptr' op result #0 must be tile of Pointer type values, but got '!cuda_tile.tile<4xi64>'}}
  %0 = ptr_to_ptr %x : tile<4xptr<f32>> -> tile<4xi64>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xptr<f32>>
  // expected-error@+1 {{'cuda_tile.ptr_to_ptr' op failed to verify that all of {source, result} have same shape}}
  %0 = ptr_to_ptr %x : tile<4xptr<f32>> -> tile<2xptr<f16>>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi8>
  // expected-error@+1 {{'cuda_tile.trunci' op truncating to larger or identical integer}}
  %0 = trunci %x : tile<4xi8> -> tile<4xi32>
  return
}
