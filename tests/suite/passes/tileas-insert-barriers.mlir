// RUN: tile-opt %s --tileas-insert-barriers --gpu-name=sm_90 | FileCheck %s

// What a token orders after a store of other threads comes behind a barrier.
// CHECK-LABEL: nv_tileas.func @ordered
// CHECK: nv_tileas.store %p
// CHECK-NEXT: nv_tileas.barrier
// CHECK-NEXT: nv_tileas.load %p
nv_tileas.func @ordered(%p: !nv_tileas.ptr<i32>, %q: !nv_tileas.ptr<i32>, %x: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nv_tileas.shared_bytes = 0 : i32} {
  %t = nv_tileas.store %p, %x : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  %v, %u = nv_tileas.load %p token %t : !nv_tileas.mem_token : !nv_tileas.ptr<i32> -> i32, !nv_tileas.mem_token
  nv_tileas.return
}

// A token that one of two arms gives, or a select, may be that of the store.
// CHECK-LABEL: nv_tileas.func @chosen
// CHECK: arith.select
// CHECK: nv_tileas.barrier
// CHECK-NEXT: nv_tileas.load %p
nv_tileas.func @chosen(%p: !nv_tileas.ptr<i32>, %x: i32, %c: i1) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nv_tileas.shared_bytes = 0 : i32} {
  %s = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %t = nv_tileas.store %p, %x : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  %w = arith.select %c, %s, %t : i1, !nv_tileas.mem_token
  %v, %u = nv_tileas.load %p token %w : !nv_tileas.mem_token : !nv_tileas.ptr<i32> -> i32, !nv_tileas.mem_token
  nv_tileas.return
}

// In a loop the order leads from one round to the next.
// CHECK-LABEL: nv_tileas.func @rounds
// CHECK: scf.for
// CHECK: nv_tileas.barrier
// CHECK: scf.continue
nv_tileas.func @rounds(%p: !nv_tileas.ptr<i32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nv_tileas.shared_bytes = 0 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %e = scf.for %i = %zero to %n step %one iter_args(%t = %s) -> (!nv_tileas.mem_token) : i32 {
    %u = nv_tileas.store %p, %i token %t : !nv_tileas.mem_token : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
    scf.continue %u : !nv_tileas.mem_token
  }
  nv_tileas.return
}

// One barrier stands between two chains of stores. A store that is ordered after the barrier's access stays after it.
// CHECK-LABEL: nv_tileas.func @chains
// CHECK: nv_tileas.store %p, %x
// CHECK-NEXT: nv_tileas.store %q, %x
// CHECK-NEXT: nv_tileas.barrier
// CHECK-NEXT: nv_tileas.store %p, %y
// CHECK-NEXT: nv_tileas.store %q, %y
// CHECK-NEXT: nv_tileas.return
nv_tileas.func @chains(%p: !nv_tileas.ptr<i32>, %q: !nv_tileas.ptr<i32>, %x: i32, %y: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nv_tileas.shared_bytes = 0 : i32} {
  %a = nv_tileas.store %p, %x : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  %b = nv_tileas.store %p, %y token %a : !nv_tileas.mem_token : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  %c = nv_tileas.store %q, %x : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  %d = nv_tileas.store %q, %y token %c : !nv_tileas.mem_token : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  nv_tileas.return
}

// CHECK-LABEL: nv_tileas.func @one_chain
// CHECK: nv_tileas.store %p, %x
// CHECK-NEXT: nv_tileas.barrier
// CHECK-NEXT: nv_tileas.store %p, %y
// CHECK-NEXT: nv_tileas.barrier
// CHECK-NEXT: nv_tileas.store %q, %x
nv_tileas.func @one_chain(%p: !nv_tileas.ptr<i32>, %q: !nv_tileas.ptr<i32>, %x: i32, %y: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nv_tileas.shared_bytes = 0 : i32} {
  %a = nv_tileas.store %p, %x : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  %b = nv_tileas.store %p, %y token %a : !nv_tileas.mem_token : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  %c = nv_tileas.store %q, %x token %b : !nv_tileas.mem_token : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  nv_tileas.return
}

// Loads do not disturb each other, and what no token orders nobody may rely on.
// CHECK-LABEL: nv_tileas.func @unchanged_loads
nv_tileas.func @unchanged_loads(%p: !nv_tileas.ptr<i32>, %q: !nv_tileas.ptr<i32>, %x: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nv_tileas.shared_bytes = 0 : i32} {
  %v, %t = nv_tileas.load %p : !nv_tileas.ptr<i32> -> i32, !nv_tileas.mem_token
  %w, %u = nv_tileas.load %p token %t : !nv_tileas.mem_token : !nv_tileas.ptr<i32> -> i32, !nv_tileas.mem_token
  %s = nv_tileas.store %q, %x : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  nv_tileas.return
}
