// RUN: tile-opt %s --tileas-insert-barriers --gpu-name=sm_100 | FileCheck %s

#sum = #nv_tileas.layout<"{shape = [128, 16], register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}">
#parted = #nv_tileas.layout<"{shape = [128, 16], register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [0, 8]], block = []}">
#twice = #nv_tileas.layout<"{shape = [128, 16], register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [0, 0]], block = []}">
#cells = #nv_tileas.shared<"{shape = [128, 16], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1], [0, 2], [0, 4], [0, 8]]}">
#place = #nv_tileas.shared<"{shape = [1], offset = []}">

// Each thread loads and stores cells of its own.
// CHECK-LABEL: nv_tileas.func @unchanged_own
// CHECK: nv_tileas.tmem_load
// CHECK-NOT: nv_tileas.barrier
// CHECK: nv_tileas.tmem_store
// CHECK-NOT: nv_tileas.barrier
// CHECK: nv_tileas.tmem_load
nv_tileas.func @unchanged_own(%x0: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nv_tileas.shared_bytes = 128 : i32} {
  %x = nv_tileas.splat %x0 : f32 -> tensor<128x16xf32, #sum>
  %p = nv_tileas.alloc_shared at 0 : !nv_tileas.buffer<1xi32, #place>
  nv_tileas.reserve_tmem 32, %p : !nv_tileas.buffer<1xi32, #place>
  %b = nv_tileas.alloc_tmem at 0 : !nv_tileas.buffer<128x16xf32, #cells, space = tmem>
  nv_tileas.tmem_store %x, %b : tensor<128x16xf32, #sum>, !nv_tileas.buffer<128x16xf32, #cells, space = tmem>
  %v = nv_tileas.tmem_load %b : !nv_tileas.buffer<128x16xf32, #cells, space = tmem> -> tensor<128x16xf32, #sum>
  %w = arith.mulf %v, %v : tensor<128x16xf32, #sum>
  nv_tileas.tmem_store %w, %b : tensor<128x16xf32, #sum>, !nv_tileas.buffer<128x16xf32, #cells, space = tmem>
  %u = nv_tileas.tmem_load %b : !nv_tileas.buffer<128x16xf32, #cells, space = tmem> -> tensor<128x16xf32, #sum>
  nv_tileas.release_tmem 32
  nv_tileas.return
}

// What eight warps have stored in parts, four load otherwise: another thread has it.
// CHECK-LABEL: nv_tileas.func @others
// CHECK: nv_tileas.tmem_store
// CHECK-NEXT: nv_tileas.barrier
// CHECK-NEXT: nv_tileas.tmem_load
nv_tileas.func @others(%x0: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>, nv_tileas.shared_bytes = 128 : i32} {
  %x = nv_tileas.splat %x0 : f32 -> tensor<128x16xf32, #parted>
  %p = nv_tileas.alloc_shared at 0 : !nv_tileas.buffer<1xi32, #place>
  nv_tileas.reserve_tmem 32, %p : !nv_tileas.buffer<1xi32, #place>
  %b = nv_tileas.alloc_tmem at 0 : !nv_tileas.buffer<128x16xf32, #cells, space = tmem>
  nv_tileas.tmem_store %x, %b : tensor<128x16xf32, #parted>, !nv_tileas.buffer<128x16xf32, #cells, space = tmem>
  %v = nv_tileas.tmem_load %b : !nv_tileas.buffer<128x16xf32, #cells, space = tmem> -> tensor<128x16xf32, #twice>
  nv_tileas.release_tmem 32
  nv_tileas.return
}

// Two warps hold a copy of each element: one may store before the other one has loaded.
// CHECK-LABEL: nv_tileas.func @copies
// CHECK: nv_tileas.tmem_load
// CHECK: nv_tileas.barrier
// CHECK: nv_tileas.tmem_store
nv_tileas.func @copies(%x0: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>, nv_tileas.shared_bytes = 128 : i32} {
  %x = nv_tileas.splat %x0 : f32 -> tensor<128x16xf32, #twice>
  %p = nv_tileas.alloc_shared at 0 : !nv_tileas.buffer<1xi32, #place>
  nv_tileas.reserve_tmem 32, %p : !nv_tileas.buffer<1xi32, #place>
  %b = nv_tileas.alloc_tmem at 0 : !nv_tileas.buffer<128x16xf32, #cells, space = tmem>
  %v = nv_tileas.tmem_load %b : !nv_tileas.buffer<128x16xf32, #cells, space = tmem> -> tensor<128x16xf32, #twice>
  nv_tileas.tmem_store %x, %b : tensor<128x16xf32, #twice>, !nv_tileas.buffer<128x16xf32, #cells, space = tmem>
  nv_tileas.release_tmem 32
  nv_tileas.return
}
