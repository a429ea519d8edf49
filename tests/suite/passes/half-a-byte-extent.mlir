// RUN: tile-opt %s --split-input-file --convert-cuda-tile-to-tileaa --gpu-name=sm_100 --verify-diagnostics

// A tensor that ends inside a byte: the reference's verifier takes it, and its compiler writes all of the byte.
entry @store(%p: tile<ptr<f4E2M1FN>>) {
  %x = constant <f4E2M1FN: 1.0> : tile<16xf4E2M1FN>
  %i = constant <i32: 0> : tile<i32>
  %tv = make_tensor_view %p, shape = [15], strides = [1] : tensor_view<15xf4E2M1FN, strides=[1]>
  %v = make_partition_view %tv : partition_view<tile=(16), tensor_view<15xf4E2M1FN, strides=[1]>>
  // expected-error @below {{'cuda_tile.store_view_tko' op accesses a tensor of 15 elements along dimension 0, along which two elements share a byte: their number must be even}}
  %t = store_view_tko weak %x, %v[%i] : tile<16xf4E2M1FN>, partition_view<tile=(16), tensor_view<15xf4E2M1FN, strides=[1]>>, tile<i32> -> token
  return
}

// -----

entry @load(%p: tile<ptr<f4E2M1FN>>) {
  %i = constant <i32: 0> : tile<i32>
  %tv = make_tensor_view %p, shape = [7, 15], strides = [1, 8] : tensor_view<7x15xf4E2M1FN, strides=[1,8]>
  %v = make_partition_view %tv : partition_view<tile=(8x16), tensor_view<7x15xf4E2M1FN, strides=[1,8]>>
  // expected-error @below {{'cuda_tile.load_view_tko' op accesses a tensor of 7 elements along dimension 0, along which two elements share a byte: their number must be even}}
  %x, %t = load_view_tko weak %v[%i, %i] : partition_view<tile=(8x16), tensor_view<7x15xf4E2M1FN, strides=[1,8]>>, tile<i32> -> tile<8x16xf4E2M1FN>, token
  return
}

// -----

// Of another dimension any number, and of a dynamic size an even one by the language's rule, which the interpreter checks.
entry @others(%p: tile<ptr<f4E2M1FN>>, %n: tile<i64>) {
  %i = constant <i32: 0> : tile<i32>
  %tv = make_tensor_view %p, shape = [7, %n], strides = [8, 1] : tile<i64> -> tensor_view<7x?xf4E2M1FN, strides=[8,1]>
  %v = make_partition_view %tv : partition_view<tile=(8x16), tensor_view<7x?xf4E2M1FN, strides=[8,1]>>
  %x, %t = load_view_tko weak %v[%i, %i] : partition_view<tile=(8x16), tensor_view<7x?xf4E2M1FN, strides=[8,1]>>, tile<i32> -> tile<8x16xf4E2M1FN>, token
  return
}
