// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What each operation of nv_tileas rejects.

// expected-error@+1 {{unknown type 'nosuch' in dialect 'nv_tileas'}}
%r = "t.v"() : () -> !nv_tileas.nosuch

// -----

// expected-error@+1 {{a pointer must point to a number or pointer, but got 'tensor<4xf32>'}}
%r = "t.v"() : () -> !nv_tileas.ptr<tensor<4xf32>>

// -----

// expected-error@+1 {{'nv_tileas.func' op parameter #0 must be a number or a pointer of the level, but got 'tensor<4xf32>'}}
nv_tileas.func @f(%x: tensor<4xf32>) {
  nv_tileas.return
}

// -----

// expected-error@+1 {{'nv_tileas.func' op parameter #0 must be a number or a pointer of the level, but got '!nv_tileaa.ptr<f32>'}}
nv_tileas.func @f(%x: !nv_tileaa.ptr<f32>) {
  nv_tileas.return
}

// -----

// expected-error@+1 {{num_warps must be from 1 to 32, but got 64}}
nv_tileas.func @f() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 64>} {
  nv_tileas.return
}

// -----

// expected-error@+1 {{num_ctas must be a power of two, but got 3}}
nv_tileas.func @f() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_ctas = 3>} {
  nv_tileas.return
}

// -----

// expected-error@+1 {{occupancy must be from 1 to 32, but got 0}}
nv_tileas.func @f() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<occupancy = 0>} {
  nv_tileas.return
}

// -----

// expected-error@+1 {{'nv_tileas.func' op num_warps must be a power of two, but got 3}}
nv_tileas.func @f() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 3>} {
  nv_tileas.return
}

// -----

// expected-error@+1 {{'nv_tileas.func' op attribute 'num_warps' is a field of 'nv_tileaa.kernel_spec': 'nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps ...>'}}
nv_tileas.func @f() attributes {num_warps = 4 : i32} {
  nv_tileas.return
}

// -----

// expected-error@+1 {{'nv_tileas.func' op attribute 'nv_tileaa.kernel_spec' failed to satisfy constraint: kernel specification attribute, but got {num_warps = 4 : i32}}}
nv_tileas.func @f() attributes {nv_tileaa.kernel_spec = {num_warps = 4 : i32}} {
  nv_tileas.return
}

// -----

// expected-error@+1 {{'nv_tileas.func' op must have a body}}
"nv_tileas.func"() <{sym_name = "f"}> ({
}) : () -> ()

// -----

// expected-error@+1 {{'nv_tileas.func' op expects region #0 to have 0 or 1 blocks, but it has 2}}
nv_tileas.func @f() {
  "cf.br"()[^bb1] : () -> ()
^bb1:
  nv_tileas.return
}

// -----

// expected-error@+1 {{'nv_tileas.return' op must stand in 'nv_tileas.func' or in control flow there, but stands in 'builtin.module'}}
nv_tileas.return

// -----

nv_tileas.func @f(%c: i1) {
  "t.region"() ({
    // expected-error@+1 {{'nv_tileas.return' op must stand in 'nv_tileas.func' or in control flow there, but stands in 't.region'}}
    nv_tileas.return
  }) : () -> ()
  nv_tileas.return
}

// -----

// expected-error@+1 {{'nv_tileas.get_program_id' op result #1 must be i32, but got 'i64'}}
%x, %y, %z = nv_tileas.get_program_id : i32, i64, i32

// -----

// expected-error@+1 {{'nv_tileas.get_cta_rank' op result #0 must be i32, but got 'i64'}}
%rank = nv_tileas.get_cta_rank : i64

// -----

// expected-error@+1 {{'nv_tileas.get_num_programs' op result #1 must be i32, but got 'i64'}}
%x, %y, %z = nv_tileas.get_num_programs : i32, i64, i32

// -----

// expected-error@+1 {{'nv_tileas.global' op needs dense elements, but got 1 : i32}}
"nv_tileas.global"() <{sym_name = "g", value = 1 : i32}> : () -> ()

// -----

// expected-error@+1 {{'nv_tileas.global' op alignment must be a power of two, but got 3}}
nv_tileas.global @g = dense<1> : tensor<4xi32> {alignment = 3 : i64}

// -----

// expected-error@+1 {{'nv_tileas.get_global' op result #0 must be pointer, but got 'i64'}}
%r = nv_tileas.get_global "g" : i64

// -----

// expected-error@+1 {{'nv_tileas.get_global' op result #0 must be of dialect 'nv_tileas', but got '!nv_tileaa.ptr<f32>'}}
%r = nv_tileas.get_global "g" : !nv_tileaa.ptr<f32>

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'nv_tileas.splat' op requires the same element type for operand and result, but got 'f32' and 'f16'}}
%r = nv_tileas.splat %a : f32 -> tensor<4xf16>

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'nv_tileas.splat' op result #0 must be tensor, but got 'tensor<f32>'}}
%r = nv_tileas.splat %a : f32 -> tensor<f32>

// -----

%a = "t.v"() : () -> index
// expected-error@+1 {{'nv_tileas.splat' op operand #0 must be number or pointer, but got 'index'}}
%r = nv_tileas.splat %a : index -> tensor<4xindex>

// -----

