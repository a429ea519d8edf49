// RUN: tile-opt %s --tileas-materialize-convert-layout --tileas-allocate-shared --tileas-insert-barriers | FileCheck %s
// RUN: tile-opt %s --tileas-materialize-convert-layout --tileas-allocate-shared --tileas-insert-barriers --convert-tileas-to-nvvm --gpu-name=sm_90 | FileCheck %s --check-prefix=NVVM

#rows = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}">
#columns = #nv_tileas.layout<"{shape = [64, 64], register = [[1, 0], [2, 0], [4, 0], [0, 16], [0, 32]], lane = [[8, 0], [16, 0], [32, 0], [0, 1], [0, 2]], warp = [[0, 4], [0, 8]], block = []}">

// Crossing warps goes through a buffer, with a barrier between the store and the load. In a loop another one keeps the next round's store behind the
// load.
// CHECK: nv_tileas.func @transposition
// CHECK-SAME: nv_tileas.shared_bytes = 8192 : i32
// CHECK: scf.for
// CHECK: %[[B:.*]] = nv_tileas.alloc_shared at 0
// CHECK-NEXT: nv_tileas.barrier
// CHECK-NEXT: nv_tileas.local_store %{{.*}}, %[[B]]
// CHECK-NEXT: nv_tileas.barrier
// CHECK-NEXT: %[[C:.*]] = nv_tileas.local_load %[[B]]
// CHECK-NEXT: nv_tileas.permute %[[C]]

// NVVM: nvvm.func @transposition
// NVVM-SAME: nvvm.reqntid = array<i32: 128>
// NVVM-SAME: nvvm.shared_bytes = 8192 : i32
// NVVM: nvvm.shared_base : !nvvm.ptr<3>
// NVVM: nvvm.barrier
// NVVM: nvvm.st {{.*}} : !nvvm.ptr<3>
// NVVM: nvvm.barrier
// NVVM: cf.br
nv_tileas.func @transposition(%n: i32, %x: f16) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %t = nv_tileas.splat %x : f16 -> tensor<64x64xf16, #columns>
  %r = scf.for %i = %z to %n step %one iter_args(%c = %t) -> (tensor<64x64xf16, #columns>) : i32 {
    %rows = nv_tileas.convert_layout %c : tensor<64x64xf16, #columns> -> tensor<64x64xf16, #rows>
    %p = nv_tileas.permute %rows [1, 0] : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #columns>
    scf.continue %p : tensor<64x64xf16, #columns>
  }
  nv_tileas.return
}
