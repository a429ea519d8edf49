// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What the operations of the chapter Floating Point reject.

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.absf' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = absf %x : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf8E4M3FN>
  // expected-error@+1 {{'cuda_tile.absf' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xf8E4M3FN>'}}
  %0 = absf %x : tile<4xf8E4M3FN>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.addf' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = addf %x, %y : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f32>
  %y = "t.v"() : () -> !cuda_tile.tile<f32>
  // expected-error@+1 {{'cuda_tile.addf' op invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf]}}
  %0 = "cuda_tile.addf"(%x, %y) <{rounding_mode = #cuda_tile.rounding<approx>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f32>
  %y = "t.v"() : () -> !cuda_tile.tile<f32>
  // expected-error@+1 {{'cuda_tile.addf' op requires attribute 'rounding_mode'}}
  %0 = "cuda_tile.addf"(%x, %y) : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f32>
  %y = "t.v"() : () -> !cuda_tile.tile<f32>
  // expected-error@+1 {{custom op 'cuda_tile.addf' expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', got: 'full'}}
  %0 = addf %x, %y rounding<full> : tile<f32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.atan2' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = atan2 %x, %y : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xf16>
  // expected-error@+1 {{'cuda_tile.atan2' op failed to verify that all of {x, y, result} have same type}}
  %0 = "cuda_tile.atan2"(%x, %y) : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf16>) -> !cuda_tile.tile<4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.ceil' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = ceil %x : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f32>
  %y = "t.v"() : () -> !cuda_tile.tile<f32>
  // expected-error@+1 {{custom op 'cuda_tile.cmpf' expected 'comparison_ordering' to be one of: {'ordered', 'unordered'}, got: 'maybe'}}
  %0 = cmpf equal maybe %x, %y : tile<f32> -> tile<i1>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.cmpf' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = cmpf equal ordered %x, %y : tile<4xi32> -> tile<4xi1>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.cos' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = cos %x : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xptr<f32>>
  // expected-error@+1 {{'cuda_tile.cos' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xptr<f32>>'}}
  %0 = cos %x : tile<4xptr<f32>>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.cosh' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = cosh %x : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f32>
  // expected-error@+1 {{'cuda_tile.cosh' op failed to verify that all of {source, result} have same type}}
  %0 = "cuda_tile.cosh"(%x) : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<f16>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f16>
  %y = "t.v"() : () -> !cuda_tile.tile<f16>
  // expected-error@+1 {{'cuda_tile.divf' op full modifier only supported for f32 data type, but got: 'f16'}}
  %0 = divf %x, %y rounding<full> : tile<f16>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.exp' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = exp %x : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f16>
  // expected-error@+1 {{'cuda_tile.exp' op approx modifier only supported for f32 data type, but got: 'f16'}}
  %0 = exp %x rounding<approx> : tile<f16>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f32>
  // expected-error@+1 {{'cuda_tile.exp' op invalid rounding mode specified, expect one of [approx, full]}}
  %0 = exp %x rounding<nearest_even> : tile<f32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f16>
  // expected-error@+1 {{'cuda_tile.exp2' op flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
  %0 = exp2 %x flush_to_zero : tile<f16>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.floor' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = floor %x : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  // expected-error@+1 {{'cuda_tile.floor' op failed to verify that all of {source, result} have same type}}
  %0 = "cuda_tile.floor"(%x) : (!cuda_tile.tile<4xf32>) -> !cuda_tile.tile<8xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xi32>
  %z = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.fma' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = fma %x, %y, %z : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f16>
  %y = "t.v"() : () -> !cuda_tile.tile<f16>
  %z = "t.v"() : () -> !cuda_tile.tile<f16>
  // expected-error@+1 {{'cuda_tile.fma' op flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
  %0 = fma %x, %y, %z flush_to_zero : tile<f16>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f32>
  %y = "t.v"() : () -> !cuda_tile.tile<f32>
  // expected-error@+1 {{'cuda_tile.fma' op expected 3 operands, but found 2}}
  %0 = "cuda_tile.fma"(%x, %y) <{rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.fpowf' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = fpowf %x, %y : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xf16>
  // expected-error@+1 {{'cuda_tile.fpowf' op failed to verify that all of {result, source, exponent} have same type}}
  %0 = "cuda_tile.fpowf"(%x, %y) : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf16>) -> !cuda_tile.tile<4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<8xi32>
  // expected-error@+1 {{'cuda_tile.fpowi' op failed to verify that all of {source, exponent} have same shape}}
  %0 = fpowi %x, %y : tile<4xf32>, tile<8xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xi64>
  // expected-error@+1 {{'cuda_tile.fpowi' op operand #1 must be tile of i1 or i8 or i16 or i32 values, but got '!cuda_tile.tile<4xi64>'}}
  %0 = fpowi %x, %y : tile<4xf32>, tile<4xi64>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.log' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = log %x : tile<4xi32>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{'cuda_tile.log' op requires a single operand, but found 0}}
  %0 = "cuda_tile.log"() : () -> !cuda_tile.tile<f32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.log2' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = log2 %x : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f32>
  // expected-error@+1 {{'cuda_tile.log2' op requires one result, but found 0}}
  "cuda_tile.log2"(%x) : (!cuda_tile.tile<f32>) -> ()
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.maxf' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = maxf %x, %y : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xf16>
  // expected-error@+1 {{'cuda_tile.maxf' op failed to verify that all of {lhs, rhs, result} have same type}}
  %0 = "cuda_tile.maxf"(%x, %y) : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf16>) -> !cuda_tile.tile<4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<bf16>
  %y = "t.v"() : () -> !cuda_tile.tile<bf16>
  // expected-error@+1 {{'cuda_tile.maxf' op flush_to_zero modifier only supported for f32 data type, but got: 'bf16'}}
  %0 = maxf %x, %y flush_to_zero : tile<bf16>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.minf' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = minf %x, %y : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xf16>
  // expected-error@+1 {{'cuda_tile.minf' op failed to verify that all of {lhs, rhs, result} have same type}}
  %0 = "cuda_tile.minf"(%x, %y) : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf16>) -> !cuda_tile.tile<4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f64>
  %y = "t.v"() : () -> !cuda_tile.tile<f64>
  // expected-error@+1 {{'cuda_tile.minf' op flush_to_zero modifier only supported for f32 data type, but got: 'f64'}}
  %0 = minf %x, %y flush_to_zero propagate_nan : tile<f64>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf16>
  %y = "t.v"() : () -> !cuda_tile.tile<4xf16>
  %z = "t.v"() : () -> !cuda_tile.tile<4xf32>
  // expected-error@+1 {{'cuda_tile.mmaf' op operands must be 2D or 3D tiles}}
  %0 = mmaf %x, %y, %z : tile<4xf16>, tile<4xf16>, tile<4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x8xf16>
  %y = "t.v"() : () -> !cuda_tile.tile<4x8xf16>
  %z = "t.v"() : () -> !cuda_tile.tile<4x8xf32>
  // expected-error@+1 {{'cuda_tile.mmaf' op shape error: dim 1 of lhs (8) and dim 0 of rhs (4) must match, but got lhs shape (4, 8) and rhs shape (4, 8)}}
  %0 = mmaf %x, %y, %z : tile<4x8xf16>, tile<4x8xf16>, tile<4x8xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x4xbf16>
  %y = "t.v"() : () -> !cuda_tile.tile<4x4xbf16>
  %z = "t.v"() : () -> !cuda_tile.tile<4x4xf16>
  // expected-error@+1 {{'cuda_tile.mmaf' op unsupported combination of element types. Input type 'bf16' expects accumulator/result type to be one of {'f32'}, but got 'f16'}}
  %0 = mmaf %x, %y, %z : tile<4x4xbf16>, tile<4x4xbf16>, tile<4x4xf16>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x4xi8>
  %y = "t.v"() : () -> !cuda_tile.tile<4x4xi8>
  %z = "t.v"() : () -> !cuda_tile.tile<4x4xf32>
  // expected-error@+1 {{'cuda_tile.mmaf' op operand #0 must be mmaf operand tile type of f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 values, but got '!cuda_tile.tile<4x4xi8>'}}
  %0 = mmaf %x, %y, %z : tile<4x4xi8>, tile<4x4xi8>, tile<4x4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x4xf16>
  %y = "t.v"() : () -> !cuda_tile.tile<4x4xbf16>
  %z = "t.v"() : () -> !cuda_tile.tile<4x4xf32>
  // expected-error@+1 {{'cuda_tile.mmaf' op failed to verify that all of {lhs, rhs} have the same element type}}
  %0 = mmaf %x, %y, %z : tile<4x4xf16>, tile<4x4xbf16>, tile<4x4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x64xf8E4M3FN>
  %y = "t.v"() : () -> !cuda_tile.tile<64x4xf8E4M3FN>
  %z = "t.v"() : () -> !cuda_tile.tile<4x4xf32>
  %u = "t.v"() : () -> !cuda_tile.tile<4x4xf8E8M0FNU>
  %v = "t.v"() : () -> !cuda_tile.tile<4x4xf8E8M0FNU>
  // expected-error@+1 {{'cuda_tile.mmaf_scaled' op shape error: f8 element type requires block scale factor of lhs_scale and rhs_scale to be 32, but got 16}}
  %0 = mmaf_scaled %x, %y, %z, %u, %v : tile<4x64xf8E4M3FN>, tile<64x4xf8E4M3FN>, tile<4x4xf32>, tile<4x4xf8E8M0FNU>, tile<4x4xf8E8M0FNU>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x64xf8E4M3FN>
  %y = "t.v"() : () -> !cuda_tile.tile<64x4xf8E4M3FN>
  %z = "t.v"() : () -> !cuda_tile.tile<4x4xf32>
  %u = "t.v"() : () -> !cuda_tile.tile<4x2xf8E4M3FN>
  %v = "t.v"() : () -> !cuda_tile.tile<2x4xf8E4M3FN>
  // expected-error@+1 {{'cuda_tile.mmaf_scaled' op unsupported combination of element types. Scale type 'f8E4M3FN' expects lhs and rhs element types to be 'f4E2M1FN', but got 'f8E4M3FN'}}
  %0 = mmaf_scaled %x, %y, %z, %u, %v : tile<4x64xf8E4M3FN>, tile<64x4xf8E4M3FN>, tile<4x4xf32>, tile<4x2xf8E4M3FN>, tile<2x4xf8E4M3FN>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x64xf4E2M1FN>
  %y = "t.v"() : () -> !cuda_tile.tile<64x4xf4E2M1FN>
  %z = "t.v"() : () -> !cuda_tile.tile<4x4xf32>
  %u = "t.v"() : () -> !cuda_tile.tile<4x2xf8E4M3FN>
  %v = "t.v"() : () -> !cuda_tile.tile<2x4xf8E4M3FN>
  // expected-error@+1 {{'cuda_tile.mmaf_scaled' op shape error: f4E2M1FN element type with f8E4M3FN scales requires block scale factor of lhs_scale and rhs_scale to be 16, but got 32}}
  %0 = mmaf_scaled %x, %y, %z, %u, %v : tile<4x64xf4E2M1FN>, tile<64x4xf4E2M1FN>, tile<4x4xf32>, tile<4x2xf8E4M3FN>, tile<2x4xf8E4M3FN>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x64xf4E2M1FN>
  %y = "t.v"() : () -> !cuda_tile.tile<64x4xf4E2M1FN>
  %z = "t.v"() : () -> !cuda_tile.tile<4x4xf32>
  %u = "t.v"() : () -> !cuda_tile.tile<4x8xf8E8M0FNU>
  %v = "t.v"() : () -> !cuda_tile.tile<8x4xf8E8M0FNU>
  // expected-error@+1 {{'cuda_tile.mmaf_scaled' op shape error: f4E2M1FN element type with f8E8M0FNU scales requires block scale factor of lhs_scale and rhs_scale to be 16 or 32, but got 8}}
  %0 = mmaf_scaled %x, %y, %z, %u, %v : tile<4x64xf4E2M1FN>, tile<64x4xf4E2M1FN>, tile<4x4xf32>, tile<4x8xf8E8M0FNU>, tile<8x4xf8E8M0FNU>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x64xf8E4M3FN>
  %y = "t.v"() : () -> !cuda_tile.tile<64x4xf8E4M3FN>
  %z = "t.v"() : () -> !cuda_tile.tile<4x4xf32>
  %u = "t.v"() : () -> !cuda_tile.tile<4x128xf8E8M0FNU>
  %v = "t.v"() : () -> !cuda_tile.tile<128x4xf8E8M0FNU>
  // expected-error@+1 {{'cuda_tile.mmaf_scaled' op shape error: dim 1 of lhs_scale (128) must be a divisor of dim 1 of lhs (64), but got lhs_scale shape (4, 128) and lhs shape (4, 64)}}
  %0 = mmaf_scaled %x, %y, %z, %u, %v : tile<4x64xf8E4M3FN>, tile<64x4xf8E4M3FN>, tile<4x4xf32>, tile<4x128xf8E8M0FNU>, tile<128x4xf8E8M0FNU>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.mulf' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = mulf %x, %y : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xf16>
  // expected-error@+1 {{'cuda_tile.mulf' op failed to verify that all of {lhs, rhs, result} have same type}}
  %0 = "cuda_tile.mulf"(%x, %y) <{rounding_mode = #cuda_tile.rounding<nearest_even>}> : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf16>) -> !cuda_tile.tile<4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f16>
  %y = "t.v"() : () -> !cuda_tile.tile<f16>
  // expected-error@+1 {{'cuda_tile.mulf' op flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
  %0 = mulf %x, %y flush_to_zero : tile<f16>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.negf' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = negf %x : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xtf32>
  // expected-error@+1 {{'cuda_tile.negf' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xtf32>'}}
  %0 = negf %x : tile<4xtf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f32>
  %y = "t.v"() : () -> !cuda_tile.tile<f32>
  // expected-error@+1 {{'cuda_tile.pow' op is now called 'cuda_tile.fpowf'}}
  %0 = "cuda_tile.pow"(%x, %y) : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.remf' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = remf %x, %y : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xf16>
  // expected-error@+1 {{'cuda_tile.remf' op failed to verify that all of {lhs, rhs, result} have same type}}
  %0 = "cuda_tile.remf"(%x, %y) : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf16>) -> !cuda_tile.tile<4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.rsqrt' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = rsqrt %x : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f64>
  // expected-error@+1 {{'cuda_tile.rsqrt' op flush_to_zero modifier only supported for f32 data type, but got: 'f64'}}
  %0 = rsqrt %x flush_to_zero : tile<f64>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.sin' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = sin %x : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xf32>
  // expected-error@+1 {{'cuda_tile.sin' op requires a single operand, but found 2}}
  %0 = "cuda_tile.sin"(%x, %y) : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.sinh' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = sinh %x : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f16>
  // expected-error@+1 {{'cuda_tile.sqrt' op approx modifier only supported for f32 data type, but got: 'f16'}}
  %0 = sqrt %x rounding<approx> : tile<f16>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.subf' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = subf %x, %y : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xf16>
  // expected-error@+1 {{'cuda_tile.subf' op failed to verify that all of {lhs, rhs, result} have same type}}
  %0 = "cuda_tile.subf"(%x, %y) <{rounding_mode = #cuda_tile.rounding<nearest_even>}> : (!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf16>) -> !cuda_tile.tile<4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f32>
  %y = "t.v"() : () -> !cuda_tile.tile<f32>
  // expected-error@+1 {{custom op 'cuda_tile.subf' expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', got: 'approx'}}
  %0 = subf %x, %y rounding<approx> : tile<f32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.tan' op operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'}}
  %0 = tan %x : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f16>
  // expected-error@+1 {{'cuda_tile.tanh' op invalid rounding mode specified, expect one of [approx, full]}}
  %0 = tanh %x rounding<zero> : tile<f16>
  return
}
