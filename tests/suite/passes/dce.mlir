// RUN: tile-opt %s --split-input-file --dce --gpu-name=sm_90 | FileCheck %s

// What has no effect and no use goes, and with it what only that used.
// CHECK-LABEL: nv_tileas.func @dead
// CHECK-NEXT: nv_tileas.return
nv_tileas.func @dead(%x: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = arith.addi %x, %x : i32
  %b = nv_tileas.splat %a : i32 -> tensor<4xi32>
  nv_tileas.return
}

// -----

// Effects stay, and what they use: a store, a barrier, an atomic whose result nobody reads.
// CHECK-LABEL: nv_tileas.func @unchanged_effects
nv_tileas.func @unchanged_effects(%p: !nv_tileas.ptr<i32>, %x: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = arith.addi %x, %x : i32
  %t = nv_tileas.store %p, %a : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  nv_tileas.barrier
  %old, %u = nv_tileas.atomic_rmw add %p, %x {ordering = "relaxed", scope = "device"} : !nv_tileas.ptr<i32>, i32 -> i32, !nv_tileas.mem_token
  nv_tileas.return
}

// -----

// A loop without effects goes too, though it never ends, as it does for the reference compiler (docs/conformance.md): a kernel that computes nothing and never
// ends has no right behaviour to keep.
// CHECK-LABEL: entry @endless
// CHECK-NEXT: return
cuda_tile.module @kernels {
  entry @endless() {
    loop {
      continue
    }
    return
  }
}
