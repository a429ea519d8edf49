// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What the rows of nv_tileas reject, without rules of their own.

nv_tileas.func @f() {
  // expected-error@+1 {{'nv_tileas.barrier' op requires zero results, but found 1}}
  %r = "nv_tileas.barrier"() : () -> i32
  nv_tileas.return
}

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'nv_tileas.barrier' op requires zero operands, but found 1}}
"nv_tileas.barrier"(%a) : (i32) -> ()
