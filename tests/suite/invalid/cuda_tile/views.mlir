// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What the operations of the chapter Views reject.

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tensor_view<8x8xf32, strides=[8,1]>
  // expected-error@+1 {{custom op 'cuda_tile.get_index_space_shape' expected tile view, got '!cuda_tile.tensor_view<8x8xf32, strides=[8,1]>'}}
  %0 = get_index_space_shape %x : tensor_view<8x8xf32, strides=[8,1]> -> tile<i32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>
  // expected-error@+1 {{custom op 'cuda_tile.get_tensor_shape' expected tensor_view, got '!cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>'}}
  %0 = get_tensor_shape %x : partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>> -> tile<i32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tensor_view<8x8xf32, strides=[8,1]>
  // expected-error@+1 {{'cuda_tile.get_tensor_shape' op expected 2 results due to tensor rank, but got 1}}
  %0 = "cuda_tile.get_tensor_shape"(%x) : (!cuda_tile.tensor_view<8x8xf32, strides=[8,1]>) -> !cuda_tile.tile<i32>
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>
  // expected-error@+1 {{'cuda_tile.load_view_tko' op expected 2 index operands (based on view type), got 1}}
  %0, %1 = load_view_tko weak %x[%arg] : partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>, tile<i32> -> tile<2x4xf32>, token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x2), tensor_view<8x8xf32, strides=[8,1]>>
  // expected-error@+1 {{'cuda_tile.load_view_tko' op expected tile type to be '!cuda_tile.tile<2x2xf32>' (based on view type), got '!cuda_tile.tile<2x4xf32>'}}
  %0, %1 = load_view_tko weak %x[%arg, %arg] : partition_view<tile=(2x2), tensor_view<8x8xf32, strides=[8,1]>>, tile<i32> -> tile<2x4xf32>, token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>
  %y = "t.v"() : () -> !cuda_tile.tile<2xi32>
  // expected-error@+1 {{'cuda_tile.load_view_tko' op expected index type to be a scalar tile, got '!cuda_tile.tile<2xi32>'}}
  %0, %1 = load_view_tko weak %x[%arg, %y] : partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>, tile<i32>, tile<2xi32> -> tile<2x4xf32>, token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>
  %y = "t.v"() : () -> !cuda_tile.tile<i64>
  // expected-error@+1 {{'cuda_tile.load_view_tko' op expected index type 1 to be the same as other index types ('!cuda_tile.tile<i32>'), got '!cuda_tile.tile<i64>'}}
  %0, %1 = load_view_tko weak %x[%arg, %y] : partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>, tile<i32>, tile<i64> -> tile<2x4xf32>, token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>
  // expected-error@+1 {{custom op 'cuda_tile.load_view_tko' index types must be specified when indices are present}}
  %0, %1 = load_view_tko weak %x[%arg, %arg] : partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>> -> tile<2x4xf32>, token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.gather_scatter_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=0>
  // expected-error@+1 {{'cuda_tile.load_view_tko' op expected index at sparse_dim position 0 to be a 1D tensor for GatherScatterView, got rank 0}}
  %0, %1 = load_view_tko weak %x[%arg, %arg] : gather_scatter_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=0>, tile<i32> -> tile<2x4xf32>, token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.gather_scatter_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=0>
  %y = "t.v"() : () -> !cuda_tile.tile<4xi32>
  // expected-error@+1 {{'cuda_tile.load_view_tko' op expected gather/scatter index size (4) to match tile shape at gather/scatter dimension 0 (2)}}
  %0, %1 = load_view_tko weak %x[%y, %arg] : gather_scatter_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=0>, tile<4xi32>, tile<i32> -> tile<2x4xf32>, token
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.gather_scatter_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=0>
  %y = "t.v"() : () -> !cuda_tile.tile<2xi32>
  %z = "t.v"() : () -> !cuda_tile.tile<2xi32>
  // expected-error@+1 {{'cuda_tile.load_view_tko' op expected index 1 to be a scalar tile for GatherScatterView}}
  %0, %1 = load_view_tko weak %x[%y, %z] : gather_scatter_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=0>, tile<2xi32>, tile<2xi32> -> tile<2x4xf32>, token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>
  // expected-error@+1 {{'cuda_tile.load_view_tko' op inbounds size (1) must match the number of indices (2)}}
  %0, %1 = load_view_tko weak %x[%arg, %arg] inbounds = [true] : partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>, tile<i32> -> tile<2x4xf32>, token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>
  // expected-error@+1 {{custom op 'cuda_tile.load_view_tko' operation specifies weak memory ordering semantics, but then provides "sys" scope, expected no memory scope.}}
  %0, %1 = load_view_tko weak sys %x[%arg, %arg] : partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>, tile<i32> -> tile<2x4xf32>, token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>
  // expected-error@+1 {{custom op 'cuda_tile.load_view_tko' invalid memory_ordering_semantics attribute specification. Got "strong" but expect one of: weak, relaxed, acquire, release, acq_rel}}
  %0, %1 = load_view_tko strong %x[%arg, %arg] : partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>, tile<i32> -> tile<2x4xf32>, token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>
  // expected-error@+1 {{custom op 'cuda_tile.load_view_tko' invalid memory_scope attribute specification. Got "here" but expect one of: tl_blk, device, sys}}
  %0, %1 = load_view_tko relaxed here %x[%arg, %arg] : partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>, tile<i32> -> tile<2x4xf32>, token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>
  // expected-error@+1 {{'cuda_tile.load_view_tko' op expect one of: weak, relaxed, or acquire, but got: release}}
  %0, %1 = load_view_tko release device %x[%arg, %arg] : partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>, tile<i32> -> tile<2x4xf32>, token
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tensor_view<8x8xf32, strides=[8,1]>
  // expected-error@+1 {{custom op 'cuda_tile.make_gather_scatter_view' expected 'gather_scatter_view' type, but got '!cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>'}}
  %0 = make_gather_scatter_view %x : partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tensor_view<4x8xf32, strides=[8,1]>
  // expected-error@+1 {{'cuda_tile.make_gather_scatter_view' op expected tensor_view type to be the same as the view's tensor_view type ('!cuda_tile.tensor_view<8x8xf32, strides=[8,1]>'), got '!cuda_tile.tensor_view<4x8xf32, strides=[8,1]>'}}
  %0 = "cuda_tile.make_gather_scatter_view"(%x) : (!cuda_tile.tensor_view<4x8xf32, strides=[8,1]>) -> !cuda_tile.gather_scatter_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=0>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tensor_view<8x8xf32, strides=[8,1]>
  // expected-error@+1 {{custom op 'cuda_tile.make_partition_view' expected 'partition_view' type, but got '!cuda_tile.tensor_view<8x8xf32, strides=[8,1]>'}}
  %0 = make_partition_view %x : tensor_view<8x8xf32, strides=[8,1]>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tensor_view<4x8xf32, strides=[8,1]>
  // expected-error@+1 {{'cuda_tile.make_partition_view' op expected tensor_view type to be the same as the view's tensor_view type ('!cuda_tile.tensor_view<8x8xf32, strides=[8,1]>'), got '!cuda_tile.tensor_view<4x8xf32, strides=[8,1]>'}}
  %0 = "cuda_tile.make_partition_view"(%x) : (!cuda_tile.tensor_view<4x8xf32, strides=[8,1]>) -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tensor_view<8x8xf32, strides=[8,1]>
  // expected-error@+1 {{custom op 'cuda_tile.make_strided_view' expected 'strided_view' type, but got '!cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>'}}
  %0 = make_strided_view %x : partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tensor_view<4x8xf32, strides=[8,1]>
  // expected-error@+1 {{'cuda_tile.make_strided_view' op expected tensor_view type to be the same as the view's tensor_view type ('!cuda_tile.tensor_view<8x8xf32, strides=[8,1]>'), got '!cuda_tile.tensor_view<4x8xf32, strides=[8,1]>'}}
  %0 = "cuda_tile.make_strided_view"(%x) : (!cuda_tile.tensor_view<4x8xf32, strides=[8,1]>) -> !cuda_tile.strided_view<tile=(2x4), traversal_strides=[1,1], tensor_view<8x8xf32, strides=[8,1]>>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<f32>>
  // expected-error@+1 {{custom op 'cuda_tile.make_tensor_view' input shape dimension 0 does not match tensor_view type (expected 8, got 4)}}
  %0 = make_tensor_view %x, shape = [4], strides = [1] : tensor_view<8xf32, strides=[1]>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<f32>>
  // expected-error@+1 {{custom op 'cuda_tile.make_tensor_view' expected shape declaration to contain 1 elements due to tensor_view type, but 2 were provided}}
  %0 = make_tensor_view %x, shape = [8, 8], strides = [1] : tensor_view<8xf32, strides=[1]>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<f32>>
  // expected-error@+1 {{custom op 'cuda_tile.make_tensor_view' expected either integer or SSA value}}
  %0 = make_tensor_view %x, shape = [x], strides = [1] : tensor_view<8xf32, strides=[1]>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<f32>>
  // expected-error@+1 {{custom op 'cuda_tile.make_tensor_view' expected 'tensor_view' type, but got '!cuda_tile.tile<f32>'}}
  %0 = make_tensor_view %x, shape = [8], strides = [1] : tile<f32>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<f32>>
  // expected-error@+1 {{'cuda_tile.make_tensor_view' op expected 1 dynamic shape operands, got 0}}
  %0 = "cuda_tile.make_tensor_view"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tensor_view<?xf32, strides=[1]>
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<f16>>
  // expected-error@+1 {{'cuda_tile.make_tensor_view' op expected pointer to 'f32' to build tensor_view of this type, got 'f16'}}
  %0 = "cuda_tile.make_tensor_view"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f16>>) -> !cuda_tile.tensor_view<f32>
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.tile<2x2xf32>
  %y = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>
  // expected-error@+1 {{'cuda_tile.store_view_tko' op expected tile type to be '!cuda_tile.tile<2x4xf32>' (based on view type), got '!cuda_tile.tile<2x2xf32>'}}
  %0 = store_view_tko weak %x, %y[%arg, %arg] : tile<2x2xf32>, partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.tile<2x4xf16>
  %y = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>
  // expected-error@+1 {{'cuda_tile.store_view_tko' op expected tile type to be '!cuda_tile.tile<2x4xf32>' (based on view type), got '!cuda_tile.tile<2x4xf16>'}}
  %0 = store_view_tko weak %x, %y[%arg, %arg] : tile<2x4xf16>, partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.tile<2x4xf32>
  %y = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>
  // expected-error@+1 {{'cuda_tile.store_view_tko' op expect one of: weak, relaxed, or release, but got: acquire}}
  %0 = store_view_tko acquire device %x, %y[%arg, %arg] : tile<2x4xf32>, partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.tile<2x4xf32>
  %y = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>
  // expected-error@+1 {{'cuda_tile.store_view_tko' op expected 2 index operands (based on view type), got 1}}
  %0 = store_view_tko weak %x, %y[%arg] : tile<2x4xf32>, partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

