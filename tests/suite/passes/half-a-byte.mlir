// RUN: not tile-opt %s --convert-cuda-tile-to-tileaa --gpu-name=sm_90 2>&1 | FileCheck %s

// The reference's verifier takes a tile of one element along the packed dimension; memory has no place for it alone.
// CHECK: half-a-byte.mlir:9:{{[0-9]+}}: error: 'cuda_tile.load_view_tko' op accesses one element along dimension 1, along which two elements share a byte
entry @k(%p: tile<ptr<f4E2M1FN>>) {
  %i = constant <i32: 0> : tile<i32>
  %tv = make_tensor_view %p, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf4E2M1FN, strides=[16,1]>
  %v = make_partition_view %tv : partition_view<tile=(16x1), tensor_view<16x16xf4E2M1FN, strides=[16,1]>>
  %x, %t = load_view_tko weak %v[%i, %i] : partition_view<tile=(16x1), tensor_view<16x16xf4E2M1FN, strides=[16,1]>>, tile<i32> -> tile<16x1xf4E2M1FN>, token
  return
}
