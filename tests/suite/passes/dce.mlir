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

// A loop that never ends stays, with what is after it: the specification promises no progress, so that a kernel that hangs in the interpreter hangs at every -O. What
// it computes and nobody reads goes. (The reference compiler deletes such loops at -O0 and -O3 alike, docs/conformance.md.)
// CHECK-LABEL: entry @endless
// CHECK-NEXT: loop {
// CHECK-NEXT: }
// CHECK-NEXT: return
cuda_tile.module @kernels {
  entry @endless(%n: tile<i32>) {
    loop {
      %dead = addi %n, %n : tile<i32>
      continue
    }
    return
  }
}

// -----

// One in a loop that ends keeps that one too; a loop that counts ends, and goes when it has no effects.
// CHECK-LABEL: entry @nested
// CHECK-NEXT: for %{{.*}} in
// CHECK-NEXT: loop {
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: return
cuda_tile.module @kernels {
  entry @nested(%n: tile<i32>, %one: tile<i32>) {
    for %i in (%one to %n, step %one) : tile<i32> {
      loop {
        continue
      }
      continue
    }
    for %i in (%one to %n, step %one) : tile<i32> {
      %dead = addi %i, %n : tile<i32>
      continue
    }
    return
  }
}
