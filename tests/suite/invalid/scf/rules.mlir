// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What each operation of scf rejects.

%a = "t.v"() : () -> i32
// expected-error@+1 {{'scf.if' op operand #0 must be i1, but got 'i32'}}
"scf.if"(%a) ({
  "scf.yield"() : () -> ()
}, {
}) : (i32) -> ()

// -----

%a = "t.v"() : () -> i1
// expected-error@+1 {{'scf.if' op needs a then region}}
"scf.if"(%a) ({
}, {
}) : (i1) -> ()

// -----

%a = "t.v"() : () -> i1
// expected-error@+1 {{'scf.if' op has 1 results, so it must have an else region}}
%r = scf.if %a -> (i1) {
  scf.yield %a : i1
}

// -----

%a = "t.v"() : () -> i1
// expected-error@+1 {{'scf.if' op region #0 must have no arguments, but got 1}}
"scf.if"(%a) ({
^bb0(%x: i32):
  "scf.yield"() : () -> ()
}, {
}) : (i1) -> ()

// -----

%a = "t.v"() : () -> i1
scf.if %a {
  // expected-error@+1 {{block with no terminator, has 'arith.constant'}}
  %x = arith.constant 1 : i32
}

// -----

%a = "t.v"() : () -> i1
scf.if %a {
  // expected-error@+1 {{'scf.yield' op passes 1 values to 'scf.if', which needs 0}}
  scf.yield %a : i1
}

// -----

%a = "t.v"() : () -> i1
%r = scf.if %a -> (i1) {
  scf.yield %a : i1
} else {
  %f = arith.constant 1.0 : f32
  // expected-error@+1 {{'scf.yield' op operand #0 must have type 'i1' for 'scf.if', but got 'f32'}}
  scf.yield %f : f32
}

// -----

// expected-error@+1 {{'scf.yield' op expects parent op 'scf.if', but got 'builtin.module'}}
scf.yield

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
%c = "t.v"() : () -> i32
// expected-error@+1 {{'scf.for' op needs a body}}
"scf.for"(%a, %b, %c) ({
}) : (i32, i32, i32) -> ()

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
// expected-error@+1 {{'scf.for' op expected 3 or more operands, but found 2}}
"scf.for"(%a, %b) ({
}) : (i32, i32) -> ()

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
%c = "t.v"() : () -> i32
// expected-error@+1 {{'scf.for' op body must have 1 arguments, but got 0}}
"scf.for"(%a, %b, %c) ({
  "scf.continue"() : () -> ()
}) : (i32, i32, i32) -> ()

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
%c = "t.v"() : () -> i32
// expected-error@+1 {{'scf.for' op must have a result for each of 0 initial values, but got 1}}
%r = "scf.for"(%a, %b, %c) ({
^bb0(%i: i32):
  "scf.continue"() : () -> ()
}) : (i32, i32, i32) -> i32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
%c = "t.v"() : () -> i32
// expected-error@+1 {{'scf.for' op upper bound must have the type 'i32' of the counter, but got 'i64'}}
"scf.for"(%a, %b, %c) ({
^bb0(%i: i32):
  "scf.continue"() : () -> ()
}) : (i32, i64, i32) -> ()

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
%c = "t.v"() : () -> f32
// expected-error@+1 {{'scf.for' op operand #0 must be integer, but got 'f32'}}
"scf.for"(%a, %b, %c) ({
^bb0(%i: f32):
  "scf.continue"() : () -> ()
}) : (f32, f32, f32) -> ()

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
%c = "t.v"() : () -> i32
%d = "t.v"() : () -> f32
// expected-error@+1 {{'scf.for' op result #0 must have the type 'f32' of its initial value, but got 'i32'}}
%r = "scf.for"(%a, %b, %c, %d) ({
^bb0(%i: i32, %x: f32):
  "scf.continue"(%x) : (f32) -> ()
}) : (i32, i32, i32, f32) -> i32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
%c = "t.v"() : () -> i32
%d = "t.v"() : () -> f32
// expected-error@+1 {{'scf.for' op loop-carried value #0 must have the type 'f32' of its initial value, but got 'f16'}}
%r = "scf.for"(%a, %b, %c, %d) ({
^bb0(%i: i32, %x: f16):
  "scf.continue"(%d) : (f32) -> ()
}) : (i32, i32, i32, f32) -> f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
%c = "t.v"() : () -> i32
scf.for %i = %a to %b step %c : i32 {
  // expected-error@+1 {{'scf.break' op cannot leave an 'scf.for', which runs to its end}}
  scf.break
}

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
%c = "t.v"() : () -> i32
scf.for %i = %a to %b step %c : i32 {
  // expected-error@+1 {{'scf.yield' op expects parent op 'scf.if', but got 'scf.for'}}
  scf.yield
}

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
%c = "t.v"() : () -> i32
%d = "t.v"() : () -> f32
// expected-error@+1 {{expected as many types as loop-carried values, but got 0 and 1}}
scf.for %i = %a to %b step %c iter_args(%x = %d) : i32 {
  scf.continue %x : f32
}

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
%c = "t.v"() : () -> i32
%d = "t.v"() : () -> f32
%r = scf.for %i = %a to %b step %c iter_args(%x = %d) -> (f32) : i32 {
  // expected-error@+1 {{'scf.continue' op operand #0 must have type 'f32' for 'scf.for', but got 'i32'}}
  scf.continue %i : i32
}

// -----

%a = "t.v"() : () -> f32
scf.loop {
  // expected-error@+1 {{'scf.continue' op passes 1 values to 'scf.loop', which needs 0}}
  scf.continue %a : f32
}

// -----

// expected-error@+1 {{'scf.continue' op must stand in an 'scf.for' or 'scf.loop', or in 'scf.if' there, but stands in 'builtin.module'}}
scf.continue

// -----

%a = "t.v"() : () -> i1
scf.if %a {
  // expected-error@+1 {{'scf.break' op must stand in an 'scf.for' or 'scf.loop', or in 'scf.if' there, but stands in 'scf.if'}}
  scf.break
}

// -----

// expected-error@+1 {{'scf.loop' op needs a body}}
"scf.loop"() ({
}) : () -> ()

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'scf.loop' op body must have 1 arguments, but got 0}}
"scf.loop"(%a) ({
  "scf.break"() : () -> ()
}) : (f32) -> ()

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'scf.loop' op loop-carried value #0 must have the type 'f32' of its initial value, but got 'f16'}}
"scf.loop"(%a) ({
^bb0(%x: f16):
  "scf.break"() : () -> ()
}) : (f32) -> ()

// -----

// expected-error@+1 {{'scf.loop' op expects region #0 to have 0 or 1 blocks, but it has 2}}
"scf.loop"() ({
  "cf.br"()[^bb1] : () -> ()
^bb1:
  "scf.break"() : () -> ()
}) : () -> ()

// -----

%r = scf.loop -> (i32) {
  // expected-error@+1 {{'scf.break' op passes 0 values to 'scf.loop', which needs 1}}
  scf.break
}

// -----

%a = "t.v"() : () -> f32
%r = scf.loop iter_args(%x = %a) -> (i32) : f32 {
  // expected-error@+1 {{'scf.break' op operand #0 must have type 'i32' for 'scf.loop', but got 'f32'}}
  scf.break %x : f32
}
