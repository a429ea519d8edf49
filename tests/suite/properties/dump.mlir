// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_100 -O1 | FileCheck %s
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_100 -O1 | tile-opt --lower-to=ptx | FileCheck %s --check-prefix=PTX
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_100 -O1 | not tile-opt --lower-to=ptx -O3 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_100 -O1 | not tile-opt --lower-to=ptx --gpu-name=sm_90 2>&1 | FileCheck %s --check-prefix=GPU
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_100 -O1 --tensor-maps=device | not tile-opt --lower-to=ptx --tensor-maps=params 2>&1 | FileCheck %s --check-prefix=MAPS
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_100 -O1 --tensor-maps=none | tile-opt --lower-to=nvvm | FileCheck %s --check-prefix=NONE
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_89 --tensor-maps=params | FileCheck %s --check-prefix=WITHOUT
// RUN: tile-opt %s --cse --print-after-all -o - 2>&1 | FileCheck %s --check-prefix=EXPLICIT

// A dump says what it was compiled for and how far it got, and goes on from there with nothing but the goal.
// CHECK: module attributes {nv_tileaa.compute_capability = 100 : i32, tilewright.state = {after = "convert-tileaa-to-tileas", from = "cuda_tile", gpu = "sm_100", opt_level = 1 : i32, tensor_maps = "params"}}
// CHECK: nv_tileas.func @k({{.*}}) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>, {{.*}}tilewright.state = {after = "tileas-insert-barriers", from = "cuda_tile", gpu = "sm_100", holds = ["atomics-once", {{.*}}"layouts-assigned", {{.*}}], opt_level = 1 : i32, tensor_maps = "params"}}
// PTX: .target sm_100
// PTX: .visible .entry k
// OTHER: was compiled at -O1 so far, and cannot go on at -O3
// GPU: but --gpu-name is 'sm_90'
// MAPS: was compiled with --tensor-maps=device so far, and cannot go on with params
// NONE: tilewright.state = {{{.*}}tensor_maps = "none"}
// WITHOUT-NOT: tensor_maps
// EXPLICIT: IR Dump After CSE
// EXPLICIT: tilewright.state = {gpu = "sm_90", {{.*}}opt_level = 3 : i32, tensor_maps = "params"}
cuda_tile.entry @k(%p: tile<ptr<f32>>) {
  return
}
