// RUN: tile-opt %s --tileas-materialize-convert-layout --gpu-name=sm_90 | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(nv_tileas.func(tileas-materialize-convert-layout{max-shuffles=0}))' --gpu-name=sm_90 | FileCheck %s --check-prefix=NONE
// RUN: tile-opt %s --pass-pipeline='builtin.module(nv_tileas.func(tileas-materialize-convert-layout{max-bytes=1024}))' --gpu-name=sm_90 | FileCheck %s --check-prefix=CUT
// RUN: tile-opt %s --tileas-materialize-convert-layout --gpu-name=sm_120 | FileCheck %s --check-prefix=SMALL

#lanes = #nv_tileas.layout<"{shape = [64], register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], block = []}">
#far = #nv_tileas.layout<"{shape = [64], register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">
#warps = #nv_tileas.layout<"{shape = [128], register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], block = []}">
#others = #nv_tileas.layout<"{shape = [128], register = [], lane = [[4], [8], [16], [32], [64]], warp = [[1], [2]], block = []}">
#pairs = #nv_tileas.layout<"{shape = [128], register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], block = []}">
#swapped = #nv_tileas.layout<"{shape = [128], register = [[2], [1]], lane = [[4], [8], [16], [32], [64]], warp = [], block = []}">
#row = #nv_tileas.layout<"{shape = [128], register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[0], [0]], block = []}">
#line = #nv_tileas.layout<"{shape = [1, 128], register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = [[0, 0], [0, 0]], block = []}">
#tile = #nv_tileas.layout<"{shape = [4, 128], register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = [[1, 0], [2, 0]], block = []}">
#columns = #nv_tileas.layout<"{shape = [64, 32], register = [[0, 1], [0, 2], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}">
#rows = #nv_tileas.layout<"{shape = [64, 32], register = [[0, 8], [0, 16], [32, 0], [16, 0]], lane = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0]], warp = [[1, 0], [2, 0]], block = []}">
#high = #nv_tileas.layout<"{shape = [64, 32], register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], block = []}">
#low = #nv_tileas.layout<"{shape = [64, 32], register = [[4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0]], block = []}">
#ring16 = #nv_tileas.shared<"{shape = [16, 128], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [1, 0], [2, 0], [4, 0], [8, 0]]}">
#ring128 = #nv_tileas.shared<"{shape = [128, 128], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#square = #nv_tileas.layout<"{shape = [128, 128], register = [[0, 1], [0, 2], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = [[1, 0], [2, 0]], block = []}">
#turned = #nv_tileas.layout<"{shape = [128, 128], register = [[1, 0], [2, 0], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], warp = [[0, 1], [0, 2]], block = []}">
#sums = #nv_tileas.layout<"{shape = [128, 256], register = [[0, 2], [8, 0], [0, 1], [0, 16], [0, 32], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[64, 0], [0, 64], [0, 128]], block = []}">
#lines = #nv_tileas.layout<"{shape = [128, 256], register = [[0, 1], [0, 2], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = [[0, 128], [1, 0], [2, 0]], block = []}">

