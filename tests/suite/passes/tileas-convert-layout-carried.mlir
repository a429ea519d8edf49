// RUN: tile-opt %s --tileas-materialize-convert-layout --gpu-name=sm_120 | FileCheck %s

// An mma takes a pair of tf32 elements of B, 4 rows apart, in registers that follow each other. So the buffer has them
// next to each other, and a load brings 4 rows of one column. That is so too where the MMA of the next iteration takes
// the tile: otherwise each MMA had two moves.
// CHECK: [[PAIRS:#shared[0-9]*]] = #nv_tileas.shared<"{shape = [32, 128], offset = {{\[\[}}4, 0], [8, 0],
// CHECK: [[COLUMN:#shared[0-9]*]] = #nv_tileas.shared<"{shape = [64, 1, 128], offset = {{\[\[}}0, 0, 8], [1, 0, 0],
#c = #nv_tileas.layout<"{shape = [128, 128], register = [[0, 2], [8, 0], [0, 1], [0, 16], [0, 32], [16, 0]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [64, 0], [0, 64]], block = []}">
#rows = #nv_tileas.layout<"{shape = [32, 128], register = [[0, 1], [0, 2], [4, 0], [8, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = [[1, 0], [2, 0], [16, 0]], block = []}">
#a = #nv_tileas.layout<"{shape = [128, 32], register = [[8, 0], [0, 4], [0, 8], [0, 16], [16, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [64, 0], [0, 0]], block = []}">
#b = #nv_tileas.layout<"{shape = [32, 128], register = [[4, 0], [8, 0], [16, 0], [0, 1], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [0, 2], [0, 4], [0, 8]], warp = [[0, 0], [0, 0], [0, 64]], block = []}">

// CHECK-LABEL: nv_tileas.func @carried
// CHECK: nv_tileas.local_load %{{.*}} : !nv_tileas.buffer<32x128xtf32, [[PAIRS]]>
// CHECK: scf.for
// CHECK: nv_tileas.local_load %{{.*}} : !nv_tileas.buffer<32x128xtf32, [[PAIRS]]>
// CHECK: nv_tileas.return
nv_tileas.func @carried(%p: !nv_tileas.ptr<f32>, %n: i64, %trips: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %x = arith.constant dense<1.000000e+00> : tensor<128x32xtf32> as tensor<128x32xtf32, #a>
  %acc = arith.constant dense<0.000000e+00> : tensor<128x128xf32> as tensor<128x128xf32, #c>
  %y = arith.constant dense<2.000000e+00> : tensor<32x128xtf32> as tensor<32x128xtf32, #rows>
  %first = nv_tileas.convert_layout %y : tensor<32x128xtf32, #rows> -> tensor<32x128xtf32, #b>
  %sum, %last = scf.for %k = %i0 to %trips step %i1 iter_args(%s = %acc, %now = %first) -> (tensor<128x128xf32, #c>, tensor<32x128xtf32, #b>) : i32 {
    %d = nv_tileas.dot %x, %now, %s {mma = #nv_tileas.mma<mma.sync, m16n8k8, warps = [4, 2], interleave = [1, 2]>} : tensor<128x32xtf32, #a>, tensor<32x128xtf32, #b> -> tensor<128x128xf32, #c>
    %next = nv_tileas.convert_layout %y : tensor<32x128xtf32, #rows> -> tensor<32x128xtf32, #b>
    scf.continue %d, %next : tensor<128x128xf32, #c>, tensor<32x128xtf32, #b>
  }
  %t = nv_tileas.tiled_store %sum, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x128xf32, #c>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// The same where MMAs take parts of the tile, after a change of names: not four columns of a row at once, which would be
// in the registers of four MMAs.
// CHECK-LABEL: nv_tileas.func @parts
// CHECK: nv_tileas.local_load %{{.*}}, [[COLUMN]]>
// CHECK: nv_tileas.extract
#c16 = #nv_tileas.layout<"{shape = [64, 128], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 64]], block = []}">
#loaded = #nv_tileas.layout<"{shape = [128, 128], register = [[1, 0], [2, 0], [4, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[8, 0], [16, 0], [32, 0], [64, 0], [0, 1]], warp = [[0, 2], [0, 4]], block = []}">
#ordered = #nv_tileas.layout<"{shape = [128, 128], register = [[1, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 8], [0, 16], [0, 32]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 64]], block = []}">
#parts = #nv_tileas.layout<"{shape = [128, 128], register = [[1, 0], [8, 0], [0, 8], [0, 16], [0, 32], [16, 0], [32, 0], [64, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 64]], block = []}">
#a16 = #nv_tileas.layout<"{shape = [64, 16], register = [[0, 1], [8, 0], [0, 8], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 0]], block = []}">
#b16 = #nv_tileas.layout<"{shape = [16, 128], register = [[1, 0], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 64]], block = []}">
nv_tileas.func @parts(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %i0 = arith.constant 0 : i32
  %x = arith.constant dense<1.000000e+00> : tensor<64x16xbf16> as tensor<64x16xbf16, #a16>
  %acc = arith.constant dense<0.000000e+00> : tensor<64x128xf32> as tensor<64x128xf32, #c16>
  %y = arith.constant dense<2.000000e+00> : tensor<128x128xbf16> as tensor<128x128xbf16, #loaded>
  %first = nv_tileas.convert_layout %y : tensor<128x128xbf16, #loaded> -> tensor<128x128xbf16, #ordered>
  %named = nv_tileas.convert_layout %first : tensor<128x128xbf16, #ordered> -> tensor<128x128xbf16, #parts>
  %part = nv_tileas.extract %named[%i0, %i0] : tensor<128x128xbf16, #parts>, i32, i32 -> tensor<16x128xbf16, #b16>
  %d = nv_tileas.dot %x, %part, %acc {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x16xbf16, #a16>, tensor<16x128xbf16, #b16> -> tensor<64x128xf32, #c16>
  %t = nv_tileas.tiled_store %d, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x128xf32, #c16>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
