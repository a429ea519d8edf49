// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What the operations of the chapter Bitwise reject.

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xf32>
  // expected-error@+1 {{'cuda_tile.andi' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xf32>'}}
  %0 = andi %x, %y : tile<4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xi8>
  // expected-error@+1 {{'cuda_tile.andi' op failed to verify that all of {lhs, rhs, result} have same type}}
  %0 = "cuda_tile.andi"(%x, %y) : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi8>) -> !cuda_tile.tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xf32>
  // expected-error@+1 {{'cuda_tile.ori' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xf32>'}}
  %0 = ori %x, %y : tile<4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xi8>
  // expected-error@+1 {{'cuda_tile.ori' op failed to verify that all of {lhs, rhs, result} have same type}}
  %0 = "cuda_tile.ori"(%x, %y) : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi8>) -> !cuda_tile.tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xf32>
  // expected-error@+1 {{'cuda_tile.xori' op operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xf32>'}}
  %0 = xori %x, %y : tile<4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xi8>
  // expected-error@+1 {{'cuda_tile.xori' op failed to verify that all of {lhs, rhs, result} have same type}}
  %0 = "cuda_tile.xori"(%x, %y) : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi8>) -> !cuda_tile.tile<4xi32>
  return
}