// Accesses to elements of half a byte; making the views is allowed.

entry @k(%p: tile<ptr<f4E2M1FN>>, %i: tile<i32>) {
  %l = iota : tile<4xi32>
  %tv = make_tensor_view %p, shape = [64, 64], strides = [128,2] : tensor_view<64x64xf4E2M1FN, strides=[128,2]>
  %v = make_partition_view %tv : partition_view<tile=(4x16), tensor_view<64x64xf4E2M1FN, strides=[128,2]>>
  // expected-error@+1 {{'cuda_tile.load_view_tko' op an f4 view access requires exactly one statically encoded unit stride to identify the packing dimension; got 0 in '!cuda_tile.tensor_view<64x64xf4E2M1FN, strides=[128,2]>'}}
  %x, %t = load_view_tko weak %v[%i, %i] : partition_view<tile=(4x16), tensor_view<64x64xf4E2M1FN, strides=[128,2]>>, tile<i32> -> tile<4x16xf4E2M1FN>, token
  return
}

// -----

entry @k(%p: tile<ptr<f4E2M1FN>>, %i: tile<i32>) {
  %l = iota : tile<4xi32>
  %tv = make_tensor_view %p, shape = [64, 64], strides = [64,%i] : tile<i32> -> tensor_view<64x64xf4E2M1FN, strides=[64,?]>
  %v = make_partition_view %tv : partition_view<tile=(4x16), tensor_view<64x64xf4E2M1FN, strides=[64,?]>>
  // expected-error@+1 {{'cuda_tile.load_view_tko' op an f4 view access requires exactly one statically encoded unit stride to identify the packing dimension; got 0 in '!cuda_tile.tensor_view<64x64xf4E2M1FN, strides=[64,?]>'}}
  %x, %t = load_view_tko weak %v[%i, %i] : partition_view<tile=(4x16), tensor_view<64x64xf4E2M1FN, strides=[64,?]>>, tile<i32> -> tile<4x16xf4E2M1FN>, token
  return
}

