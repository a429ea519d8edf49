// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What each operation of arith rejects.

// expected-error@+1 {{'arith.constant' op requires a value of type 'i64' for the result type 'i64', but got 'i32'}}
%r = "arith.constant"() <{value = 1 : i32}> : () -> i64

// -----

// expected-error@+1 {{'arith.constant' op requires a value of type 'tensor<4xi8>' for the result type 'tensor<4xi8>', but got 'tensor<2xi8>'}}
%r = "arith.constant"() <{value = dense<1> : tensor<2xi8>}> : () -> tensor<4xi8>

// -----

// expected-error@+1 {{'arith.constant' op requires a value of type 'tensor<4xi8>' for the result type 'tensor<4xi8>', but got 'i8'}}
%r = "arith.constant"() <{value = 1 : i8}> : () -> tensor<4xi8>

// -----

// expected-error@+1 {{'arith.constant' op requires a value of type 'tensor<4xi8>' for the result type 'tensor<4xi8, "e">', but got 'tensor<4xi8, "e">'}}
%r = arith.constant dense<1> : tensor<4xi8, "e">

// -----

// expected-error@+1 {{'arith.constant' op attribute 'value' failed to satisfy constraint: TypedAttr instance, but got "text"}}
%r = "arith.constant"() <{value = "text"}> : () -> i32

// -----

// expected-error@+1 {{'arith.constant' op requires attribute 'value'}}
%r = "arith.constant"() : () -> i32

// -----

// expected-error@+1 {{expected a typed constant}}
%r = arith.constant "text"

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
// expected-error@+1 {{'arith.addi' op requires the same type for all operands and results, but got 'i32' for operand #0 and 'i64' for operand #1}}
%r = "arith.addi"(%a, %b) : (i32, i64) -> i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.addi' op operand #0 must be integer or tensor of integers, but got 'f32'}}
%r = arith.addi %a, %b : f32

// -----

%a = "t.v"() : () -> !cuda_tile.tile<4xi32>
%b = "t.v"() : () -> !cuda_tile.tile<4xi32>
// expected-error@+1 {{'arith.addi' op operand #0 must be integer or tensor of integers, but got '!cuda_tile.tile<4xi32>'}}
%r = arith.addi %a, %b : !cuda_tile.tile<4xi32>

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
// expected-error@+1 {{expected overflow promise, one of {no_signed_wrap, no_unsigned_wrap, no_wrap}, but got 'sometimes'}}
%r = arith.addi %a, %b overflow<sometimes> : i32

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'arith.addi' op expected 2 operands, but found 1}}
%r = "arith.addi"(%a) : (i32) -> i32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
// expected-error@+1 {{'arith.addf' op operand #0 must be floating-point or tensor of floating-point, but got 'i32'}}
%r = arith.addf %a, %b : i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'arith.addf' op attribute 'rounding' failed to satisfy constraint: rounding mode, one of {nearest_even, zero, negative_inf, positive_inf, nearest_away, approx, full}, but got "up"}}
%r = "arith.addf"(%a, %b) <{rounding = "up"}> : (f32, f32) -> f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
// expected-error@+1 {{'arith.cmpi' op requires the same type for all operands, but got 'i32' and 'i64'}}
%r = "arith.cmpi"(%a, %b) <{predicate = "eq"}> : (i32, i64) -> i1

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
// expected-error@+1 {{'arith.cmpi' op requires attribute 'predicate'}}
%r = "arith.cmpi"(%a, %b) : (i32, i32) -> i1

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
// expected-error@+1 {{'arith.cmpi' op result #0 must be i1 or tensor of i1, but got 'i32'}}
%r = "arith.cmpi"(%a, %b) <{predicate = "eq"}> : (i32, i32) -> i32

// -----

%a = "t.v"() : () -> tensor<4xi8>
%b = "t.v"() : () -> tensor<4xi8>
// expected-error@+1 {{'arith.cmpi' op requires the same shape and encoding for all operands and results, but got 'tensor<4xi8>' for operand #0 and 'i1' for result #0}}
%r = "arith.cmpi"(%a, %b) <{predicate = "eq"}> : (tensor<4xi8>, tensor<4xi8>) -> i1

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
// expected-error@+1 {{expected integer comparison, one of {eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge}, but got 'olt'}}
%r = arith.cmpi olt, %a, %b : i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> f16
// expected-error@+1 {{'arith.cmpf' op requires the same type for all operands, but got 'f32' and 'f16'}}
%r = "arith.cmpf"(%a, %b) <{predicate = "oeq"}> : (f32, f16) -> i1