%a = "t.v"() : () -> !nv_tileaa.ptr<f32>
// expected-error@+1 {{'nv_tileas.splat' op operand #0 must be of dialect 'nv_tileas', but got '!nv_tileaa.ptr<f32>'}}
%r = nv_tileas.splat %a : !nv_tileaa.ptr<f32> -> tensor<4x!nv_tileaa.ptr<f32>>

// -----

%a = "t.v"() : () -> tensor<2xf32>
// expected-error@+1 {{'nv_tileas.unsplat' op operand must have one element, but got 2}}
%r = nv_tileas.unsplat %a : tensor<2xf32> -> f32

// -----

%a = "t.v"() : () -> tensor<2x4xf32>
// expected-error@+1 {{'nv_tileas.reshape' op must keep the number of elements, but changes it from 8 to 4}}
%r = nv_tileas.reshape %a : tensor<2x4xf32> -> tensor<4xf32>

// -----

%a = "t.v"() : () -> tensor<2x4xf32>
// expected-error@+1 {{'nv_tileas.reshape' op requires the same element type for operand and result, but got 'f32' and 'i32'}}
%r = nv_tileas.reshape %a : tensor<2x4xf32> -> tensor<8xi32>

// -----

%a = "t.v"() : () -> tensor<1x4xf32>
// expected-error@+1 {{'nv_tileas.broadcast' op must keep the rank, but changes it from 2 to 1}}
%r = nv_tileas.broadcast %a : tensor<1x4xf32> -> tensor<4xf32>

// -----

%a = "t.v"() : () -> tensor<2x4xf32>
// expected-error@+1 {{'nv_tileas.broadcast' op dimension 0 must have size 1 or that of the result, 8, but got 2}}
%r = nv_tileas.broadcast %a : tensor<2x4xf32> -> tensor<8x4xf32>

// -----

%a = "t.v"() : () -> tensor<2x4xf32>
// expected-error@+1 {{'nv_tileas.permute' op permutation must have one entry for each of 2 dimensions, but got 1}}
%r = nv_tileas.permute %a [0] : tensor<2x4xf32> -> tensor<2x4xf32>

// -----

%a = "t.v"() : () -> tensor<2x4xf32>
// expected-error@+1 {{'nv_tileas.permute' op permutation must name each dimension once, but entry #1 is 0}}
%r = nv_tileas.permute %a [0, 0] : tensor<2x4xf32> -> tensor<2x2xf32>

// -----

%a = "t.v"() : () -> tensor<2x4xf32>
// expected-error@+1 {{'nv_tileas.permute' op permutation must name each dimension once, but entry #1 is 2}}
%r = nv_tileas.permute %a [1, 2] : tensor<2x4xf32> -> tensor<4x2xf32>

// -----

%a = "t.v"() : () -> tensor<2x4xf32>
// expected-error@+1 {{'nv_tileas.permute' op result dimension 0 must have size 4, but got 2}}
%r = nv_tileas.permute %a [1, 0] : tensor<2x4xf32> -> tensor<2x4xf32>

// -----

%a = "t.v"() : () -> tensor<2x4xf32>
// expected-error@+1 {{'nv_tileas.permute' op must keep the rank, but changes it from 2 to 1}}
%r = nv_tileas.permute %a [1, 0] : tensor<2x4xf32> -> tensor<8xf32>

// -----

// expected-error@+1 {{'nv_tileas.make_range' op result must have one dimension, but got 2}}
%r = nv_tileas.make_range : tensor<2x2xi32>

// -----

// expected-error@+1 {{'nv_tileas.make_range' op result #0 must be tensor of integers, but got 'tensor<4xf32>'}}
%r = nv_tileas.make_range : tensor<4xf32>

// -----

%a = "t.v"() : () -> !nv_tileas.ptr<f32>
%b = "t.v"() : () -> i32
// expected-error@+1 {{'nv_tileas.addptr' op result must have the type '!nv_tileas.ptr<f32>' of the pointer, but got '!nv_tileas.ptr<i32>'}}
%r = "nv_tileas.addptr"(%a, %b) : (!nv_tileas.ptr<f32>, i32) -> !nv_tileas.ptr<i32>

// -----

%a = "t.v"() : () -> !nv_tileas.ptr<f32>
%b = "t.v"() : () -> tensor<4xi32>
// expected-error@+1 {{'nv_tileas.addptr' op pointer and offset must have the same shape, but got '!nv_tileas.ptr<f32>' and 'tensor<4xi32>'}}
%r = nv_tileas.addptr %a, %b : !nv_tileas.ptr<f32>, tensor<4xi32>

// -----

%a = "t.v"() : () -> tensor<4xf32>
%b = "t.v"() : () -> i32
// expected-error@+1 {{'nv_tileas.extract' op subtile and tile must have the same element type and rank, but got 'tensor<2xf16>' and 'tensor<4xf32>'}}
%r = nv_tileas.extract %a[%b] : tensor<4xf32>, i32 -> tensor<2xf16>

// -----

%a = "t.v"() : () -> tensor<4x4xf32>
%b = "t.v"() : () -> i32
// expected-error@+1 {{'nv_tileas.extract' op needs an index for each of 2 dimensions, but got 1}}
%r = nv_tileas.extract %a[%b] : tensor<4x4xf32>, i32 -> tensor<2x2xf32>

// -----