// -----

entry @k(%p: tile<ptr<f4E2M1FN>>, %i: tile<i32>) {
  %l = iota : tile<4xi32>
  %tv = make_tensor_view %p, shape = [64, 64], strides = [1,1] : tensor_view<64x64xf4E2M1FN, strides=[1,1]>
  %v = make_partition_view %tv : partition_view<tile=(4x16), tensor_view<64x64xf4E2M1FN, strides=[1,1]>>
  %x = constant <f4E2M1FN: 1.0> : tile<4x16xf4E2M1FN>
  // expected-error@+1 {{'cuda_tile.store_view_tko' op an f4 view access requires exactly one statically encoded unit stride to identify the packing dimension; got 2 in '!cuda_tile.tensor_view<64x64xf4E2M1FN, strides=[1,1]>'}}
  %u = store_view_tko weak %x, %v[%i, %i] : tile<4x16xf4E2M1FN>, partition_view<tile=(4x16), tensor_view<64x64xf4E2M1FN, strides=[1,1]>>, tile<i32> -> token
  return
}

// -----

entry @k(%p: tile<ptr<f4E2M1FN>>, %i: tile<i32>) {
  %l = iota : tile<4xi32>
  %tv = make_tensor_view %p, shape = [64, 64], strides = [64,1] : tensor_view<64x64xf4E2M1FN, strides=[64,1]>
  %v = make_gather_scatter_view %tv : gather_scatter_view<tile=(16x4), tensor_view<64x64xf4E2M1FN, strides=[64,1]>, sparse_dim=1>
  // expected-error@+1 {{'cuda_tile.load_view_tko' op an f4 gather/scatter view cannot use packing dimension 1 as its sparse dimension}}
  %x, %t = load_view_tko weak %v[%i, %l] : gather_scatter_view<tile=(16x4), tensor_view<64x64xf4E2M1FN, strides=[64,1]>, sparse_dim=1>, tile<i32>, tile<4xi32> -> tile<16x4xf4E2M1FN>, token
  return
}

// -----

entry @k(%p: tile<ptr<f4E2M1FN>>, %i: tile<i32>) {
  %l = iota : tile<4xi32>
  %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf4E2M1FN, strides=[1]>
  %v = make_gather_scatter_view %tv : gather_scatter_view<tile=(4), tensor_view<64xf4E2M1FN, strides=[1]>, sparse_dim=0>
  %x = constant <f4E2M1FN: 1.0> : tile<4xf4E2M1FN>
  // expected-error@+1 {{'cuda_tile.store_view_tko' op an f4 gather/scatter view cannot use packing dimension 0 as its sparse dimension}}
  %u = store_view_tko weak %x, %v[%l] : tile<4xf4E2M1FN>, gather_scatter_view<tile=(4), tensor_view<64xf4E2M1FN, strides=[1]>, sparse_dim=0>, tile<4xi32> -> token
  return
}
