// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What the types reject.

entry @k() {
  // expected-error@+1 {{all dimensions must be positive constants, got 0}}
  %x = "t.v"() : () -> !cuda_tile.tile<0xf32>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{all dimensions must be powers of two, got 3}}
  %x = "t.v"() : () -> !cuda_tile.tile<3xf32>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{tile would exceed the maximum of 16777216 elements}}
  %x = "t.v"() : () -> !cuda_tile.tile<4096x8192xf32>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{F4E2M1FN tiles must have an even number of elements}}
  %x = "t.v"() : () -> !cuda_tile.tile<f4E2M1FN>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{tiles of ptr<f4E2M1FN> must have rank 0; use an f4 tile view for memory accesses}}
  %x = "t.v"() : () -> !cuda_tile.tile<2xptr<f4E2M1FN>>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{failed to verify 'elementType': f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or i1 or i8 or i16 or i32 or i64 or Pointer type or i4, but got 'index'}}
  %x = "t.v"() : () -> !cuda_tile.tile<4xindex>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{failed to verify 'pointeeType': f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or i1 or i8 or i16 or i32 or i64, but got '!cuda_tile.ptr<f32>'}}
  %x = "t.v"() : () -> !cuda_tile.ptr<ptr<f32>>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{failed to verify 'pointeeType': f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or i1 or i8 or i16 or i32 or i64, but got 'i4'}}
  %x = "t.v"() : () -> !cuda_tile.ptr<i4>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{expected shape and stride to be of same rank but got shape of rank 2 and stride of rank 1}}
  %x = "t.v"() : () -> !cuda_tile.tensor_view<4x4xf32, strides=[1]>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{dimensions must have strictly positive constant sizes but got [0]}}
  %x = "t.v"() : () -> !cuda_tile.tensor_view<0xf32, strides=[1]>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{expected either 64-bit integer or question mark}}
  %x = "t.v"() : () -> !cuda_tile.tensor_view<4xf32, strides=[x]>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{expected strictly positive integer, got -1}}
  %x = "t.v"() : () -> !cuda_tile.tensor_view<4xf32, strides=[-1]>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{strides must not be provided for 0-d tiles}}
  %x = "t.v"() : () -> !cuda_tile.tensor_view<f32, strides=[]>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{unexpected token after element type in 0-d tensor_view}}
  %x = "t.v"() : () -> !cuda_tile.tensor_view<f32, foo>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{expected 'strides'}}
  %x = "t.v"() : () -> !cuda_tile.tensor_view<4xf32>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{failed to verify 'elementType': f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or i1 or i8 or i16 or i32 or i64, but got '!cuda_tile.ptr<f32>'}}
  %x = "t.v"() : () -> !cuda_tile.tensor_view<4xptr<f32>, strides=[1]>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{0-dimension tile shape is not supported}}
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(), tensor_view<f32>>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{expected tensor_view rank and tile rank to match, got tensor_view of rank 2 and tiles of rank 1}}
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2), tensor_view<4x4xf32, strides=[4,1]>>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{tile shape dimensions must have power of two length but got [3]}}
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(3), tensor_view<4xf32, strides=[1]>>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{tile dimension 0 exceeds i32 limitations (got 4294967296, expected strictly positive and less than or equal to 2147483647)}}
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(4294967296), tensor_view<4xf32, strides=[1]>>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{expected 'tensor_view' type, but got '!cuda_tile.tile<2xf32>'}}
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2), tile<2xf32>>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{invalid padding_value attribute specification. Got "foo" but expect one of: zero, neg_zero, nan, pos_inf, neg_inf}}
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2), padding_value = foo, tensor_view<4xf32, strides=[1]>>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{padding_value nan can only be used with floating point element types, got 'i32'}}
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2), padding_value = nan, tensor_view<4xi32, strides=[1]>>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{expected dim_map to map exactly all 2 dimensions of the tile, got 1 mappings}}
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x2), tensor_view<4x4xf32, strides=[4,1]>, dim_map=[0]>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{target dimension must not be negative, got -1}}
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2), tensor_view<4xf32, strides=[1]>, dim_map=[-1]>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{target dimension is outside of tensor view dimensions, expected strictly less than 1, got 1}}
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2), tensor_view<4xf32, strides=[1]>, dim_map=[1]>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{target dimension 0 mapped at least twice (for tile dimensions 0 and 1)}}
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x2), tensor_view<4x4xf32, strides=[4,1]>, dim_map=[0, 0]>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{tile would exceed the maximum of 16777216 elements}}
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(8192x4096), tensor_view<4x4xf32, strides=[4,1]>>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{expected 1 traversal strides, got 2}}
  %x = "t.v"() : () -> !cuda_tile.strided_view<tile=(2), traversal_strides=[1,1], tensor_view<4xf32, strides=[1]>>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{traversal strides must be strictly positive but got [0]}}
  %x = "t.v"() : () -> !cuda_tile.strided_view<tile=(2), traversal_strides=[0], tensor_view<4xf32, strides=[1]>>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{gather dimension is outside of tensor view dimensions, expected strictly less than 1, got 1}}
  %x = "t.v"() : () -> !cuda_tile.gather_scatter_view<tile=(2), tensor_view<4xf32, strides=[1]>, sparse_dim=1>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{expected ',', but got '>'}}
  %x = "t.v"() : () -> !cuda_tile.gather_scatter_view<tile=(2), tensor_view<4xf32, strides=[1]>>
  return
}

// -----

entry @k() {
  // expected-error@+1 {{unknown type: frob}}
  %x = "t.v"() : () -> !cuda_tile.frob<4>
  return
}
