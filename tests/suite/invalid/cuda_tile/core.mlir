// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What the operations of the chapter Core reject.

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<2xf32>
  // expected-error@+1 {{'cuda_tile.broadcast' op expects the shape of source tile to be compatible with that of the result tile, but got: 2 and 4}}
  %0 = broadcast %x : tile<2xf32> -> tile<4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<2xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<2xf32>
  // expected-error@+1 {{'cuda_tile.cat' op expect dim to be [0, 1), but got: 1}}
  %0 = cat %x, %y dim = 1 : tile<2xf32>, tile<2xf32> -> tile<4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<2xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<2xf32>
  // expected-error@+1 {{'cuda_tile.cat' op invalid concat at position 0, expected: 4 but got: 8}}
  %0 = cat %x, %y dim = 0 : tile<2xf32>, tile<2xf32> -> tile<8xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<2x2xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<2x4xf32>
  // expected-error@+1 {{'cuda_tile.cat' op expect lhs and rhs shapes to match at non-concat position 1, expected: 2 but got: 4}}
  %0 = cat %x, %y dim = 0 : tile<2x2xf32>, tile<2x4xf32> -> tile<4x2xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<2x2xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<2x2xf32>
  // expected-error@+1 {{'cuda_tile.cat' op expect lhs and result shapes to match at non-concat position 1, expected: 2 but got: 4}}
  %0 = cat %x, %y dim = 0 : tile<2x2xf32>, tile<2x2xf32> -> tile<4x4xf32>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{integer constant out of range for type}}
  %0 = constant <i8: 256> : tile<i8>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{custom op 'cuda_tile.constant' inferred shape of elements literal ([2]) does not match type ([4])}}
  %0 = constant <i8: [1, 2]> : tile<4xi8>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{custom op 'cuda_tile.constant' tensor literal is invalid; ranks are not consistent between elements}}
  %0 = constant <i8: [[1, 2], [1]]> : tile<2x2xi8>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{custom op 'cuda_tile.constant' tensor literal is invalid; ranks are not consistent between elements}}
  %0 = constant <i8: [[1, 2], 1]> : tile<2x2xi8>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{custom op 'cuda_tile.constant' mismatch between the element type: 'i8' and the tile element type 'i16'}}
  %0 = constant <i8: 1> : tile<i16>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{custom op 'cuda_tile.constant' expect element type to be one of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got 'i4'}}
  %0 = constant <i4: 1> : tile<i4>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{custom op 'cuda_tile.constant' result #0 must be tile of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got '!cuda_tile.token'}}
  %0 = constant <i8: 1> : token
  return
}

// -----

entry @k() {
  // expected-error@+1 {{expected integer value, but got 'true'}}
  %0 = constant <i8: true> : tile<i8>
  return
}

// -----

cuda_tile.module @m {
  // expected-error@+2 {{'cuda_tile.entry' op entry op must not return values}}
  // expected-error@+1 {{'cuda_tile.return' op has 0 operands, but enclosing function (@k) returns 1}}
  entry @k() -> tile<i32> {
  }
}

// -----

cuda_tile.module @m {
  // expected-error@+1 {{'cuda_tile.entry' op entry op must have scalar types (rank 0 !cuda_tile.tile), but got '!cuda_tile.tile<4xi32>'}}
  entry @k(%a: tile<4xi32>) {
  }
}

// -----

cuda_tile.module @m {
  // expected-error@+1 {{custom op 'cuda_tile.entry' expected SSA identifier}}
  entry @k(%a: tile<i32>, tile<i32>) {
  }
}

// -----

cuda_tile.module @m {
  // expected-note@+1 {{see existing symbol definition here}}
  entry @k() {
  }
  // expected-error@+1 {{redefinition of symbol named 'k'}}
  entry @k() {
  }
}

// -----

cuda_tile.module @m {
  // expected-error@+1 {{'cuda_tile.entry' op entry block arguments () must match the function signature ('i32')}}
  "cuda_tile.entry"() <{sym_name = "k", function_type = (i32) -> ()}> ({
    "cuda_tile.return"() : () -> ()}) : () -> ()
}

// -----

cuda_tile.module @m {
  // expected-error@+1 {{custom op 'cuda_tile.entry' expected dictionary attribute for optimization_hints entry `a` got value=1 : i64}}
  entry @k() optimization_hints=<a = 1> {
  }
}