%a = "t.v"() : () -> tensor<3xf32>
%b = "t.v"() : () -> tensor<4xf32>
%c = "t.v"() : () -> i32
// expected-error@+1 {{'nv_tileas.insert' op dimension 0 of 4 elements cannot be cut into parts of 3}}
%r = nv_tileas.insert %a, %b[%c] : tensor<3xf32>, tensor<4xf32>, i32

// -----

%a = "t.v"() : () -> tensor<2xf32>
%b = "t.v"() : () -> tensor<4xf32>
%c = "t.v"() : () -> i32
// expected-error@+1 {{'nv_tileas.insert' op result must have the type 'tensor<4xf32>' of the destination, but got 'tensor<2xf32>'}}
%r = "nv_tileas.insert"(%a, %b, %c) : (tensor<2xf32>, tensor<4xf32>, i32) -> tensor<2xf32>

// -----

%a = "t.v"() : () -> tensor<4xf32>
%b = "t.v"() : () -> tensor<4xf16>
// expected-error@+1 {{'nv_tileas.cat' op requires the same element type and rank for operands and result, but got 'tensor<4xf32>', 'tensor<4xf16>' and 'tensor<8xf32>'}}
%r = nv_tileas.cat %a, %b dim 0 : tensor<4xf32>, tensor<4xf16> -> tensor<8xf32>

// -----

%a = "t.v"() : () -> tensor<4xf32>
%b = "t.v"() : () -> tensor<4xf32>
// expected-error@+1 {{'nv_tileas.cat' op dim must be from 0 to 0, but got 1}}
%r = nv_tileas.cat %a, %b dim 1 : tensor<4xf32>, tensor<4xf32> -> tensor<8xf32>

// -----

%a = "t.v"() : () -> tensor<4xf32>
%b = "t.v"() : () -> tensor<4xf32>
// expected-error@+1 {{'nv_tileas.cat' op result dimension 0 must have size 8, but got 4}}
%r = nv_tileas.cat %a, %b dim 0 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>

// -----

%a = "t.v"() : () -> tensor<2x4xf32>
%b = "t.v"() : () -> tensor<4x4xf32>
// expected-error@+1 {{'nv_tileas.cat' op operands must have the same size in dimension 0, but got 2 and 4}}
%r = nv_tileas.cat %a, %b dim 1 : tensor<2x4xf32>, tensor<4x4xf32> -> tensor<2x8xf32>

// -----

%a = "t.v"() : () -> tensor<4xi32>
// expected-error@+1 {{'nv_tileas.pack' op operand and result must have the same bytes along the last dimension and the same other dimensions, but got 'tensor<4xi32>' and 'tensor<8xi8>'}}
%r = nv_tileas.pack %a : tensor<4xi32> -> tensor<8xi8>

// -----

%a = "t.v"() : () -> tensor<4xi16>
// expected-error@+1 {{'nv_tileas.unpack' op requires bytes and elements that divide a byte or that bytes make up, but got 'tensor<4xi16>' and 'tensor<2xi32>'}}
%r = nv_tileas.unpack %a : tensor<4xi16> -> tensor<2xi32>

// -----

%a = "t.v"() : () -> tensor<4x!nv_tileas.ptr<f32>>
// expected-error@+1 {{'nv_tileas.ptr_to_int' op operand and result must have the same shape, but got 'tensor<4x!nv_tileas.ptr<f32>>' and 'tensor<2xi64>'}}
%r = nv_tileas.ptr_to_int %a : tensor<4x!nv_tileas.ptr<f32>> -> tensor<2xi64>

// -----

%a = "t.v"() : () -> i64
// expected-error@+1 {{'nv_tileas.int_to_ptr' op operand and result must have the same shape, but got 'i64' and 'tensor<4x!nv_tileas.ptr<f32>>'}}
%r = nv_tileas.int_to_ptr %a : i64 -> tensor<4x!nv_tileas.ptr<f32>>

// -----

%a = "t.v"() : () -> !nv_tileas.ptr<f32>
// expected-error@+1 {{'nv_tileas.ptr_to_ptr' op result #0 must be of dialect 'nv_tileas', but got '!nv_tileaa.ptr<f32>'}}
%r = nv_tileas.ptr_to_ptr %a : !nv_tileas.ptr<f32> -> !nv_tileaa.ptr<f32>

// -----

%a = "t.v"() : () -> tensor<4x8xf32>
// expected-error@+1 {{'nv_tileas.reduce' op dim must be from 0 to 1, but got 2}}
%r = nv_tileas.reduce (%a) {dim = 2 : i64} : (tensor<4x8xf32>) -> tensor<4xf32> (%x: f32, %y: f32) {
  nv_tileas.yield %y : f32
}

// -----

%a = "t.v"() : () -> tensor<4x8xf32>
// expected-error@+1 {{'nv_tileas.reduce' op result #0 must be operand #0 without dimension 1, of shape [4] and element type 'f32', but got 'tensor<8xf32>'}}
%r = nv_tileas.reduce (%a) {dim = 1 : i64} : (tensor<4x8xf32>) -> tensor<8xf32> (%x: f32, %y: f32) {
  nv_tileas.yield %y : f32
}

// -----

// expected-error@+1 {{'nv_tileas.reduce' op needs at least one operand and as many results, but got 0 and 0}}
"nv_tileas.reduce"() <{dim = 0 : i64}> ({
}) : () -> ()

// -----