// -----

%a = "t.v"() : () -> i1
%b = "t.v"() : () -> i32
%c = "t.v"() : () -> i8
// expected-error@+1 {{'arith.select' op requires both values to have the result type 'i32', but got 'i8' for operand #2}}
%r = "arith.select"(%a, %b, %c) : (i1, i32, i8) -> i32

// -----

%a = "t.v"() : () -> i8
%b = "t.v"() : () -> i32
%c = "t.v"() : () -> i32
// expected-error@+1 {{'arith.select' op operand #0 must be i1 or tensor of i1, but got 'i8'}}
%r = arith.select %a, %b, %c : i8, i32

// -----

%a = "t.v"() : () -> tensor<2xi1>
%b = "t.v"() : () -> tensor<4xi8>
%c = "t.v"() : () -> tensor<4xi8>
// expected-error@+1 {{'arith.select' op requires a condition of type 'i1' or of the shape of the result, but got 'tensor<2xi1>' for result 'tensor<4xi8>'}}
%r = arith.select %a, %b, %c : tensor<2xi1>, tensor<4xi8>

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'arith.extsi' op result must be wider than the operand, but got 32 bits to 32}}
%r = arith.extsi %a : i32 to i32

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'arith.extui' op result must be wider than the operand, but got 32 bits to 32}}
%r = arith.extui %a : i32 to i32

// -----

%a = "t.v"() : () -> tensor<4xi8>
// expected-error@+1 {{'arith.extsi' op requires the same shape and encoding for all operands and results, but got 'tensor<4xi8>' for operand #0 and 'i32' for result #0}}
%r = arith.extsi %a : tensor<4xi8> to i32

// -----

%a = "t.v"() : () -> i8
// expected-error@+1 {{'arith.trunci' op result must be narrower than the operand, but got 8 bits to 32}}
%r = arith.trunci %a : i8 to i32

// -----

%a = "t.v"() : () -> f16
// expected-error@+1 {{'arith.bitcast' op operand and result must be equally wide, but got 16 bits to 32}}
%r = arith.bitcast %a : f16 to i32

// -----

%a = "t.v"() : () -> tensor<4xf32>
// expected-error@+1 {{'arith.ftof' op requires the same shape and encoding for all operands and results, but got 'tensor<4xf32>' for operand #0 and 'tensor<2xf16>' for result #0}}
%r = arith.ftof %a : tensor<4xf32> to tensor<2xf16>

// -----

%a = "t.v"() : () -> tensor<4xi8>
// expected-error@+1 {{'arith.sitofp' op requires the same shape and encoding for all operands and results, but got 'tensor<4xi8>' for operand #0 and 'tensor<2xf16>' for result #0}}
%r = arith.sitofp %a : tensor<4xi8> to tensor<2xf16>

// -----

%a = "t.v"() : () -> tensor<4xi8>
// expected-error@+1 {{'arith.uitofp' op requires the same shape and encoding for all operands and results, but got 'tensor<4xi8>' for operand #0 and 'tensor<2xf16>' for result #0}}
%r = arith.uitofp %a : tensor<4xi8> to tensor<2xf16>

// -----

%a = "t.v"() : () -> tensor<4xf32>
// expected-error@+1 {{'arith.fptosi' op requires the same shape and encoding for all operands and results, but got 'tensor<4xf32>' for operand #0 and 'tensor<2xi8>' for result #0}}
%r = arith.fptosi %a : tensor<4xf32> to tensor<2xi8>

// -----

%a = "t.v"() : () -> tensor<4xf32>
// expected-error@+1 {{'arith.fptoui' op requires the same shape and encoding for all operands and results, but got 'tensor<4xf32>' for operand #0 and 'tensor<2xi8>' for result #0}}
%r = arith.fptoui %a : tensor<4xf32> to tensor<2xi8>

// -----

%a = "t.v"() : () -> tensor<4xf32, #nv_tileas.layout<"{shape = [2], register = [[1]], lane = [], warp = [], block = []}">>
// expected-error@+1 {{'arith.addf' op operand #0 must be floating-point or tensor of floating-point, but got 'tensor<4xf32, #nv_tileas.layout<}}
%r = arith.addf %a, %a : tensor<4xf32, #nv_tileas.layout<"{shape = [2], register = [[1]], lane = [], warp = [], block = []}">>