// Between warps there is nothing but shared memory.
// CHECK-LABEL: nv_tileas.func @across_warps
// CHECK-NOT: nv_tileas.convert_layout
// CHECK: nv_tileas.local_store %{{.*}}, %[[B:.*]] : tensor<128xf32, #{{.*}}>, !nv_tileas.buffer<
// CHECK: %[[Y:.*]] = nv_tileas.local_load %[[B]]
// CHECK: nv_tileas.tiled_store %[[Y]]
nv_tileas.func @across_warps(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %l = nv_tileas.tiled_load %p[%z] sizes [%n] strides [%one] {padding = "zero", bounds = array<i1: true>} : !nv_tileas.ptr<f32> -> tensor<128xf32, #warps>
  %y = nv_tileas.convert_layout %x : tensor<128xf32, #warps> -> tensor<128xf32, #others>
  %u = nv_tileas.tiled_store %y, %p[%z] sizes [%n] strides [%one] token %l {bounds = array<i1: true>} : tensor<128xf32, #others>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// Two rows are repeated over a tile, and only then used: both are stored before one of them is loaded.
// CHECK-LABEL: nv_tileas.func @rows_of_a_tile
// CHECK: nv_tileas.local_store
// CHECK: nv_tileas.local_store
// CHECK: nv_tileas.local_load
// CHECK: nv_tileas.broadcast
// CHECK: arith.mulf
// CHECK: nv_tileas.local_load
// CHECK: nv_tileas.broadcast
// CHECK: arith.addf
nv_tileas.func @rows_of_a_tile(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %lx = nv_tileas.tiled_load %p[%z] sizes [%n] strides [%one] {padding = "zero", bounds = array<i1: true>} : !nv_tileas.ptr<f32> -> tensor<128xf32, #warps>
  %y, %ly = nv_tileas.tiled_load %p[%one] sizes [%n] strides [%one] {padding = "zero", bounds = array<i1: true>} : !nv_tileas.ptr<f32> -> tensor<128xf32, #warps>
  %a, %la = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<4x128xf32, #tile>
  %x1 = nv_tileas.convert_layout %x : tensor<128xf32, #warps> -> tensor<128xf32, #row>
  %x2 = nv_tileas.reshape %x1 : tensor<128xf32, #row> -> tensor<1x128xf32, #line>
  %x3 = nv_tileas.broadcast %x2 : tensor<1x128xf32, #line> -> tensor<4x128xf32, #tile>
  %y1 = nv_tileas.convert_layout %y : tensor<128xf32, #warps> -> tensor<128xf32, #row>
  %y2 = nv_tileas.reshape %y1 : tensor<128xf32, #row> -> tensor<1x128xf32, #line>
  %y3 = nv_tileas.broadcast %y2 : tensor<1x128xf32, #line> -> tensor<4x128xf32, #tile>
  %b = arith.mulf %a, %x3 : tensor<4x128xf32, #tile>
  %c = arith.addf %b, %y3 : tensor<4x128xf32, #tile>
  %u = nv_tileas.tiled_store %c, %p[%z, %z] sizes [%n, %n] strides [%n, %one] token %la {bounds = array<i1: true, true>} : tensor<4x128xf32, #tile>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// A few shuffles are cheaper than a buffer and a barrier, if the pass may use them.
// CHECK-LABEL: nv_tileas.func @across_lanes
// CHECK: nv_tileas.convert_layout
// NONE-LABEL: nv_tileas.func @across_lanes
// NONE-NOT: nv_tileas.convert_layout
// NONE: nv_tileas.local_load
nv_tileas.func @across_lanes(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %l = nv_tileas.tiled_load %p[%z] sizes [%n] strides [%one] {padding = "zero", bounds = array<i1: true>} : !nv_tileas.ptr<f32> -> tensor<64xf32, #lanes>
  %y = nv_tileas.convert_layout %x : tensor<64xf32, #lanes> -> tensor<64xf32, #far>
  %u = nv_tileas.tiled_store %y, %p[%z] sizes [%n] strides [%one] token %l {bounds = array<i1: true>} : tensor<64xf32, #far>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// Inside a thread a conversion only names registers otherwise, with any option.
// CHECK-LABEL: nv_tileas.func @unchanged_registers
// NONE-LABEL: nv_tileas.func @unchanged_registers
// NONE: nv_tileas.convert_layout
// NONE-NOT: nv_tileas.local
// NONE-LABEL: nv_tileas.func @in_pieces
nv_tileas.func @unchanged_registers(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %l = nv_tileas.tiled_load %p[%z] sizes [%n] strides [%one] {padding = "zero", bounds = array<i1: true>} : !nv_tileas.ptr<f32> -> tensor<128xf32, #pairs>
  %y = nv_tileas.convert_layout %x : tensor<128xf32, #pairs> -> tensor<128xf32, #swapped>
  %u = nv_tileas.tiled_store %y, %p[%z] sizes [%n] strides [%one] token %l {bounds = array<i1: true>} : tensor<128xf32, #swapped>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// What has no room is converted piece by piece through one buffer. The pieces are rows 16 to 63 here, which registers hold on both sides: lanes and warps have all others.
// CHECK-LABEL: nv_tileas.func @in_pieces
// CHECK: nv_tileas.alloc_shared : !nv_tileas.buffer<64x32xf32
// CHECK-NOT: nv_tileas.extract
// CUT-LABEL: nv_tileas.func @in_pieces
// CUT: %[[X:.*]] = nv_tileas.reshape %{{.*}} -> tensor<4x16x32xf32
// CUT: %[[B:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<1x16x32xf32
// CUT: %[[P0:.*]] = nv_tileas.extract
// CUT: nv_tileas.local_store %[[P0]], %[[B]]
// CUT: %[[Q0:.*]] = nv_tileas.local_load %[[B]]
// CUT: %[[P1:.*]] = nv_tileas.extract
// CUT: nv_tileas.local_store %[[P1]], %[[B]]
// CUT: %[[Q1:.*]] = nv_tileas.local_load %[[B]]
// CUT-COUNT-2: nv_tileas.local_load %[[B]]
// CUT: nv_tileas.cat %[[Q0]], %[[Q1]] dim 0
// CUT: %[[Y:.*]] = nv_tileas.reshape %{{.*}} -> tensor<64x32xf32
// CUT: nv_tileas.tiled_store %[[Y]]
nv_tileas.func @in_pieces(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %l = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<64x32xf32, #columns>
  %y = nv_tileas.convert_layout %x : tensor<64x32xf32, #columns> -> tensor<64x32xf32, #rows>
  %u = nv_tileas.tiled_store %y, %p[%z, %z] sizes [%n, %n] strides [%n, %one] token %l {bounds = array<i1: true, true>} : tensor<64x32xf32, #rows>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// A tile that is larger than the shared memory of one target, and not of the other.
// CHECK-LABEL: nv_tileas.func @too_large
// CHECK: nv_tileas.alloc_shared : !nv_tileas.buffer<128x256xf32
// SMALL-LABEL: nv_tileas.func @too_large
// SMALL: nv_tileas.alloc_shared : !nv_tileas.buffer<{{.*}}1x32x256xf32
// SMALL-NOT: nv_tileas.alloc_shared
// SMALL-LABEL: nv_tileas.func @no_pieces
nv_tileas.func @too_large(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x = arith.constant dense<0.0> : tensor<128x256xf32> as tensor<128x256xf32, #sums>
  %y = nv_tileas.convert_layout %x : tensor<128x256xf32, #sums> -> tensor<128x256xf32, #lines>
  %t = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %u = nv_tileas.tiled_store %y, %p[%z, %z] sizes [%n, %n] strides [%n, %one] token %t {bounds = array<i1: true, true>} : tensor<128x256xf32, #lines>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// Threads differ in every bit of the coordinates on one side or the other: there are no pieces, and the whole goes through the buffer whatever it is asked for.
// CUT-LABEL: nv_tileas.func @no_pieces
// CUT: nv_tileas.alloc_shared : !nv_tileas.buffer<64x32xf32
nv_tileas.func @no_pieces(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %l = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<64x32xf32, #high>
  %y = nv_tileas.convert_layout %x : tensor<64x32xf32, #high> -> tensor<64x32xf32, #low>
  %u = nv_tileas.tiled_store %y, %p[%z, %z] sizes [%n, %n] strides [%n, %one] token %l {bounds = array<i1: true, true>} : tensor<64x32xf32, #low>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// What is converted in front of a loop is loaded where it is used, so that conversions share a barrier; or before the buffers of the loop are filled, where both do not fit at once.
// CHECK-LABEL: nv_tileas.func @beside_a_ring
// CHECK: nv_tileas.local_store
// CHECK-NOT: nv_tileas.local_load
// CHECK: nv_tileas.copy_async
// CHECK: nv_tileas.local_load
nv_tileas.func @beside_a_ring(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %slot = arith.constant 0 : i32
  %x = arith.constant dense<0.0> : tensor<128x256xf32> as tensor<128x256xf32, #sums>
  %y = nv_tileas.convert_layout %x : tensor<128x256xf32, #sums> -> tensor<128x256xf32, #lines>
  %ring = nv_tileas.alloc_shared : !nv_tileas.buffer<2 x [16x128xf32], #ring16>
  %a = nv_tileas.buffer_stage %ring[%slot] : !nv_tileas.buffer<2 x [16x128xf32], #ring16>, i32
  %c = nv_tileas.copy_async %a, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 128, 128>, size_div = array<i64: 128, 128>, stride_div = array<i64: 16, 1>} : !nv_tileas.buffer<16x128xf32, #ring16>, !nv_tileas.ptr<f32>
  %g = nv_tileas.commit_group : !nv_tileas.group
  nv_tileas.wait_group 0
  %u = nv_tileas.tiled_store %y, %p[%z, %z] sizes [%n, %n] strides [%n, %one] token %c {bounds = array<i1: true, true>} : tensor<128x256xf32, #lines>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// CHECK-LABEL: nv_tileas.func @before_a_ring
// CHECK: nv_tileas.local_store
// CHECK-NEXT: nv_tileas.local_load
// CHECK: nv_tileas.alloc_shared
// CHECK: nv_tileas.copy_async
nv_tileas.func @before_a_ring(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %slot = arith.constant 0 : i32
  %x = arith.constant dense<0.0> : tensor<128x256xf32> as tensor<128x256xf32, #sums>
  %y = nv_tileas.convert_layout %x : tensor<128x256xf32, #sums> -> tensor<128x256xf32, #lines>
  %ring = nv_tileas.alloc_shared : !nv_tileas.buffer<2 x [128x128xf32], #ring128>
  %a = nv_tileas.buffer_stage %ring[%slot] : !nv_tileas.buffer<2 x [128x128xf32], #ring128>, i32
  %c = nv_tileas.copy_async %a, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 128, 128>, size_div = array<i64: 128, 128>, stride_div = array<i64: 16, 1>} : !nv_tileas.buffer<128x128xf32, #ring128>, !nv_tileas.ptr<f32>
  %g = nv_tileas.commit_group : !nv_tileas.group
  nv_tileas.wait_group 0
  %u = nv_tileas.tiled_store %y, %p[%z, %z] sizes [%n, %n] strides [%n, %one] token %c {bounds = array<i1: true, true>} : tensor<128x256xf32, #lines>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// What a loop reads of tiles that it does not change waits in registers while these suffice: 128 of 231.
// CHECK-LABEL: nv_tileas.func @invariant_of_a_loop
// CHECK: nv_tileas.local_load
// CHECK: scf.for
// CHECK-NOT: nv_tileas.local_load
nv_tileas.func @invariant_of_a_loop(%p: !nv_tileas.ptr<f32>, %n: i64, %to: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a, %la = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<128x128xf32, #square>
  %x = nv_tileas.convert_layout %a : tensor<128x128xf32, #square> -> tensor<128x128xf32, #turned>
  scf.for %i = %c0 to %to step %c1 : i32 {
    %u = nv_tileas.tiled_store %x, %p[%z, %z] sizes [%n, %n] strides [%n, %one] token %la {bounds = array<i1: true, true>} : tensor<128x128xf32, #turned>, !nv_tileas.ptr<f32>
    scf.continue
  }
  nv_tileas.return
}

// Two of them would take 256. They wait in shared memory, and each iteration loads them.
// CHECK-LABEL: nv_tileas.func @invariants_of_a_crowded_loop
// CHECK-COUNT-2: nv_tileas.local_store
// CHECK-NOT: nv_tileas.local_load
// CHECK: scf.for
// CHECK-COUNT-2: nv_tileas.local_load
nv_tileas.func @invariants_of_a_crowded_loop(%p: !nv_tileas.ptr<f32>, %n: i64, %to: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a, %la = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<128x128xf32, #square>
  %x = nv_tileas.convert_layout %a : tensor<128x128xf32, #square> -> tensor<128x128xf32, #turned>
  %b, %lb = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<128x128xf32, #square>
  %y = nv_tileas.convert_layout %b : tensor<128x128xf32, #square> -> tensor<128x128xf32, #turned>
  scf.for %i = %c0 to %to step %c1 : i32 {
    %s = arith.addf %x, %y : tensor<128x128xf32, #turned>
    %u = nv_tileas.tiled_store %s, %p[%z, %z] sizes [%n, %n] strides [%n, %one] token %la {bounds = array<i1: true, true>} : tensor<128x128xf32, #turned>, !nv_tileas.ptr<f32>
    scf.continue
  }
  nv_tileas.return
}