%a = "t.v"() : () -> tensor<4xf32>
%b = "t.v"() : () -> tensor<8xf32>
// expected-error@+1 {{'nv_tileas.reduce' op requires the same shape for all operands, but got 'tensor<4xf32>' and 'tensor<8xf32>'}}
%r:2 = "nv_tileas.reduce"(%a, %b) <{dim = 0 : i64}> ({
}) : (tensor<4xf32>, tensor<8xf32>) -> (f32, f32)

// -----

%a = "t.v"() : () -> tensor<4xf32>
// expected-error@+1 {{'nv_tileas.reduce' op needs an identity for each of 1 operands, but got 0}}
%r = nv_tileas.reduce (%a) {dim = 0 : i64, identities = []} : (tensor<4xf32>) -> f32 (%x: f32, %y: f32) {
  nv_tileas.yield %y : f32
}

// -----

%a = "t.v"() : () -> tensor<4xf32>
// expected-error@+1 {{'nv_tileas.reduce' op identity #0 must be of type 'f32', but got 0 : i32}}
%r = nv_tileas.reduce (%a) {dim = 0 : i64, identities = [0 : i32]} : (tensor<4xf32>) -> f32 (%x: f32, %y: f32) {
  nv_tileas.yield %y : f32
}

// -----

%a = "t.v"() : () -> tensor<4xf32>
// expected-error@+1 {{'nv_tileas.reduce' op needs a region}}
%r = "nv_tileas.reduce"(%a) <{dim = 0 : i64}> ({
}) : (tensor<4xf32>) -> f32

// -----

%a = "t.v"() : () -> tensor<4xf32>
// expected-error@+1 {{'nv_tileas.reduce' op region must have two arguments for each of 1 operands, but got 1}}
%r = "nv_tileas.reduce"(%a) <{dim = 0 : i64}> ({
^bb0(%x: f32):
  "nv_tileas.yield"(%x) : (f32) -> ()
}) : (tensor<4xf32>) -> f32

// -----

%a = "t.v"() : () -> tensor<4xf32>
// expected-error@+1 {{'nv_tileas.reduce' op region argument #1 must have the element type 'f32' of operand #0, but got 'i32'}}
%r = "nv_tileas.reduce"(%a) <{dim = 0 : i64}> ({
^bb0(%x: f32, %y: i32):
  "nv_tileas.yield"(%x) : (f32) -> ()
}) : (tensor<4xf32>) -> f32

// -----

%a = "t.v"() : () -> tensor<4xf32>
%r = nv_tileas.reduce (%a) {dim = 0 : i64} : (tensor<4xf32>) -> f32 (%x: f32, %y: f32) {
  // expected-error@+1 {{'nv_tileas.yield' op must be a 'nv_tileas.yield' of a value for each of 1 operands}}
  nv_tileas.yield
}

// -----

%a = "t.v"() : () -> tensor<4xf32>
%r = nv_tileas.reduce (%a) {dim = 0 : i64} : (tensor<4xf32>) -> f32 (%x: f32, %y: f32) {
  %z = arith.constant 1 : i32
  // expected-error@+1 {{'nv_tileas.yield' op operand #0 must have the element type 'f32' of what is reduced, but got 'i32'}}
  nv_tileas.yield %z : i32
}

// -----

// expected-error@+1 {{'nv_tileas.yield' op expects parent op to be one of 'nv_tileas.reduce, nv_tileas.scan', but got 'builtin.module'}}
nv_tileas.yield

// -----

%a = "t.v"() : () -> tensor<4xf32>
// expected-error@+1 {{'nv_tileas.scan' op dim must be from 0 to 0, but got -1}}
%r = nv_tileas.scan (%a) {dim = -1 : i64} : (tensor<4xf32>) -> tensor<4xf32> (%x: f32, %y: f32) {
  nv_tileas.yield %y : f32
}

// -----

%a = "t.v"() : () -> tensor<4xf32>
// expected-error@+1 {{'nv_tileas.scan' op result #0 must have the type 'tensor<4xf32>' of its operand, but got 'tensor<2xf32>'}}
%r = nv_tileas.scan (%a) {dim = 0 : i64} : (tensor<4xf32>) -> tensor<2xf32> (%x: f32, %y: f32) {
  nv_tileas.yield %y : f32
}

// -----

%a = "t.v"() : () -> tensor<4xf32>
%b = "t.v"() : () -> tensor<8xf32>
// expected-error@+1 {{'nv_tileas.scan' op requires the same shape for all operands, but got 'tensor<4xf32>' and 'tensor<8xf32>'}}
%r:2 = "nv_tileas.scan"(%a, %b) <{dim = 0 : i64}> ({
}) : (tensor<4xf32>, tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>)

// -----

// expected-error@+1 {{'nv_tileas.scan' op needs at least one operand and as many results, but got 0 and 0}}
"nv_tileas.scan"() <{dim = 0 : i64}> ({
}) : () -> ()

// -----

%a = "t.v"() : () -> tensor<4x8xf16>
%b = "t.v"() : () -> tensor<8x4xf16>
%c = "t.v"() : () -> tensor<4x4xf32>
// expected-error@+1 {{'nv_tileas.dot' op result must have the type 'tensor<4x4xf32>' of the accumulator, but got 'tensor<4x4xf16>'}}
%r = "nv_tileas.dot"(%a, %b, %c) : (tensor<4x8xf16>, tensor<8x4xf16>, tensor<4x4xf32>) -> tensor<4x4xf16>

