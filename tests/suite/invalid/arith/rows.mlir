// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What the rows of arith reject, without rules of their own.

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.subi' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.subi %a, %b : f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
// expected-error@+1 {{'arith.subi' op requires the same type for all operands and results, but got 'i32' for operand #0 and 'i64' for operand #1}}
%r = "arith.subi"(%a, %b) : (i32, i64) -> i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.muli' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.muli %a, %b : f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
// expected-error@+1 {{'arith.muli' op requires the same type for all operands and results, but got 'i32' for operand #0 and 'i64' for operand #1}}
%r = "arith.muli"(%a, %b) : (i32, i64) -> i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.mulhsi' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.mulhsi %a, %b : f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
// expected-error@+1 {{'arith.mulhsi' op requires the same type for all operands and results, but got 'i32' for operand #0 and 'i64' for operand #1}}
%r = "arith.mulhsi"(%a, %b) : (i32, i64) -> i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.mulhui' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.mulhui %a, %b : f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
// expected-error@+1 {{'arith.mulhui' op requires the same type for all operands and results, but got 'i32' for operand #0 and 'i64' for operand #1}}
%r = "arith.mulhui"(%a, %b) : (i32, i64) -> i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.divsi' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.divsi %a, %b : f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
// expected-error@+1 {{'arith.divsi' op requires the same type for all operands and results, but got 'i32' for operand #0 and 'i64' for operand #1}}
%r = "arith.divsi"(%a, %b) : (i32, i64) -> i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.divui' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.divui %a, %b : f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
// expected-error@+1 {{'arith.divui' op requires the same type for all operands and results, but got 'i32' for operand #0 and 'i64' for operand #1}}
%r = "arith.divui"(%a, %b) : (i32, i64) -> i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.ceildivsi' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.ceildivsi %a, %b : f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
// expected-error@+1 {{'arith.ceildivsi' op requires the same type for all operands and results, but got 'i32' for operand #0 and 'i64' for operand #1}}
%r = "arith.ceildivsi"(%a, %b) : (i32, i64) -> i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.ceildivui' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.ceildivui %a, %b : f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
// expected-error@+1 {{'arith.ceildivui' op requires the same type for all operands and results, but got 'i32' for operand #0 and 'i64' for operand #1}}
%r = "arith.ceildivui"(%a, %b) : (i32, i64) -> i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.floordivsi' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.floordivsi %a, %b : f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
// expected-error@+1 {{'arith.floordivsi' op requires the same type for all operands and results, but got 'i32' for operand #0 and 'i64' for operand #1}}
%r = "arith.floordivsi"(%a, %b) : (i32, i64) -> i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.remsi' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.remsi %a, %b : f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
// expected-error@+1 {{'arith.remsi' op requires the same type for all operands and results, but got 'i32' for operand #0 and 'i64' for operand #1}}
%r = "arith.remsi"(%a, %b) : (i32, i64) -> i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.remui' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.remui %a, %b : f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
// expected-error@+1 {{'arith.remui' op requires the same type for all operands and results, but got 'i32' for operand #0 and 'i64' for operand #1}}
%r = "arith.remui"(%a, %b) : (i32, i64) -> i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.andi' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.andi %a, %b : f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
// expected-error@+1 {{'arith.andi' op requires the same type for all operands and results, but got 'i32' for operand #0 and 'i64' for operand #1}}
%r = "arith.andi"(%a, %b) : (i32, i64) -> i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.ori' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.ori %a, %b : f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
// expected-error@+1 {{'arith.ori' op requires the same type for all operands and results, but got 'i32' for operand #0 and 'i64' for operand #1}}
%r = "arith.ori"(%a, %b) : (i32, i64) -> i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.xori' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.xori %a, %b : f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
// expected-error@+1 {{'arith.xori' op requires the same type for all operands and results, but got 'i32' for operand #0 and 'i64' for operand #1}}
%r = "arith.xori"(%a, %b) : (i32, i64) -> i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.shli' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.shli %a, %b : f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
// expected-error@+1 {{'arith.shli' op requires the same type for all operands and results, but got 'i32' for operand #0 and 'i64' for operand #1}}
%r = "arith.shli"(%a, %b) : (i32, i64) -> i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.shrsi' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.shrsi %a, %b : f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
// expected-error@+1 {{'arith.shrsi' op requires the same type for all operands and results, but got 'i32' for operand #0 and 'i64' for operand #1}}
%r = "arith.shrsi"(%a, %b) : (i32, i64) -> i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.shrui' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.shrui %a, %b : f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
// expected-error@+1 {{'arith.shrui' op requires the same type for all operands and results, but got 'i32' for operand #0 and 'i64' for operand #1}}
%r = "arith.shrui"(%a, %b) : (i32, i64) -> i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.maxsi' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.maxsi %a, %b : f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
// expected-error@+1 {{'arith.maxsi' op requires the same type for all operands and results, but got 'i32' for operand #0 and 'i64' for operand #1}}
%r = "arith.maxsi"(%a, %b) : (i32, i64) -> i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.maxui' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.maxui %a, %b : f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
// expected-error@+1 {{'arith.maxui' op requires the same type for all operands and results, but got 'i32' for operand #0 and 'i64' for operand #1}}
%r = "arith.maxui"(%a, %b) : (i32, i64) -> i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.minsi' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.minsi %a, %b : f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
// expected-error@+1 {{'arith.minsi' op requires the same type for all operands and results, but got 'i32' for operand #0 and 'i64' for operand #1}}
%r = "arith.minsi"(%a, %b) : (i32, i64) -> i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.minui' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.minui %a, %b : f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
// expected-error@+1 {{'arith.minui' op requires the same type for all operands and results, but got 'i32' for operand #0 and 'i64' for operand #1}}
%r = "arith.minui"(%a, %b) : (i32, i64) -> i32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
// expected-error@+1 {{custom op 'arith.subi' expected overflow promise, one of {no_signed_wrap, no_unsigned_wrap, no_wrap}, but got 'never'}}
%r = arith.subi %a, %b overflow<never> : i32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
// expected-error@+1 {{custom op 'arith.muli' expected overflow promise, one of {no_signed_wrap, no_unsigned_wrap, no_wrap}, but got 'never'}}
%r = arith.muli %a, %b overflow<never> : i32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
// expected-error@+1 {{custom op 'arith.shli' expected overflow promise, one of {no_signed_wrap, no_unsigned_wrap, no_wrap}, but got 'never'}}
%r = arith.shli %a, %b overflow<never> : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'arith.absi' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.absi %a : f32

