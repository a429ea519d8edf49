// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What the operations of the chapter Miscellaneous reject.

entry @k(%arg: tile<i32>) {
  // expected-error@+1 {{'cuda_tile.assume' op 'cuda_tile.div_by' divisor must be a power of 2}}
  %0 = assume div_by<3>, %arg : tile<i32>
  return
}

// -----

entry @k(%arg: tile<i32>) {
  // expected-error@+1 {{'cuda_tile.assume' op 'cuda_tile.div_by' divisor is too large}}
  %0 = assume div_by<9223372036854775808>, %arg : tile<i32>
  return
}

// -----

entry @k(%arg: tile<i32>) {
  // expected-error@+1 {{'cuda_tile.assume' op 'cuda_tile.div_by' 'every'/'along' cannot be used if the constrained value is a 0D tile}}
  %0 = assume div_by<4, every 1 along 0>, %arg : tile<i32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tensor_view<f32>
  // expected-error@+1 {{'cuda_tile.assume' op 'cuda_tile.div_by' 'every'/'along' cannot be used if the constrained value is a tensor_view}}
  %0 = assume div_by<4, every 1 along 0>, %x : tensor_view<f32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f32>
  // expected-error@+1 {{'cuda_tile.assume' op 'cuda_tile.div_by' is valid only for tile of integer/pointer or tensor_view values}}
  %0 = assume div_by<4>, %x : tile<f32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.assume' op 'cuda_tile.div_by' every_dim (1) must be >= 0 and < tile rank (1)}}
  %0 = assume div_by<4, every 1 along 1>, %x : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.assume' op expected 'cuda_tile.div_by' every_dim to be within 0 and the size of the respective dimension (4)}}
  %0 = assume div_by<4, every 8 along 0>, %x : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f32>
  // expected-error@+1 {{'cuda_tile.assume' op 'cuda_tile.same_elements' is valid only for tile of integer/pointer values}}
  %0 = assume same_elements<[1]>, %x : tile<f32>
  return
}

// -----

entry @k(%arg: tile<i32>) {
  // expected-error@+1 {{'cuda_tile.assume' op expected number of values in 'cuda_tile.same_elements' (1) to match rank of constrained tile (0)}}
  %0 = assume same_elements<[1]>, %arg : tile<i32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.assume' op expected 'cuda_tile.same_elements' value 0 to be within 0 and the size of the respective dimension (4)}}
  %0 = assume same_elements<[8]>, %x : tile<4xi32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<f32>
  // expected-error@+1 {{'cuda_tile.assume' op 'cuda_tile.bounded' is valid only for tile of integer values}}
  %0 = assume bounded<0, 1>, %x : tile<f32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<i8>
  // expected-error@+1 {{'cuda_tile.assume' op 'cuda_tile.bounded' expects lower bound to be within [-128, 127]}}
  %0 = assume bounded<-129, ?>, %x : tile<i8>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<i8>
  // expected-error@+1 {{'cuda_tile.assume' op 'cuda_tile.bounded' expects upper bound to be within [-128, 127]}}
  %0 = assume bounded<?, 128>, %x : tile<i8>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<i8>
  // expected-error@+1 {{'cuda_tile.assume' op 'cuda_tile.bounded' expects lower bound to be less than or equal to upper bound}}
  %0 = assume bounded<2, 1>, %x : tile<i8>
  return
}

// -----

entry @k(%arg: tile<i32>) {
  // expected-error@+1 {{custom op 'cuda_tile.assume' unknown assume predicate attribute: even}}
  %0 = assume even, %arg : tile<i32>
  return
}

// -----

entry @k(%arg: tile<i32>) {
  // expected-error@+1 {{custom op 'cuda_tile.assume' expected assume predicate attribute}}
  %0 = assume #cuda_tile.rounding<zero>, %arg : tile<i32>
  return
}

// -----

entry @k(%arg: tile<i32>) {
  // expected-error@+1 {{'cuda_tile.print_tko' op found unterminated format expression}}
  %0 = print_tko "%d %" , %arg : tile<i32> -> token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  // expected-error@+1 {{'cuda_tile.print_tko' op incorrect number of operands: expected 2, found 1}}
  %0 = print_tko "%d %% %d", %arg : tile<i32> -> token
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x8xf32>
  %0 = reduce %x dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32> (%a: tile<f32>, %b: tile<f32>) {
    // expected-error@+1 {{'cuda_tile.print_tko' op only pure operations are allowed inside 'cuda_tile.reduce'}}
    %t = print_tko "" -> token
    yield %a : tile<f32>
  }
  return
}