// -----

%a = "t.v"() : () -> tensor<4xf16>
%b = "t.v"() : () -> tensor<8x4xf16>
%c = "t.v"() : () -> tensor<4x4xf32>
// expected-error@+1 {{'nv_tileas.dot' op operands must all be matrices or all be batches of matrices, but have the ranks 1, 2 and 2}}
%r = "nv_tileas.dot"(%a, %b, %c) : (tensor<4xf16>, tensor<8x4xf16>, tensor<4x4xf32>) -> tensor<4x4xf32>

// -----

%a = "t.v"() : () -> tensor<4x8xf16>
%b = "t.v"() : () -> tensor<4x4xf16>
%c = "t.v"() : () -> tensor<4x4xf32>
// expected-error@+1 {{'nv_tileas.dot' op shapes [4 8] x [4 4] do not give [4 4]}}
%r = "nv_tileas.dot"(%a, %b, %c) : (tensor<4x8xf16>, tensor<4x4xf16>, tensor<4x4xf32>) -> tensor<4x4xf32>

// -----

%a = "t.v"() : () -> tensor<4x8xf16>
%b = "t.v"() : () -> tensor<8x4xi8>
%c = "t.v"() : () -> tensor<4x4xf32>
// expected-error@+1 {{'nv_tileas.dot' op elements must all be integers or all be floating-point, but got 'f16', 'i8' and 'f32'}}
%r = "nv_tileas.dot"(%a, %b, %c) : (tensor<4x8xf16>, tensor<8x4xi8>, tensor<4x4xf32>) -> tensor<4x4xf32>

// -----

%a = "t.v"() : () -> tensor<4x8xf16>
%b = "t.v"() : () -> tensor<8x4xf16>
%c = "t.v"() : () -> tensor<4x4xf32>
// expected-error@+1 {{'nv_tileas.dot' op floating-point elements cannot be unsigned}}
%r = "nv_tileas.dot"(%a, %b, %c) <{unsigned_lhs}> : (tensor<4x8xf16>, tensor<8x4xf16>, tensor<4x4xf32>) -> tensor<4x4xf32>

// -----

%a = "t.v"() : () -> tensor<4x64xf8E4M3FN>
%b = "t.v"() : () -> tensor<64x4xf8E4M3FN>
%c = "t.v"() : () -> tensor<4x4xf32>
%d = "t.v"() : () -> tensor<4x3xf8E8M0FNU>
%e = "t.v"() : () -> tensor<3x4xf8E8M0FNU>
// expected-error@+1 {{'nv_tileas.dot_scaled' op scales of shapes [4 3] and [3 4] do not fit operands of [4 64] and [64 4]}}
%r = nv_tileas.dot_scaled %a, %b, %c, %d, %e : tensor<4x64xf8E4M3FN>, tensor<64x4xf8E4M3FN>, tensor<4x3xf8E8M0FNU>, tensor<3x4xf8E8M0FNU> -> tensor<4x4xf32>

// -----

// expected-error@+1 {{'nv_tileas.create_mem_token' op result #0 must be memory token, but got 'i32'}}
%r = nv_tileas.create_mem_token : i32

// -----

// expected-error@+1 {{'nv_tileas.create_mem_token' op result #0 must be of dialect 'nv_tileas', but got '!nv_tileaa.mem_token'}}
%r = nv_tileas.create_mem_token : !nv_tileaa.mem_token

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'nv_tileas.join_mem_token' op operand #0 must be variadic of memory token, but got 'i32'}}
%r = "nv_tileas.join_mem_token"(%a) : (i32) -> !nv_tileas.mem_token

// -----

%a = "t.v"() : () -> !nv_tileaa.mem_token
// expected-error@+1 {{'nv_tileas.grid_wait' op operand #0 must be of dialect 'nv_tileas', but got '!nv_tileaa.mem_token'}}
%r = nv_tileas.grid_wait %a : !nv_tileaa.mem_token -> !nv_tileas.mem_token

// -----

%a = "t.v"() : () -> !nv_tileaa.mem_token
// expected-error@+1 {{'nv_tileas.grid_launch_dependents' op operand #0 must be of dialect 'nv_tileas', but got '!nv_tileaa.mem_token'}}
%r = nv_tileas.grid_launch_dependents %a : !nv_tileaa.mem_token -> !nv_tileas.mem_token

// -----

%a = "t.v"() : () -> !nv_tileaa.mem_token
// expected-error@+1 {{'nv_tileas.fence_alias' op operand #0 must be of dialect 'nv_tileas', but got '!nv_tileaa.mem_token'}}
%r = nv_tileas.fence_alias %a : !nv_tileaa.mem_token -> !nv_tileas.mem_token

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'nv_tileas.assert' op operand #0 must be i1 or tensor of i1, but got 'i32'}}
nv_tileas.assert %a, "m" : i32

// -----

// expected-error@+1 {{'nv_tileas.print' op result #0 must be memory token, but got 'i32'}}
%r = nv_tileas.print "m" -> i32

// -----

%a = "t.v"() : () -> !nv_tileas.ptr<f32>
// expected-error@+1 {{'nv_tileas.tiled_load' op needs an offset, a size and a stride for each of 1 dimensions, but got 0, 0 and 0}}
%r, %k = nv_tileas.tiled_load %a[] sizes [] strides [] {bounds = array<i1>} : !nv_tileas.ptr<f32> -> tensor<4xf32>

