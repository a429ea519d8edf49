// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What the operations of the chapter Atomics reject.

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<i8>>
  %y = "t.v"() : () -> !cuda_tile.tile<i8>
  %z = "t.v"() : () -> !cuda_tile.tile<i8>
  // expected-error@+1 {{'cuda_tile.atomic_cas_tko' op expect only float or integer types with 32 or 64 bit}}
  %0, %1 = atomic_cas_tko relaxed sys %x, %y, %z : tile<ptr<i8>>, tile<i8> -> tile<i8>, token
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<i32>>
  %y = "t.v"() : () -> !cuda_tile.tile<i32>
  %z = "t.v"() : () -> !cuda_tile.tile<i32>
  // expected-error@+1 {{'cuda_tile.atomic_cas_tko' op memory ordering semantics must be one of: relaxed, acquire, release, acq_rel}}
  %0, %1 = atomic_cas_tko weak device %x, %y, %z : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<i64>>
  %y = "t.v"() : () -> !cuda_tile.tile<i32>
  %z = "t.v"() : () -> !cuda_tile.tile<i32>
  // expected-error@+1 {{'cuda_tile.atomic_cas_tko' op expected pointee type ('i64') to match element type of 'val' ('i32')}}
  %0, %1 = atomic_cas_tko relaxed device %x, %y, %z : tile<ptr<i64>>, tile<i32> -> tile<i32>, token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.gather_scatter_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=0>
  %y = "t.v"() : () -> !cuda_tile.tile<2x4xf32>
  // expected-error@+1 {{'cuda_tile.atomic_red_view_tko' op gather_scatter_view is not supported; use partition_view instead}}
  %0 = atomic_red_view_tko relaxed device %x[%arg, %arg], addf, %y : tile<2x4xf32>, gather_scatter_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=0>, tile<i32> -> token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), padding_value = zero, tensor_view<8x8xf32, strides=[8,1]>>
  %y = "t.v"() : () -> !cuda_tile.tile<2x4xf32>
  // expected-error@+1 {{'cuda_tile.atomic_red_view_tko' op views with padding_value are not supported for atomic reductions}}
  %0 = atomic_red_view_tko relaxed device %x[%arg, %arg], addf, %y : tile<2x4xf32>, partition_view<tile=(2x4), padding_value = zero, tensor_view<8x8xf32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>
  %y = "t.v"() : () -> !cuda_tile.tile<2x4xf16>
  // expected-error@+1 {{'cuda_tile.atomic_red_view_tko' op view element type ('f32') must match value element type ('f16')}}
  %0 = atomic_red_view_tko relaxed device %x[%arg, %arg], addf, %y : tile<2x4xf16>, partition_view<tile=(2x4), tensor_view<8x8xf32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xi32, strides=[8,1]>>
  %y = "t.v"() : () -> !cuda_tile.tile<2x4xi32>
  // expected-error@+1 {{'cuda_tile.atomic_red_view_tko' op atomic_red_view_tko op cannot use xchg operation}}
  %0 = atomic_red_view_tko relaxed device %x[%arg, %arg], xchg, %y : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<8x8xi32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xi32, strides=[8,1]>>
  %y = "t.v"() : () -> !cuda_tile.tile<2x4xi32>
  // expected-error@+1 {{'cuda_tile.atomic_red_view_tko' op only 'relaxed' memory ordering is supported for view-based atomic reductions}}
  %0 = atomic_red_view_tko acquire device %x[%arg, %arg], add, %y : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<8x8xi32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

entry @k(%arg: tile<i32>) {
  %x = "t.v"() : () -> !cuda_tile.partition_view<tile=(2x4), tensor_view<8x8xi32, strides=[8,1]>>
  %y = "t.v"() : () -> !cuda_tile.tile<2x4xi32>
  // expected-error@+1 {{'cuda_tile.atomic_red_view_tko' op memory scope 'sys' is not supported for view-based atomic reductions; use 'tl_blk' or 'device' for TMA compatibility}}
  %0 = atomic_red_view_tko relaxed sys %x[%arg, %arg], add, %y : tile<2x4xi32>, partition_view<tile=(2x4), tensor_view<8x8xi32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<i32>>
  %y = "t.v"() : () -> !cuda_tile.tile<i32>
  // expected-error@+1 {{'cuda_tile.atomic_rmw_tko' op memory ordering semantics must be one of: relaxed, acquire, release, acq_rel}}
  %0, %1 = atomic_rmw_tko weak sys %x, add, %y : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<i32>>
  %y = "t.v"() : () -> !cuda_tile.tile<i32>
  // expected-error@+1 {{custom op 'cuda_tile.atomic_rmw_tko' expected string or keyword containing one of the following enum values for attribute 'mode' [and, or, xor, add, addf, max, min, umax, umin, xchg], got: 'frob'}}
  %0, %1 = atomic_rmw_tko relaxed sys %x, frob, %y : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<f32>>
  %y = "t.v"() : () -> !cuda_tile.tile<f32>
  // expected-error@+1 {{'cuda_tile.atomic_rmw_tko' op 'add' works only with integers i32 and i64}}
  %0, %1 = atomic_rmw_tko relaxed sys %x, add, %y : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<i32>>
  %y = "t.v"() : () -> !cuda_tile.tile<i32>
  // expected-error@+1 {{'cuda_tile.atomic_rmw_tko' op 'addf' works only with floats f16, bf16, f32, and f64}}
  %0, %1 = atomic_rmw_tko relaxed sys %x, addf, %y : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<tf32>>
  %y = "t.v"() : () -> !cuda_tile.tile<tf32>
  // expected-error@+1 {{'cuda_tile.atomic_rmw_tko' op 'xchg' works only with integers or float of 32 or 64 bitwidth}}
  %0, %1 = atomic_rmw_tko relaxed sys %x, xchg, %y : tile<ptr<tf32>>, tile<tf32> -> tile<tf32>, token
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<i64>>
  %y = "t.v"() : () -> !cuda_tile.tile<i32>
  // expected-error@+1 {{'cuda_tile.atomic_rmw_tko' op expected pointee type ('i64') to match element type of 'arg' ('i32')}}
  %0, %1 = atomic_rmw_tko relaxed sys %x, add, %y : tile<ptr<i64>>, tile<i32> -> tile<i32>, token
  return
}

// -----

entry @k() {
  %x = "t.v"() : () -> !cuda_tile.tile<ptr<i32>>
  %y = "t.v"() : () -> !cuda_tile.tile<i32>
  %z = "t.v"() : () -> !cuda_tile.tile<2xi1>
  // expected-error@+1 {{'cuda_tile.atomic_rmw_tko' op failed to verify that all of {pointers, arg, mask} have same shape}}
  %0, %1 = atomic_rmw_tko relaxed sys %x, add, %y, %z : tile<ptr<i32>>, tile<i32>, tile<2xi1> -> tile<i32>, token
  return
}
