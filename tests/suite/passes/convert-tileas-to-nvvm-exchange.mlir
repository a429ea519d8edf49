// RUN: tile-opt %s --convert-tileas-to-nvvm --canonicalize --gpu-name=sm_90 | FileCheck %s

#from = #nv_tileas.layout<"{shape = [64], register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], block = []}">
#to = #nv_tileas.layout<"{shape = [64], register = [[2]], lane = [[1], [4], [8], [16], [32]], warp = [], block = []}">

// Even lanes keep their first register and send the second, odd ones the other way around. One choice says what is
// sent, and one for each register where what came belongs. What stays needs none of its own.
// CHECK-LABEL: nvvm.func @trade_places
// CHECK: %[[ODD:.*]] = arith.cmpi ne
// CHECK-NOT: arith.cmpi
// CHECK: %[[SENT:.*]] = arith.select %[[ODD]], %[[A:.*]], %[[B:.*]] : i1, f32
// CHECK-NEXT: %[[CAME:.*]] = nvvm.shfl.sync bfly %[[SENT]]
// CHECK-NEXT: %[[FIRST:.*]] = arith.select %[[ODD]], %[[CAME]], %[[A]] : i1, f32
// CHECK-NEXT: %[[SECOND:.*]] = arith.select %[[ODD]], %[[B]], %[[CAME]] : i1, f32
// CHECK-NOT: arith.select
nv_tileas.func @trade_places(%p: !nv_tileas.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %b = nv_tileas.splat %p : !nv_tileas.ptr<f32> -> tensor<64x!nv_tileas.ptr<f32>, #from>
  %i = nv_tileas.make_range : tensor<64xi32, #from>
  %q = nv_tileas.addptr %b, %i : tensor<64x!nv_tileas.ptr<f32>, #from>, tensor<64xi32, #from>
  %v, %t = nv_tileas.load %q : tensor<64x!nv_tileas.ptr<f32>, #from> -> tensor<64xf32, #from>, !nv_tileas.mem_token
  %w = nv_tileas.convert_layout %v : tensor<64xf32, #from> -> tensor<64xf32, #to>
  %c = nv_tileas.splat %p : !nv_tileas.ptr<f32> -> tensor<64x!nv_tileas.ptr<f32>, #to>
  %j = nv_tileas.make_range : tensor<64xi32, #to>
  %r = nv_tileas.addptr %c, %j : tensor<64x!nv_tileas.ptr<f32>, #to>, tensor<64xi32, #to>
  %u = nv_tileas.store %r, %w : tensor<64x!nv_tileas.ptr<f32>, #to>, tensor<64xf32, #to> -> !nv_tileas.mem_token
  nv_tileas.return
}