// -----

cuda_tile.module @m {
  // expected-error@+1 {{custom op 'cuda_tile.entry' duplicate optimization_hints key `a`}}
  entry @k() optimization_hints=<a = {}, a = {}> {
  }
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  // expected-error@+1 {{'cuda_tile.extract' op source and result element type do not match}}
  %0 = extract %x[%arg] : tile<4xf32> -> tile<2xf16>
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  // expected-error@+1 {{'cuda_tile.extract' op source dimension 0 size (4) must be evenly divisible by result dimension 0 size (8)}}
  %0 = extract %x[%arg] : tile<4xf32> -> tile<8xf32>
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  // expected-error@+1 {{'cuda_tile.extract' op expected 1 indices, but got 2}}
  %0 = extract %x[%arg, %arg] : tile<4xf32> -> tile<2xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  %c = constant <i32: 2> : tile<i32>
  // expected-warning@+1 {{extract index 0 value 2 may be out of bounds (max valid index: 1)}}
  %0 = extract %x[%c] : tile<4xf32> -> tile<2xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  %c = constant <i32: -1> : tile<i32>
  // expected-warning@+1 {{extract index 0 has negative value -1, which may cause undefined behavior}}
  %0 = extract %x[%c] : tile<4xf32> -> tile<2xf32>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{'cuda_tile.get_global' op 'nowhere' does not reference a valid global}}
  %0 = get_global @nowhere : tile<ptr<f32>>
  return
}

// -----

cuda_tile.module @m {
  global @g <f32: 1.0> : tile<4xf32>
  entry @k() {
    // expected-error@+1 {{'cuda_tile.get_global' op pointee type of result type '!cuda_tile.ptr<i32>' does not match type 'f32' of the global @g}}
    %0 = get_global @g : tile<ptr<i32>>
    return
  }
}

// -----

