// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What the operations of the chapter Integer reject.

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  // expected-error@+1 {{'cuda_tile.absi' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xf32>'}}
  %0 = absi %x : tile<4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi4>
  // expected-error@+1 {{'cuda_tile.absi' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xi4>'}}
  %0 = absi %x : tile<4xi4>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  %y = "t.v"() : () -> !cuda_tile.tile<8xi32>
  // expected-error@+1 {{'cuda_tile.addi' op failed to verify that all of {lhs, rhs, result} have same type}}
  %0 = "cuda_tile.addi"(%x, %y) : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<8xi32>) -> !cuda_tile.tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<i32>
  %y = "t.v"() : () -> !cuda_tile.tile<i32>
  // expected-error@+1 {{custom op 'cuda_tile.cmpi' expected 'comparison_predicate' to be one of: {'equal', 'not_equal', 'less_than', 'less_than_or_equal', 'greater_than', 'greater_than_or_equal'}, got: 'below'}}
  %0 = cmpi below %x, %y, signed : tile<i32> -> tile<i1>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.cmpi' op failed to verify that Result type has i1 element type and same shape as operands}}
  %0 = cmpi equal %x, %y, signed : tile<4xi32> -> tile<8xi1>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<i32>
  %y = "t.v"() : () -> !cuda_tile.tile<i32>
  // expected-error@+1 {{'cuda_tile.divi' op rounding mode 'negative_inf' is not allowed with 'unsigned' flag}}
  %0 = divi %x, %y unsigned rounding<negative_inf> : tile<i32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<i32>
  %y = "t.v"() : () -> !cuda_tile.tile<i32>
  // expected-error@+1 {{'cuda_tile.divi' op invalid rounding mode specified, expect one of [zero, negative_inf, positive_inf]}}
  %0 = divi %x, %y signed rounding<full> : tile<i32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<i32>
  %y = "t.v"() : () -> !cuda_tile.tile<i32>
  // expected-error@+1 {{'cuda_tile.divi' op invalid rounding mode specified, expect one of [zero, negative_inf, positive_inf]}}
  %0 = divi %x, %y signed rounding<nearest_even> : tile<i32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<i32>
  %y = "t.v"() : () -> !cuda_tile.tile<i32>
  // expected-error@+2 {{custom op 'cuda_tile.maxi' expected valid keyword}}
  // expected-error@+1 {{custom op 'cuda_tile.maxi' expected signedness to be one of: {'signed', 'unsigned'}, got: ''}}
  %0 = maxi %x, %y : tile<i32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xf32>
  // expected-error@+1 {{'cuda_tile.mini' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xf32>'}}
  %0 = mini %x, %y signed : tile<4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<i32>
  %y = "t.v"() : () -> !cuda_tile.tile<i32>
  // expected-error@+1 {{custom op 'cuda_tile.mini' expected signedness to be one of: {'signed', 'unsigned'}, got: 'wide'}}
  %0 = mini %x, %y wide : tile<i32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<2x4x4xi8>
  %y = "t.v"() : () -> !cuda_tile.tile<4x4x4xi8>
  %z = "t.v"() : () -> !cuda_tile.tile<2x4x4xi32>
  // expected-error@+1 {{'cuda_tile.mmai' op shape error: dim 0 of lhs (2) and dim 0 of rhs (4) must match, but got lhs shape (2, 4, 4) and rhs shape (4, 4, 4)}}
  %0 = mmai %x, %y, %z signed signed : tile<2x4x4xi8>, tile<4x4x4xi8>, tile<2x4x4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x4xi16>
  %y = "t.v"() : () -> !cuda_tile.tile<4x4xi16>
  %z = "t.v"() : () -> !cuda_tile.tile<4x4xi32>
  // expected-error@+1 {{'cuda_tile.mmai' op operand #0 must be mmai operand tile type of i8 values, but got '!cuda_tile.tile<4x4xi16>'}}
  %0 = mmai %x, %y, %z signed signed : tile<4x4xi16>, tile<4x4xi16>, tile<4x4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xf32>
  // expected-error@+1 {{'cuda_tile.mulhii' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xf32>'}}
  %0 = mulhii %x, %y : tile<4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xi8>
  // expected-error@+1 {{'cuda_tile.mulhii' op failed to verify that all of {x, y, result} have same type}}
  %0 = "cuda_tile.mulhii"(%x, %y) : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi8>) -> !cuda_tile.tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xf32>
  // expected-error@+1 {{'cuda_tile.muli' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xf32>'}}
  %0 = muli %x, %y : tile<4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<i32>
  %y = "t.v"() : () -> !cuda_tile.tile<i32>
  // expected-error@+1 {{custom op 'cuda_tile.muli' expected string or keyword containing one of the following enum values for attribute 'overflow' [none, no_signed_wrap, no_unsigned_wrap, no_wrap], got: 'sometimes'}}
  %0 = muli %x, %y overflow<sometimes> : tile<i32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<i32>
  // expected-error@+1 {{'cuda_tile.negi' op 'no_unsigned_wrap' overflow flag is not supported}}
  %0 = negi %x overflow<no_unsigned_wrap> : tile<i32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xf32>
  // expected-error@+1 {{'cuda_tile.remi' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xf32>'}}
  %0 = remi %x, %y signed : tile<4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<i32>
  %y = "t.v"() : () -> !cuda_tile.tile<i32>
  // expected-error@+1 {{custom op 'cuda_tile.remi' expected signedness to be one of: {'signed', 'unsigned'}, got: 'wide'}}
  %0 = remi %x, %y wide : tile<i32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xf32>
  // expected-error@+1 {{'cuda_tile.shli' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xf32>'}}
  %0 = shli %x, %y : tile<4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<i32>
  %y = "t.v"() : () -> !cuda_tile.tile<i32>
  // expected-error@+1 {{custom op 'cuda_tile.shli' expected string or keyword containing one of the following enum values for attribute 'overflow' [none, no_signed_wrap, no_unsigned_wrap, no_wrap], got: 'sometimes'}}
  %0 = shli %x, %y overflow<sometimes> : tile<i32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xf32>
  // expected-error@+1 {{'cuda_tile.shri' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xf32>'}}
  %0 = shri %x, %y signed : tile<4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<i32>
  %y = "t.v"() : () -> !cuda_tile.tile<i32>
  // expected-error@+1 {{custom op 'cuda_tile.shri' expected signedness to be one of: {'signed', 'unsigned'}, got: 'wide'}}
  %0 = shri %x, %y wide : tile<i32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xf32>
  // expected-error@+1 {{'cuda_tile.subi' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xf32>'}}
  %0 = subi %x, %y : tile<4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<i32>
  %y = "t.v"() : () -> !cuda_tile.tile<i32>
  // expected-error@+1 {{custom op 'cuda_tile.subi' expected string or keyword containing one of the following enum values for attribute 'overflow' [none, no_signed_wrap, no_unsigned_wrap, no_wrap], got: 'sometimes'}}
  %0 = subi %x, %y overflow<sometimes> : tile<i32>
  return
}