// -----

%a = "t.v"() : () -> !nv_tileas.ptr<f32>
// expected-error@+1 {{'nv_tileas.tiled_load' op must point to the element type 'i32' of the value, but points to 'f32'}}
%r, %k = nv_tileas.tiled_load %a[] sizes [] strides [] {bounds = array<i1>} : !nv_tileas.ptr<f32> -> i32

// -----

%a = "t.v"() : () -> !nv_tileas.ptr<f32>
// expected-error@+1 {{'nv_tileas.tiled_load' op 'bounds' needs an entry for each of 0 dimensions, but got 1}}
%r, %k = nv_tileas.tiled_load %a[] sizes [] strides [] {bounds = array<i1: true>} : !nv_tileas.ptr<f32> -> f32

// -----

%a = "t.v"() : () -> !nv_tileas.ptr<f32>
// expected-error@+1 {{'nv_tileas.tiled_load' op requires attribute 'bounds'}}
%r, %k = nv_tileas.tiled_load %a[] sizes [] strides [] : !nv_tileas.ptr<f32> -> f32

// -----

%a = "t.v"() : () -> !nv_tileas.ptr<f32>
// expected-error@+1 {{'nv_tileas.tiled_load' op latency must be from 1 to 10, but got 11}}
%r, %k = nv_tileas.tiled_load %a[] sizes [] strides [] {bounds = array<i1>, latency = 11 : i64} : !nv_tileas.ptr<f32> -> f32

// -----

%a = "t.v"() : () -> !nv_tileas.ptr<f32>
// expected-error@+1 {{'nv_tileas.tiled_load' op memory ordering must be one of {weak, relaxed, acquire}, but got 'release'}}
%r, %k = nv_tileas.tiled_load %a[] sizes [] strides [] {bounds = array<i1>, ordering = "release", scope = "sys"} : !nv_tileas.ptr<f32> -> f32

// -----

%a = "t.v"() : () -> !nv_tileas.ptr<f32>
// expected-error@+1 {{'nv_tileas.tiled_load' op memory ordering 'acquire' needs a scope}}
%r, %k = nv_tileas.tiled_load %a[] sizes [] strides [] {bounds = array<i1>, ordering = "acquire"} : !nv_tileas.ptr<f32> -> f32

// -----

%a = "t.v"() : () -> !nv_tileas.ptr<f32>
// expected-error@+1 {{'nv_tileas.tiled_load' op memory ordering 'weak' must have no scope, but got 'sys'}}
%r, %k = nv_tileas.tiled_load %a[] sizes [] strides [] {bounds = array<i1>, scope = "sys"} : !nv_tileas.ptr<f32> -> f32

// -----

%a = "t.v"() : () -> !nv_tileas.ptr<f32>
// expected-error@+1 {{'nv_tileas.tiled_load' op attribute 'padding' failed to satisfy constraint: padding value, one of {zero, neg_zero, nan, pos_inf, neg_inf}, but got "one"}}
%r, %k = nv_tileas.tiled_load %a[] sizes [] strides [] {bounds = array<i1>, padding = "one"} : !nv_tileas.ptr<f32> -> f32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> !nv_tileas.ptr<f32>
// expected-error@+1 {{'nv_tileas.tiled_store' op memory ordering must be one of {weak, relaxed, release}, but got 'acquire'}}
%k = nv_tileas.tiled_store %a, %b[] sizes [] strides [] {bounds = array<i1>, ordering = "acquire", scope = "sys"} : f32, !nv_tileas.ptr<f32>

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> !nv_tileas.ptr<f32>
%c = "t.v"() : () -> i64
// expected-error@+1 {{'nv_tileas.tiled_store' op needs an offset, a size and a stride for each of 0 dimensions, but got 1, 0 and 0}}
%k = "nv_tileas.tiled_store"(%a, %b, %c) <{bounds = array<i1>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}> : (f32, !nv_tileas.ptr<f32>, i64) -> !nv_tileas.mem_token

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> !nv_tileas.ptr<f32>
// expected-error@+1 {{'nv_tileas.tiled_atomic_rmw' op mode 'add' is for integer elements, but got 'f32'}}
%k = nv_tileas.tiled_atomic_rmw %a, %b[] sizes [] strides [] {mode = "add", bounds = array<i1>} : f32, !nv_tileas.ptr<f32>

// -----

%a = "t.v"() : () -> tensor<4x!nv_tileas.ptr<f32>>
// expected-error@+1 {{'nv_tileas.load' op pointers and value must have the same shape, but got 'tensor<4x!nv_tileas.ptr<f32>>' and 'tensor<2xf32>'}}
%r, %k = nv_tileas.load %a : tensor<4x!nv_tileas.ptr<f32>> -> tensor<2xf32>, !nv_tileas.mem_token

// -----

%a = "t.v"() : () -> !nv_tileas.ptr<f32>
// expected-error@+1 {{'nv_tileas.load' op must point to the element type 'i32' of the value, but points to 'f32'}}
%r, %k = nv_tileas.load %a : !nv_tileas.ptr<f32> -> i32, !nv_tileas.mem_token

// -----