// -----

%a = "t.v"() : () -> tensor<4xi32>
// expected-error@+1 {{'arith.absi' op requires the same type for all operands and results, but got 'tensor<4xi32>' for operand #0 and 'tensor<8xi32>' for result #0}}
%r = "arith.absi"(%a) : (tensor<4xi32>) -> tensor<8xi32>

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'arith.negi' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.negi %a : f32

// -----

%a = "t.v"() : () -> tensor<4xi32>
// expected-error@+1 {{'arith.negi' op requires the same type for all operands and results, but got 'tensor<4xi32>' for operand #0 and 'tensor<8xi32>' for result #0}}
%r = "arith.negi"(%a) : (tensor<4xi32>) -> tensor<8xi32>

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
// expected-error@+1 {{'arith.subf' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.subf %a, %b : i32

// -----

%a = "t.v"() : () -> tensor<4xf32>
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.subf' op requires the same type for all operands and results, but got 'tensor<4xf32>' for operand #0 and 'f32' for operand #1}}
%r = "arith.subf"(%a, %b) : (tensor<4xf32>, f32) -> tensor<4xf32>

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
// expected-error@+1 {{'arith.mulf' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.mulf %a, %b : i32

// -----

%a = "t.v"() : () -> tensor<4xf32>
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.mulf' op requires the same type for all operands and results, but got 'tensor<4xf32>' for operand #0 and 'f32' for operand #1}}
%r = "arith.mulf"(%a, %b) : (tensor<4xf32>, f32) -> tensor<4xf32>

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
// expected-error@+1 {{'arith.divf' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.divf %a, %b : i32

// -----

%a = "t.v"() : () -> tensor<4xf32>
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.divf' op requires the same type for all operands and results, but got 'tensor<4xf32>' for operand #0 and 'f32' for operand #1}}
%r = "arith.divf"(%a, %b) : (tensor<4xf32>, f32) -> tensor<4xf32>

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
// expected-error@+1 {{'arith.remf' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.remf %a, %b : i32

// -----

%a = "t.v"() : () -> tensor<4xf32>
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.remf' op requires the same type for all operands and results, but got 'tensor<4xf32>' for operand #0 and 'f32' for operand #1}}
%r = "arith.remf"(%a, %b) : (tensor<4xf32>, f32) -> tensor<4xf32>

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
// expected-error@+1 {{'arith.maximumf' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.maximumf %a, %b : i32

// -----

%a = "t.v"() : () -> tensor<4xf32>
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.maximumf' op requires the same type for all operands and results, but got 'tensor<4xf32>' for operand #0 and 'f32' for operand #1}}
%r = "arith.maximumf"(%a, %b) : (tensor<4xf32>, f32) -> tensor<4xf32>

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
// expected-error@+1 {{'arith.maxnumf' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.maxnumf %a, %b : i32

// -----

%a = "t.v"() : () -> tensor<4xf32>
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.maxnumf' op requires the same type for all operands and results, but got 'tensor<4xf32>' for operand #0 and 'f32' for operand #1}}
%r = "arith.maxnumf"(%a, %b) : (tensor<4xf32>, f32) -> tensor<4xf32>

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
// expected-error@+1 {{'arith.minimumf' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.minimumf %a, %b : i32

