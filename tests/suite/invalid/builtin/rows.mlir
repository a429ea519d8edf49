// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What the rows of builtin reject, without rules of their own.

// expected-error@+1 {{'builtin.module' op requires one region, but found 0}}
"builtin.module"() : () -> ()

// -----

// expected-error@+1 {{'builtin.module' op requires zero results, but found 1}}
%r = "builtin.module"() ({
}) : () -> i32

// -----

// expected-note@+1 {{see existing symbol definition here}}
module @m {
}
// expected-error@+1 {{redefinition of symbol named 'm'}}
module @m {
}

// -----

// expected-error@+1 {{'builtin.module' op attribute 'sym_visibility' failed to satisfy constraint: string attribute, but got 1 : i32}}
module attributes {sym_visibility = 1 : i32} {
}

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'builtin.unrealized_conversion_cast' op expected at least one result}}
"builtin.unrealized_conversion_cast"(%a) : (i32) -> ()