%a = "t.v"() : () -> !nv_tileas.ptr<f32>
%b = "t.v"() : () -> tensor<4xi1>
// expected-error@+1 {{'nv_tileas.load' op mask and value must have the same shape, but got 'tensor<4xi1>' and 'f32'}}
%r, %k = nv_tileas.load %a mask %b : tensor<4xi1> : !nv_tileas.ptr<f32> -> f32, !nv_tileas.mem_token

// -----

%a = "t.v"() : () -> !nv_tileas.ptr<f32>
%b = "t.v"() : () -> f16
// expected-error@+1 {{'nv_tileas.load' op 'other' must have the result type 'f32', but got 'f16'}}
%r, %k = nv_tileas.load %a other %b : f16 : !nv_tileas.ptr<f32> -> f32, !nv_tileas.mem_token

// -----

%a = "t.v"() : () -> !nv_tileas.ptr<f32>
// expected-error@+1 {{'nv_tileas.load' op memory ordering 'relaxed' needs a scope}}
%r, %k = nv_tileas.load %a {ordering = "relaxed"} : !nv_tileas.ptr<f32> -> f32, !nv_tileas.mem_token

// -----

%a = "t.v"() : () -> !nv_tileas.ptr<f32>
%b = "t.v"() : () -> !nv_tileaa.mem_token
// expected-error@+1 {{'nv_tileas.load' op operand #1 must be of dialect 'nv_tileas', but got '!nv_tileaa.mem_token'}}
%r, %k = nv_tileas.load %a token %b : !nv_tileaa.mem_token : !nv_tileas.ptr<f32> -> f32, !nv_tileas.mem_token

// -----

%a = "t.v"() : () -> !nv_tileas.ptr<f32>
%b = "t.v"() : () -> i32
// expected-error@+1 {{'nv_tileas.store' op must point to the element type 'i32' of the value, but points to 'f32'}}
%k = nv_tileas.store %a, %b : !nv_tileas.ptr<f32>, i32 -> !nv_tileas.mem_token

// -----

%a = "t.v"() : () -> !nv_tileas.ptr<f32>
%b = "t.v"() : () -> f32
// expected-error@+1 {{'nv_tileas.atomic_rmw' op mode 'max' is for integer elements, but got 'f32'}}
%r, %k = nv_tileas.atomic_rmw max %a, %b : !nv_tileas.ptr<f32>, f32 -> f32, !nv_tileas.mem_token

// -----

%a = "t.v"() : () -> !nv_tileas.ptr<i32>
%b = "t.v"() : () -> i32
// expected-error@+1 {{'nv_tileas.atomic_rmw' op mode 'addf' is for floating-point elements, but got 'i32'}}
%r, %k = nv_tileas.atomic_rmw addf %a, %b : !nv_tileas.ptr<i32>, i32 -> i32, !nv_tileas.mem_token

// -----

%a = "t.v"() : () -> !nv_tileas.ptr<i32>
%b = "t.v"() : () -> i32
// expected-error@+1 {{'nv_tileas.atomic_rmw' op result must have the type 'i32' of the value, but got 'i64'}}
%r, %k = nv_tileas.atomic_rmw add %a, %b : !nv_tileas.ptr<i32>, i32 -> i64, !nv_tileas.mem_token

// -----

%a = "t.v"() : () -> !nv_tileas.ptr<i32>
%b = "t.v"() : () -> i64
%c = "t.v"() : () -> i32
// expected-error@+1 {{'nv_tileas.atomic_cas' op requires the same type for the value and what memory is compared with, but got 'i32' and 'i64'}}
%r, %k = nv_tileas.atomic_cas %a, %b : i64, %c : !nv_tileas.ptr<i32>, i32 -> i32, !nv_tileas.mem_token

// -----

// expected-error@+1 {{unknown attribute 'nosuch' in dialect 'nv_tileas'}}
%r = "t.v"() : () -> tensor<4xf32, #nv_tileas.nosuch<"">>

// -----

// expected-error@+1 {{not a power of two}}
%r = "t.v"() : () -> tensor<4xf32, #nv_tileas.layout<"{shape = [3]}">>

// -----

// expected-error@+1 {{layout is of shape [4], but the buffer has [8]}}
%r = "t.v"() : () -> !nv_tileas.buffer<8xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>

// -----

// expected-error@+1 {{elements of a buffer must be numbers, pointers or mbarriers, but got 'index'}}
%r = "t.v"() : () -> !nv_tileas.buffer<4xindex, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>

// -----

// expected-error@+1 {{expected a shared-memory layout}}
%r = "t.v"() : () -> !nv_tileas.buffer<4xf32, 1 : i32>

// -----

%a = "t.v"() : () -> tensor<8xf32>
// expected-error@+1 {{'nv_tileas.convert_layout' op result #0 must be tensor, but got 'tensor<8xf32, #nv_tileas.layout<}}
%r = nv_tileas.convert_layout %a : tensor<8xf32> -> tensor<8xf32, #nv_tileas.layout<"{shape = [4], register = [[1], [2]], lane = [], warp = [], block = []}">>

// -----

%a = "t.v"() : () -> tensor<4xf32>
// expected-error@+1 {{'nv_tileas.convert_layout' op must change nothing but the layout, but got 'tensor<4xf32>' to 'tensor<2xf32>'}}
%r = nv_tileas.convert_layout %a : tensor<4xf32> -> tensor<2xf32>

// -----

// expected-error@+1 {{'nv_tileas.alloc_shared' op offset must not be negative, but got -4}}
%r = nv_tileas.alloc_shared at -4 : !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>

