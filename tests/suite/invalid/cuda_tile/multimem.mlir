// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What the operations of the chapter Multimem reject.

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>
  // expected-error@+1 {{'cuda_tile.multimem_load_reduce_view_tko' op expected a multicast pointer, but got '!cuda_tile.tensor_view<8x8xf32, strides=[8,1]>'}}
  %0, %1 = multimem_load_reduce_view_tko relaxed sys %x[%arg, %arg] : partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>, tile<i32> -> tile<2x4xf32>, token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1], #cuda_tile.ptr_attr<multicast>>>
  // expected-error@+1 {{'cuda_tile.multimem_load_reduce_view_tko' op and/or/xor/umin/umax reductions require integer element types, but got 'f32'}}
  %0, %1 = multimem_load_reduce_view_tko relaxed sys %x[%arg, %arg] attributes {reduction = #cuda_tile.multimem_reduction_kind<xor>} : partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<2x4xf32>, token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1], #cuda_tile.ptr_attr<multicast>>>
  // expected-error@+1 {{'cuda_tile.multimem_load_reduce_view_tko' op expected tile type to be '!cuda_tile.tile<2x4xf32>' (based on view type), got '!cuda_tile.tile<2x2xf32>'}}
  %0, %1 = multimem_load_reduce_view_tko relaxed sys %x[%arg, %arg] : partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<2x2xf32>, token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>
  %y = "t.v"() : () -> !cuda_tile.tile<2x4xf32>
  // expected-error@+1 {{'cuda_tile.multimem_reduce_view_tko' op expected a multicast pointer, but got '!cuda_tile.tensor_view<8x8xf32, strides=[8,1]>'}}
  %0 = multimem_reduce_view_tko relaxed sys %x, %y[%arg, %arg] : partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>, tile<2x4xf32>, tile<i32> -> token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1], #cuda_tile.ptr_attr<multicast>>>
  %y = "t.v"() : () -> !cuda_tile.tile<2x4xf32>
  // expected-error@+1 {{'cuda_tile.multimem_reduce_view_tko' op and/or/xor/umin/umax reductions require integer element types, but got 'f32'}}
  %0 = multimem_reduce_view_tko relaxed sys %x, %y[%arg, %arg] attributes {reduction = #cuda_tile.multimem_reduction_kind<and>} : partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1], #cuda_tile.ptr_attr<multicast>>>, tile<2x4xf32>, tile<i32> -> token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1], #cuda_tile.ptr_attr<multicast>>>
  %y = "t.v"() : () -> !cuda_tile.tile<2x4xf32>
  // expected-error@+1 {{'cuda_tile.multimem_reduce_view_tko' op inbounds size (1) must match the number of indices (2)}}
  %0 = multimem_reduce_view_tko relaxed sys %x, %y[%arg, %arg] inbounds = [true] : partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1], #cuda_tile.ptr_attr<multicast>>>, tile<2x4xf32>, tile<i32> -> token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>
  %y = "t.v"() : () -> !cuda_tile.tile<2x4xf32>
  // expected-error@+1 {{'cuda_tile.multimem_store_view_tko' op expected a multicast pointer, but got '!cuda_tile.tensor_view<8x8xf32, strides=[8,1]>'}}
  %0 = multimem_store_view_tko weak %x, %y[%arg, %arg] : partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>, tile<2x4xf32>, tile<i32> -> token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1], #cuda_tile.ptr_attr<multicast>>>
  %y = "t.v"() : () -> !cuda_tile.tile<2x2xf32>
  // expected-error@+1 {{'cuda_tile.multimem_store_view_tko' op expected tile type to be '!cuda_tile.tile<2x4xf32>' (based on view type), got '!cuda_tile.tile<2x2xf32>'}}
  %0 = multimem_store_view_tko weak %x, %y[%arg, %arg] : partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1], #cuda_tile.ptr_attr<multicast>>>, tile<2x2xf32>, tile<i32> -> token
  return
}
