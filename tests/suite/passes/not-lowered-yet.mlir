// RUN: not tile-opt %s --convert-cuda-tile-to-tileaa --gpu-name=sm_90 2>&1 | FileCheck %s

// What has no lowering fails with the operation's name and place.
// CHECK: not-lowered-yet.mlir:8:{{[0-9]+}}: error: 'cuda_tile.cat' op is not lowered to nv_tileaa yet
entry @k() {
  %a = iota : tile<8xi32>
  // comment, so that the line is known
  %b = cat %a, %a dim = 0 : tile<8xi32>, tile<8xi32> -> tile<16xi32>
  return
}
