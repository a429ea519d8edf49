// RUN: not tile-opt %s --convert-cuda-tile-to-tileaa --gpu-name=sm_90 2>&1 | FileCheck %s

// What has no lowering fails with the operation's name and place.
// CHECK: not-lowered-yet.mlir:8:{{[0-9]+}}: error: 'cuda_tile.alloca' op is not lowered to nv_tileaa yet with an alignment of 256 bytes
entry @k() {
  %a = constant <i1: true> : tile<8xi1>
  // comment, so that the line is known
  %b = alloca num_elem = 4, alignment = 256 : tile<ptr<i8>>
  return
}