entry @k() {
  // expected-error@+1 {{'cuda_tile.get_num_tile_blocks' op expected 3 results, but found 1}}
  %0 = "cuda_tile.get_num_tile_blocks"() : () -> !cuda_tile.tile<i32>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{'cuda_tile.get_num_tile_blocks' op result #0 must be 0D tile of i32 values, but got '!cuda_tile.tile<i64>'}}
  %0, %1, %2 = get_num_tile_blocks : tile<i64>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{'cuda_tile.get_tile_block_id' op result #0 must be 0D tile of i32 values, but got '!cuda_tile.tile<1xi32>'}}
  %0, %1, %2 = get_tile_block_id : tile<1xi32>
  return
}

// -----

entry @k(%arg: tile<i32>) {
  // expected-error@+1 {{'cuda_tile.get_tile_block_id' op requires zero operands, but found 1}}
  %0, %1, %2 = "cuda_tile.get_tile_block_id"(%arg) : (!cuda_tile.tile<i32>) -> (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
  return
}

// -----

cuda_tile.module @m {
  // expected-error@+1 {{'cuda_tile.global' op type must have rank 1}}
  global @g <f32: 1.0> : tile<f32>
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.tile<8xf32>
  %y = "t.v"() : () -> !cuda_tile.tile<4xf32>
  // expected-error@+1 {{'cuda_tile.insert' op destination dimension 0 size (4) must be evenly divisible by source dimension 0 size (8)}}
  %0 = insert %x, %y[%arg] : tile<8xf32>, tile<4xf32>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{'cuda_tile.iota' op expects result type to be 1-d tile}}
  %0 = iota : tile<2x2xi32>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{'cuda_tile.iota' op the number of elements 4 exceeds the maximum value of element type 'i1'}}
  %0 = iota : tile<4xi1>
  return
}

// -----

// expected-error@+1 {{expected '{', but got '"m"'}}
cuda_tile.module "m" {
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi64>
  %y = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.offset' op operand #0 must be tile of Pointer type values, but got '!cuda_tile.tile<4xi64>'}}
  %0 = offset %x, %y : tile<4xi64>, tile<4xi32> -> tile<4xi64>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xptr<f32>>
  %y = "t.v"() : () -> !cuda_tile.tile<8xi32>
  // expected-error@+1 {{'cuda_tile.offset' op requires the same shape for all operands and results, but got '!cuda_tile.tile<4xptr<f32>>' for operand #0 and '!cuda_tile.tile<8xi32>' for operand #1}}
  %0 = offset %x, %y : tile<4xptr<f32>>, tile<8xi32> -> tile<4xptr<f32>>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xptr<f32>>
  %y = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.offset' op failed to verify that all of {result, ptr} have same type}}
  %0 = offset %x, %y : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f16>>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<2x2xi32>
  // expected-error@+1 {{'cuda_tile.pack' op expects source and result to be rank-1 tiles}}
  %0 = pack %x : tile<2x2xi32> -> tile<2x8xi8>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi8>
  // expected-error@+1 {{'cuda_tile.pack' op expects source and result to have different element type widths}}
  %0 = pack %x : tile<4xi8> -> tile<4xi8>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<2xi1>
  // expected-error@+1 {{'cuda_tile.pack' op expects source tile to be byte-aligned}}
  %0 = pack %x : tile<2xi1> -> tile<1xi8>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.pack' op expects source and result to have the same size in bytes, but got source tile size 16 bytes and result tile size 8 bytes}}
  %0 = pack %x : tile<4xi32> -> tile<8xi8>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  // expected-error@+1 {{'cuda_tile.permute' op expects at least rank 2, but got: 1}}
  %0 = permute %x [0] : tile<4xf32> -> tile<4xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x8xf32>
  // expected-error@+1 {{'cuda_tile.permute' op expect permutation size (1) to equal the rank of the source (2)}}
  %0 = permute %x [0] : tile<4x8xf32> -> tile<4x8xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x8xf32>
  // expected-error@+1 {{'cuda_tile.permute' op expect permutation elements to be unique}}
  %0 = permute %x [1, 1] : tile<4x8xf32> -> tile<4x8xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x8xf32>
  // expected-error@+1 {{'cuda_tile.permute' op permutation element at index 1 (2) is out of bound [0, 2)}}
  %0 = permute %x [1, 2] : tile<4x8xf32> -> tile<4x8xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x8xf32>
  // expected-error@+1 {{'cuda_tile.permute' op result shape invalid at index 0, expected: 8, but got: 4}}
  %0 = permute %x [1, 0] : tile<4x8xf32> -> tile<4x8xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x8xf32>
  // expected-error@+1 {{'cuda_tile.reduce' op dimension (2) is out of bound [0, 2)}}
  %0 = reduce %x dim=2 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32> (%a: tile<f32>, %b: tile<f32>) {
    yield %a : tile<f32>
  }
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x8xf32>
  // expected-error@+1 {{'cuda_tile.reduce' op expect identities to match the number of operands but got: 1 operands and 0 identities}}
  %0 = reduce %x dim=1 identities=[] : tile<4x8xf32> -> tile<4xf32> (%a: tile<f32>, %b: tile<f32>) {
    yield %a : tile<f32>
  }
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x8xf32>
  // expected-error@+1 {{'cuda_tile.reduce' op expect same type for operand at index: 0 and identity at index: 0 but got: 'f32' and 'i32'}}
  %0 = reduce %x dim=1 identities=[0 : i32] : tile<4x8xf32> -> tile<4xf32> (%a: tile<f32>, %b: tile<f32>) {
    yield %a : tile<f32>
  }
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x8xf32>
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{'cuda_tile.reduce' op inferred type(s) '!cuda_tile.tile<4xf32>' are incompatible with return type(s) of operation '!cuda_tile.tile<8xf32>'}}
  %0 = reduce %x dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<8xf32> (%a: tile<f32>, %b: tile<f32>) {
    yield %a : tile<f32>
  }
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x8xf32>
  // expected-error@+1 {{'cuda_tile.reduce' op expect 2 block arguments but got: 1}}
  %0 = reduce %x dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32> (%a: tile<f32>) {
    yield %a : tile<f32>
  }
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x8xf32>
  // expected-error@+1 {{'cuda_tile.reduce' op expect 0-rank tile type at index: 0 but got: '!cuda_tile.tile<1xf32>'}}
  %0 = reduce %x dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32> (%a: tile<1xf32>, %b: tile<f32>) {
    yield %b : tile<f32>
  }
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x8xf32>
  // expected-error@+1 {{'cuda_tile.reduce' op expect same element type for block argument at index: 0 and 1 but got: 'f32' and 'f16'}}
  %0 = reduce %x dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32> (%a: tile<f32>, %b: tile<f16>) {
    yield %a : tile<f32>
  }
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x8xf32>
  // expected-error@+1 {{'cuda_tile.reduce' op expect same type for operand at index: 0 and block argument at index: 0 but got: 'f32' and 'f16'}}
  %0 = reduce %x dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32> (%a: tile<f16>, %b: tile<f16>) {
    yield %a : tile<f16>
  }
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x8xf32>
  // expected-error@+1 {{'cuda_tile.reduce' op expect number of terminators operands (0) to match number of operands (1)}}
  %0 = reduce %x dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32> (%a: tile<f32>, %b: tile<f32>) {
    yield
  }
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x8xf32>
  // expected-error@+1 {{'cuda_tile.reduce' op expect same type for operand at index: 0 and terminator argument at index: 0 but got: 'f32' and 'f16'}}
  %0 = reduce %x dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32> (%a: tile<f32>, %b: tile<f32>) {
    %c = constant <f16: 0.0> : tile<f16>
    yield %c : tile<f16>
  }
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4x8xf32>
  // expected-error@+1 {{'cuda_tile.reshape' op expected source tile and result tile to have the same number of elements}}
  %0 = reshape %x : tile<4x8xf32> -> tile<16xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xf32>
  // expected-error@+1 {{'cuda_tile.scan' op expect same type for operand at index: 0 and result at index: 0}}
  %0 = scan %x dim=0 reverse=false identities=[0.0 : f32] : tile<4xf32> -> tile<8xf32> (%a: tile<f32>, %b: tile<f32>) { yield %a : tile<f32> }
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<2xi1>
  %y = "t.v"() : () -> !cuda_tile.tile<2xf4E2M1FN>
  %z = "t.v"() : () -> !cuda_tile.tile<2xf4E2M1FN>
  // expected-error@+1 {{'cuda_tile.select' op cannot operate on sub-byte type F4E2M1FN}}
  %0 = select %x, %y, %z : tile<2xi1>, tile<2xf4E2M1FN>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi1>
  %y = "t.v"() : () -> !cuda_tile.tile<2xf32>
  %z = "t.v"() : () -> !cuda_tile.tile<2xf32>
  // expected-error@+1 {{'cuda_tile.select' op failed to verify that all of {cond, val_if_true, val_if_false, result} have same shape}}
  %0 = select %x, %y, %z : tile<4xi1>, tile<2xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<2x2xi8>
  // expected-error@+1 {{'cuda_tile.unpack' op expects source and result to be rank-1 tiles}}
  %0 = unpack %x : tile<2x2xi8> -> tile<1x1xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<4xi16>
  // expected-error@+1 {{'cuda_tile.unpack' op operand #0 must be tile of i8 values, but got '!cuda_tile.tile<4xi16>'}}
  %0 = unpack %x : tile<4xi16> -> tile<2xf32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<8xi8>
  // expected-error@+1 {{'cuda_tile.unpack' op expects source and result to have the same size in bytes, but got source tile size 8 bytes and result tile size 16 bytes}}
  %0 = unpack %x : tile<8xi8> -> tile<4xf32>
  return
}

// -----

module {
  // expected-note @+1 {{see existing symbol definition here}}
  cuda_tile.module @twice {
  }
  // expected-error @+1 {{redefinition of symbol named 'twice'}}
  cuda_tile.module @twice {
  }
}

// -----

// expected-error@+1 {{'cuda_tile.entry' op arguments may only have dialect attributes}}
entry @k(%n: tile<i32> {name = "n"}) {
  return
}

// -----

// expected-error@+1 {{'cuda_tile.entry' op expects argument attribute array to have the same number of elements as the number of function arguments, got 1, but expected 0}}
"cuda_tile.entry"() <{sym_name = "k", function_type = () -> (), arg_attrs = [{}]}> ({
  "cuda_tile.return"() : () -> ()
}) : () -> ()

// -----

// expected-error@+1 {{'cuda_tile.entry' op expects argument attribute dictionary to be a DictionaryAttr, but got `unit`}}
"cuda_tile.entry"() <{sym_name = "k", function_type = (!cuda_tile.tile<i32>) -> (), arg_attrs = [unit]}> ({
^bb0(%n: !cuda_tile.tile<i32>):
  "cuda_tile.return"() : () -> ()
}) : () -> ()
