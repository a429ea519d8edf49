// RUN: not tile-opt %s --pass-pipeline='builtin.module(nv_tileas.func(tileas-insert-barriers))' 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not tile-opt %s --convert-tileas-to-nvvm 2>&1 | FileCheck %s --check-prefix=LAYOUTS
// RUN: not tile-opt %s --tileas-assign-layouts --tileas-materialize-convert-layout --tileas-allocate-shared --tileas-legalize-reduce --tileas-insert-barriers 2>&1 | FileCheck %s --check-prefix=LOST

// What a pass of an explicit pipeline requires must be true of the input, which is looked at, or be established by a pass before it.
// SHARED: tile-opt: error: pass 'tileas-insert-barriers' requires 'shared-allocated' {{.*}}, which no earlier pass establishes; 'tileas-allocate-shared' would establish it. The input does not have it: 'nv_tileas.alloc_shared' op has no offset
// LAYOUTS: pass 'convert-tileas-to-nvvm' requires 'layouts-assigned' {{.*}} 'tileas-assign-layouts' would establish it. The input does not have it: 'nv_tileas.tiled_load' op has result #0 that is a tensor without a layout
// LOST: pass 'tileas-insert-barriers' requires 'shared-allocated' {{.*}}, which 'tileas-legalize-reduce' destroys; 'tileas-allocate-shared' would establish it
nv_tileas.func @k(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nv_tileas.shared_bytes = 0 : i32} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %b = nv_tileas.alloc_shared : !nv_tileas.buffer<128xf32, #nv_tileas.shared<"{shape = [128], offset = [[1], [2], [4], [8], [16], [32], [64]]}">>
  %t, %a = nv_tileas.tiled_load %p[%z] sizes [%n] strides [%one] {bounds = array<i1: true>} : !nv_tileas.ptr<f32> -> tensor<128xf32>
  nv_tileas.return
}