// -----

%a = "t.v"() : () -> tensor<4xf32>
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.minimumf' op requires the same type for all operands and results, but got 'tensor<4xf32>' for operand #0 and 'f32' for operand #1}}
%r = "arith.minimumf"(%a, %b) : (tensor<4xf32>, f32) -> tensor<4xf32>

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
// expected-error@+1 {{'arith.minnumf' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.minnumf %a, %b : i32

// -----

%a = "t.v"() : () -> tensor<4xf32>
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.minnumf' op requires the same type for all operands and results, but got 'tensor<4xf32>' for operand #0 and 'f32' for operand #1}}
%r = "arith.minnumf"(%a, %b) : (tensor<4xf32>, f32) -> tensor<4xf32>

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
// expected-error@+1 {{'arith.powf' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.powf %a, %b : i32

// -----

%a = "t.v"() : () -> tensor<4xf32>
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.powf' op requires the same type for all operands and results, but got 'tensor<4xf32>' for operand #0 and 'f32' for operand #1}}
%r = "arith.powf"(%a, %b) : (tensor<4xf32>, f32) -> tensor<4xf32>

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
// expected-error@+1 {{'arith.atan2' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.atan2 %a, %b : i32

// -----

%a = "t.v"() : () -> tensor<4xf32>
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.atan2' op requires the same type for all operands and results, but got 'tensor<4xf32>' for operand #0 and 'f32' for operand #1}}
%r = "arith.atan2"(%a, %b) : (tensor<4xf32>, f32) -> tensor<4xf32>

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{custom op 'arith.subf' expected rounding mode, one of {nearest_even, zero, negative_inf, positive_inf, nearest_away, approx, full}, but got 'up'}}
%r = arith.subf %a, %b rounding<up> : f32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{custom op 'arith.mulf' expected rounding mode, one of {nearest_even, zero, negative_inf, positive_inf, nearest_away, approx, full}, but got 'up'}}
%r = arith.mulf %a, %b rounding<up> : f32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{custom op 'arith.divf' expected rounding mode, one of {nearest_even, zero, negative_inf, positive_inf, nearest_away, approx, full}, but got 'up'}}
%r = arith.divf %a, %b rounding<up> : f32

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'arith.negf' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.negf %a : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'arith.negf' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for result #0}}
%r = "arith.negf"(%a) : (f32) -> f64

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'arith.absf' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.absf %a : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'arith.absf' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for result #0}}
%r = "arith.absf"(%a) : (f32) -> f64

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'arith.exp' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.exp %a : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'arith.exp' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for result #0}}
%r = "arith.exp"(%a) : (f32) -> f64

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'arith.exp2' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.exp2 %a : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'arith.exp2' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for result #0}}
%r = "arith.exp2"(%a) : (f32) -> f64

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'arith.log' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.log %a : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'arith.log' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for result #0}}
%r = "arith.log"(%a) : (f32) -> f64

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'arith.log2' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.log2 %a : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'arith.log2' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for result #0}}
%r = "arith.log2"(%a) : (f32) -> f64

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'arith.sin' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.sin %a : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'arith.sin' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for result #0}}
%r = "arith.sin"(%a) : (f32) -> f64

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'arith.cos' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.cos %a : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'arith.cos' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for result #0}}
%r = "arith.cos"(%a) : (f32) -> f64

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'arith.tan' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.tan %a : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'arith.tan' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for result #0}}
%r = "arith.tan"(%a) : (f32) -> f64

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'arith.sinh' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.sinh %a : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'arith.sinh' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for result #0}}
%r = "arith.sinh"(%a) : (f32) -> f64

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'arith.cosh' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.cosh %a : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'arith.cosh' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for result #0}}
%r = "arith.cosh"(%a) : (f32) -> f64

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'arith.tanh' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.tanh %a : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'arith.tanh' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for result #0}}
%r = "arith.tanh"(%a) : (f32) -> f64

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'arith.sqrt' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.sqrt %a : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'arith.sqrt' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for result #0}}
%r = "arith.sqrt"(%a) : (f32) -> f64

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'arith.rsqrt' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.rsqrt %a : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'arith.rsqrt' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for result #0}}
%r = "arith.rsqrt"(%a) : (f32) -> f64

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'arith.floor' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.floor %a : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'arith.floor' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for result #0}}
%r = "arith.floor"(%a) : (f32) -> f64

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'arith.ceil' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.ceil %a : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'arith.ceil' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for result #0}}
%r = "arith.ceil"(%a) : (f32) -> f64

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
%c = "t.v"() : () -> f64
// expected-error@+1 {{'arith.fma' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for operand #2}}
%r = "arith.fma"(%a, %b, %c) : (f32, f32, f64) -> f32

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'arith.fma' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.fma %a, %a, %a : i32
