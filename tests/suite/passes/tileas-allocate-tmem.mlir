// RUN: tile-opt %s --tileas-allocate-tmem --gpu-name=sm_100 | FileCheck %s

#sum = #nv_tileas.layout<"{shape = [128, 16], register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}">
#cells = #nv_tileas.shared<"{shape = [128, 16], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1], [0, 2], [0, 4], [0, 8]]}">
#spec = #nv_tileaa.kernel_spec<num_warps = 4>

// Two sums whose lives meet are 16 columns apart, each of 128 words; the kernel takes the least that can be taken, 32, and gives them back where it returns.
// CHECK-LABEL: nv_tileas.func @together(
// CHECK: %[[TOLD:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<1xi32
// CHECK-NEXT: nv_tileas.reserve_tmem 32, %[[TOLD]]
// CHECK: nv_tileas.alloc_tmem at 0
// CHECK: nv_tileas.alloc_tmem at 8192
// CHECK: nv_tileas.release_tmem 32
// CHECK-NEXT: nv_tileas.return
nv_tileas.func @together(%x: f32) attributes {nv_tileaa.kernel_spec = #spec} {
  %v = nv_tileas.splat %x : f32 -> tensor<128x16xf32, #sum>
  %a = nv_tileas.alloc_tmem : !nv_tileas.buffer<128x16xf32, #cells, space = tmem>
  %b = nv_tileas.alloc_tmem : !nv_tileas.buffer<128x16xf32, #cells, space = tmem>
  nv_tileas.tmem_store %v, %a : tensor<128x16xf32, #sum>, !nv_tileas.buffer<128x16xf32, #cells, space = tmem>
  nv_tileas.tmem_store %v, %b : tensor<128x16xf32, #sum>, !nv_tileas.buffer<128x16xf32, #cells, space = tmem>
  %c = nv_tileas.tmem_load %a : !nv_tileas.buffer<128x16xf32, #cells, space = tmem> -> tensor<128x16xf32, #sum>
  %d = nv_tileas.tmem_load %b : !nv_tileas.buffer<128x16xf32, #cells, space = tmem> -> tensor<128x16xf32, #sum>
  nv_tileas.return
}

// One behind the other, they have the same columns.
// CHECK-LABEL: nv_tileas.func @in_turn(
// CHECK: nv_tileas.alloc_tmem at 0
// CHECK: nv_tileas.alloc_tmem at 0
nv_tileas.func @in_turn(%x: f32) attributes {nv_tileaa.kernel_spec = #spec} {
  %v = nv_tileas.splat %x : f32 -> tensor<128x16xf32, #sum>
  %a = nv_tileas.alloc_tmem : !nv_tileas.buffer<128x16xf32, #cells, space = tmem>
  nv_tileas.tmem_store %v, %a : tensor<128x16xf32, #sum>, !nv_tileas.buffer<128x16xf32, #cells, space = tmem>
  %c = nv_tileas.tmem_load %a : !nv_tileas.buffer<128x16xf32, #cells, space = tmem> -> tensor<128x16xf32, #sum>
  %b = nv_tileas.alloc_tmem : !nv_tileas.buffer<128x16xf32, #cells, space = tmem>
  nv_tileas.tmem_store %c, %b : tensor<128x16xf32, #sum>, !nv_tileas.buffer<128x16xf32, #cells, space = tmem>
  %d = nv_tileas.tmem_load %b : !nv_tileas.buffer<128x16xf32, #cells, space = tmem> -> tensor<128x16xf32, #sum>
  nv_tileas.return
}

// A kernel without buffers in TMEM takes none of it.
// CHECK-LABEL: nv_tileas.func @unchanged_none(
// CHECK-NOT: reserve_tmem
nv_tileas.func @unchanged_none(%p: !nv_tileas.ptr<f32>, %x: f32) attributes {nv_tileaa.kernel_spec = #spec} {
  %t = nv_tileas.store %p, %x : !nv_tileas.ptr<f32>, f32 -> !nv_tileas.mem_token
  nv_tileas.return
}
