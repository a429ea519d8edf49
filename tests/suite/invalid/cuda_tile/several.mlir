// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// Where the reference says two things about one mistake, so do we.

entry @k(%a: tile<i32>) {
  // expected-error@below {{custom op 'cuda_tile.maxi' expected valid keyword}}
  // expected-error@below {{custom op 'cuda_tile.maxi' expected signedness to be one of: {'signed', 'unsigned'}, got: ''}}
  %0 = maxi %a, %a : tile<i32>
  return
}

// -----

entry @k(%a: tile<i32>) {
  // A keyword of another kind is one mistake.
  // expected-error@below {{custom op 'cuda_tile.maxi' expected signedness to be one of: {'signed', 'unsigned'}, got: 'ordered'}}
  %0 = maxi %a, %a ordered : tile<i32>
  return
}

// -----

entry @k() {
  // expected-error@below {{custom op 'cuda_tile.constant' unknown type: venus}}
  // expected-error@below {{expect element type to be one of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got '<<NULL TYPE>>'}}
  %0 = constant <venus: 1> : tile<i32>
  return
}

// -----

entry @k() {
  // expected-error@below {{expect element type to be one of i1 or i8}}
  %0 = constant <i7: 1> : tile<i32>
  return
}

// -----

entry @k() {
  %a = constant <f32: 1.0> : tile<4xf32>
  // expected-error@below {{failed to infer returned types}}
  // expected-error@below {{'cuda_tile.reduce' op inferred type(s) '!cuda_tile.tile<f32>' are incompatible with return type(s) of operation '!cuda_tile.tile<4xf32>'}}
  %0 = reduce %a dim=0 identities=[0.0 : f32] : tile<4xf32> -> tile<4xf32> (%x: tile<f32>, %y: tile<f32>) {
    yield %x : tile<f32>
  }
  return
}

// -----

// What is missing is a type, which begins with a keyword here.

entry @k() {
  // expected-error@below {{custom op 'cuda_tile.loop' expected valid keyword}}
  loop : {
  }
}

// -----

// expected-error@below {{expected valid keyword}}
entry @k(%a: tile<2x-1xf32>) {
}

// -----

// Outside of the dialect it is a type like others.
// expected-error@below {{expected type}}
"test.f"() : () -> (,)

// -----

// expected-error@below {{unexpected token after element type in 0-d tensor_view}}
entry @k(%a: tensor_view<f32,>) {
}

// -----

// What is missing at the end of a line is reported there.

entry @k(%c: tile<i1>, %a: tile<f32>) {
  // expected-error@below {{expected ',', but got 'return'}}
  %0 = select %c, %a, %a : tile<i1>

  // This line is not at fault.
  return
}

// -----

// Of an operation that is wrong itself, nothing that depends on it is reported.

entry @k(%c: tile<i1>, %v: tensor_view<4xf32, strides=[1]>) {
  // expected-error@below {{'cuda_tile.if' op result type 0 is a tensor_view, which is not supported}}
  %0 = if %c -> (tensor_view<4xf32, strides=[1]>) {
    return %v : tensor_view<4xf32, strides=[1]>
  } else {
    return %v : tensor_view<4xf32, strides=[1]>
  }
}

// -----

// Types that must be equal come before shapes that must be.

entry @k(%p: tile<ptr<f32>>, %i: tile<i32>) {
  // expected-error@below {{'cuda_tile.offset' op failed to verify that all of {result, ptr} have same type}}
  %0 = offset %p, %i : tile<ptr<f32>>, tile<i32> -> tile<2xptr<f32>>
}

// -----

// expected-error@below {{'cuda_tile.break' op expects parent op to be one of 'cuda_tile.if, cuda_tile.loop', but got 'builtin.module'}}
cuda_tile.break

// -----

entry @k(%v: partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, %i: tile<i32>) {
  // expected-error@below {{operation specifies weak memory ordering semantics, but then provides "device" scope, expected no memory scope.}}
  %0, %1 = load_view_tko weak device %v[%i] : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
}

// -----

// expected-error@below {{'cuda_tile.for' op expected 3 or more operands, but found 0}}
"cuda_tile.for"() ({
^bb0(%i: !cuda_tile.tile<i32>):
  "cuda_tile.continue"() : () -> ()
}) : () -> ()
