// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What each operation of cf rejects.

nvvm.func @f(%x: i32) {
  // expected-error@+1 {{'cf.br' op branch has 0 operands for successor #0, but target block has 1}}
  cf.br ^bb1
^bb1(%a: i32):
  nvvm.return
}

// -----

nvvm.func @f(%x: f32) {
  // expected-error@+1 {{'cf.br' op type mismatch for bb argument #0 of successor #0: got 'f32', expected 'i32'}}
  cf.br ^bb1(%x : f32)
^bb1(%a: i32):
  nvvm.return
}

// -----

nvvm.func @f() {
  // expected-error@+1 {{'cf.br' op requires 1 successor but found 0}}
  "cf.br"() : () -> ()
}

// -----

nvvm.func @f(%c: i1) {
  // expected-error@+1 {{'cf.cond_br' op requires 2 successors but found 1}}
  "cf.cond_br"(%c)[^bb1] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^bb1:
  nvvm.return
}

// -----

nvvm.func @f(%c: i32) {
  // expected-error@+1 {{'cf.cond_br' op operand #0 must be i1, but got 'i32'}}
  "cf.cond_br"(%c)[^bb1, ^bb1] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^bb1:
  nvvm.return
}

// -----

nvvm.func @f(%c: i1, %x: f32) {
  // expected-error@+1 {{'cf.cond_br' op operand count (2) does not match with the total size (1) specified in attribute 'operandSegmentSizes'}}
  "cf.cond_br"(%c, %x)[^bb1, ^bb1] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1, f32) -> ()
^bb1:
  nvvm.return
}

// -----

nvvm.func @f(%c: i1, %x: f32) {
  // expected-error@+1 {{'cf.cond_br' op branch has 0 operands for successor #1, but target block has 1}}
  cf.cond_br %c, ^bb1(%x : f32), ^bb1
^bb1(%a: f32):
  nvvm.return
}
