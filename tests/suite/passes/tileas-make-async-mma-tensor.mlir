// RUN: tile-opt %s --tileas-make-async-mma --gpu-name=sm_100 | FileCheck %s

// Products that sum in TMEM. What threads have computed in the layout of a sum, a row for each, they keep, for TMEM.
// CHECK-LABEL: nv_tileas.func @rows
// CHECK-NOT: nv_tileas.local_store %h
// CHECK: nv_tileas.dot_async %h, %{{.*}} : tensor<128x16xf16
// CHECK-LABEL: nv_tileas.func @unchanged_other_layout
// CHECK: nv_tileas.local_store %h
// CHECK: nv_tileas.dot_async %{{.*}} : !nv_tileas.buffer<128x16xf16
// CHECK-LABEL: nv_tileas.func @unchanged_bytes
// CHECK: nv_tileas.local_store %h
// CHECK: nv_tileas.dot_async %{{.*}} : !nv_tileas.buffer<128x32xf8E4M3FN
// CHECK-LABEL: nv_tileas.func @no_room
// CHECK: nv_tileas.local_store %h
// CHECK: nv_tileas.dot_async %{{.*}} : !nv_tileas.buffer<256x256xf16
#row = #nv_tileas.layout<"{shape = [128, 16], register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}">
#row32 = #nv_tileas.layout<"{shape = [128, 32], register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}">
#row256 = #nv_tileas.layout<"{shape = [256, 256], register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [128, 0]], block = []}">
#other = #nv_tileas.layout<"{shape = [128, 16], register = [[0, 1], [0, 2], [0, 4], [64, 0]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], block = []}">
#factor = #nv_tileas.layout<"{shape = [16, 16], register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}">
#factor32 = #nv_tileas.layout<"{shape = [32, 16], register = [[0, 1], [16, 0]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}">
#factor256 = #nv_tileas.layout<"{shape = [256, 256], register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0], [64, 0], [128, 0], [0, 128]], lane = [[0, 8], [0, 16], [0, 32], [0, 64], [1, 0]], warp = [[2, 0], [4, 0], [8, 0]], block = []}">
#four = #nv_tileaa.kernel_spec<num_warps = 4>
#eight = #nv_tileaa.kernel_spec<num_warps = 8>
nv_tileas.func @rows(%h0: f16, %b0: f16, %c0: f32) attributes {nv_tileaa.kernel_spec = #four} {
  %h = nv_tileas.splat %h0 : f16 -> tensor<128x16xf16, #row>
  %b = nv_tileas.splat %b0 : f16 -> tensor<16x16xf16, #factor>
  %c = nv_tileas.splat %c0 : f32 -> tensor<128x16xf32, #row>
  %d = nv_tileas.dot %h, %b, %c {mma = #nv_tileas.mma<tcgen05.mma, m128n16k16, warps = [4, 1]>} : tensor<128x16xf16, #row>, tensor<16x16xf16, #factor> -> tensor<128x16xf32, #row>
  nv_tileas.return
}
nv_tileas.func @unchanged_other_layout(%h0: f16, %b0: f16, %c0: f32) attributes {nv_tileaa.kernel_spec = #four} {
  %h = nv_tileas.splat %h0 : f16 -> tensor<128x16xf16, #other>
  %b = nv_tileas.splat %b0 : f16 -> tensor<16x16xf16, #factor>
  %c = nv_tileas.splat %c0 : f32 -> tensor<128x16xf32, #row>
  %d = nv_tileas.dot %h, %b, %c {mma = #nv_tileas.mma<tcgen05.mma, m128n16k16, warps = [4, 1]>} : tensor<128x16xf16, #other>, tensor<16x16xf16, #factor> -> tensor<128x16xf32, #row>
  nv_tileas.return
}
nv_tileas.func @unchanged_bytes(%h0: f8E4M3FN, %b0: f8E4M3FN, %c0: f32) attributes {nv_tileaa.kernel_spec = #four} {
  %h = nv_tileas.splat %h0 : f8E4M3FN -> tensor<128x32xf8E4M3FN, #row32>
  %b = nv_tileas.splat %b0 : f8E4M3FN -> tensor<32x16xf8E4M3FN, #factor32>
  %c = nv_tileas.splat %c0 : f32 -> tensor<128x16xf32, #row>
  %d = nv_tileas.dot %h, %b, %c {mma = #nv_tileas.mma<tcgen05.mma, m128n16k32, warps = [4, 1]>} : tensor<128x32xf8E4M3FN, #row32>, tensor<32x16xf8E4M3FN, #factor32> -> tensor<128x16xf32, #row>
  nv_tileas.return
}
// A sum of 512 columns leaves none.
nv_tileas.func @no_room(%h0: f16, %b0: f16, %c0: f32) attributes {nv_tileaa.kernel_spec = #eight} {
  %h = nv_tileas.splat %h0 : f16 -> tensor<256x256xf16, #row256>
  %b = nv_tileas.splat %b0 : f16 -> tensor<256x256xf16, #factor256>
  %c = nv_tileas.splat %c0 : f32 -> tensor<256x256xf32, #row256>
  %d = nv_tileas.dot %h, %b, %c {mma = #nv_tileas.mma<tcgen05.mma, m128n256k16, warps = [8, 1]>} : tensor<256x256xf16, #row256>, tensor<256x256xf16, #factor256> -> tensor<256x256xf32, #row256>
  nv_tileas.return
}