// -----

%a = "t.v"() : () -> tensor<4xf16>
%b = "t.v"() : () -> !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
// expected-error@+1 {{'nv_tileas.local_store' op tensor and buffer must have the same shape and element type, but got 'tensor<4xf16>' and '!nv_tileas.buffer<4xf32,}}
nv_tileas.local_store %a, %b : tensor<4xf16>, !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>

// -----

%a = "t.v"() : () -> !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
// expected-error@+1 {{'nv_tileas.local_load' op tensor and buffer must have the same shape and element type, but got 'tensor<2xf32>' and '!nv_tileas.buffer<4xf32,}}
%r = nv_tileas.local_load %a : !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">> -> tensor<2xf32>

// -----

// expected-error@+1 {{'nv_tileas.alloca' op size must not be negative, but got -1}}
%r = nv_tileas.alloca -1 : !nv_tileas.ptr<f32>

// -----

// expected-error@+1 {{'nv_tileas.alloca' op alignment must be a power of two, but got 3}}
%r = nv_tileas.alloca 4 {alignment = 3 : i64} : !nv_tileas.ptr<f32>

// -----

// expected-error@+1 {{'nv_tileas.join_mem_token' op needs at least one token}}
%r = "nv_tileas.join_mem_token"() : () -> !nv_tileas.mem_token

// -----

// expected-error@+1 {{'nv_tileas.global' op alignment must be at least the 4 bytes of an element, but got 2}}
nv_tileas.global @g = dense<1> : tensor<4xi32> {alignment = 2 : i64}

// -----

%p = "t.v"() : () -> !nv_tileas.ptr<f32>
%n = "t.v"() : () -> i64
// expected-error@+1 {{'nv_tileas.tiled_load' op 'offset_div' must be positive, but entry #0 is 0}}
%t, %a = nv_tileas.tiled_load %p[%n] sizes [%n] strides [%n] {bounds = array<i1: true>, offset_div = array<i64: 0>} : !nv_tileas.ptr<f32> -> tensor<4xf32>

// -----

%p = "t.v"() : () -> !nv_tileas.ptr<f32>
%n = "t.v"() : () -> i64
// expected-error@+1 {{'nv_tileas.tiled_load' op 'base_div' must be positive, but got -4}}
%t, %a = nv_tileas.tiled_load %p[%n] sizes [%n] strides [%n] {bounds = array<i1: true>, base_div = -4 : i64} : !nv_tileas.ptr<f32> -> tensor<4xf32>

// -----

#rows = #nv_tileas.layout<"{shape = [32], register = [], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">
#once = #nv_tileas.layout<"{shape = [32], register = [[1]], lane = [[2], [4], [8], [16], [0]], warp = [], block = []}">
%p = "t.v"() : () -> tensor<32x!nv_tileas.ptr<f32>, #rows>
// expected-error@+1 {{'nv_tileas.load' op pointers and value must have the same layout, but got}}
%v, %t = nv_tileas.load %p : tensor<32x!nv_tileas.ptr<f32>, #rows> -> tensor<32xf32, #once>, !nv_tileas.mem_token

// -----

%t = "t.v"() : () -> tensor<8xf32>
%m = nv_tileas.reduce (%t) {dim = 0 : i64} : (tensor<8xf32>) -> f32 (%x: f32, %y: f32) {
  // expected-error@+1 {{'nv_tileas.reduce' op must not stand in the region of 'nv_tileas.reduce', which combines two elements}}
  %n = nv_tileas.reduce (%t) {dim = 0 : i64} : (tensor<8xf32>) -> f32 (%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    nv_tileas.yield %c : f32
  }
  nv_tileas.yield %n : f32
}

// -----

%a = arith.constant dense<1.0> : tensor<4x32xf8E4M3FN>
%b = arith.constant dense<1> : tensor<32x4xi8>
%c = arith.constant dense<1.0> : tensor<4x4xf32>
%d = arith.constant dense<1.0> : tensor<4x2xf8E8M0FNU>
%e = arith.constant dense<1.0> : tensor<2x4xf8E8M0FNU>
// expected-error@+1 {{'nv_tileas.dot_scaled' op operand #0 must be bytes of pairs, but got 'tensor<4x32xf8E4M3FN>'}}
%r = nv_tileas.dot_scaled %a, %b, %c, %d, %e {pairs} : tensor<4x32xf8E4M3FN>, tensor<32x4xi8>, tensor<4x2xf8E8M0FNU>, tensor<2x4xf8E8M0FNU> -> tensor<4x4xf32>

// -----

%a = arith.constant dense<1> : tensor<4x32xi8>
%b = arith.constant dense<1> : tensor<32x4xi8>
%c = arith.constant dense<1.0> : tensor<4x4xf32>
%d = arith.constant dense<1.0> : tensor<4x3xf8E8M0FNU>
%e = arith.constant dense<1.0> : tensor<3x4xf8E8M0FNU>
// expected-error@+1 {{'nv_tileas.dot_scaled' op scales of shapes [4 3] and [3 4] do not fit operands of [4 64] and [64 4]}}
%r = nv_tileas.dot_scaled %a, %b, %c, %d, %e {pairs} : tensor<4x32xi8>, tensor<32x4xi8>, tensor<4x3xf8E8M0FNU>, tensor<3x4xf8E8M0FNU> -> tensor<4x4xf32>
