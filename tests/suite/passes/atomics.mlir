// RUN: tile-opt %s --split-input-file --tileas-assign-layouts --tileas-legalize-atomics | FileCheck %s --check-prefix=AS
// RUN: tile-opt %s --split-input-file --lower-to=nvvm --gpu-name=sm_90 | FileCheck %s --check-prefix=NVVM

// Every thread holds a scalar, one does the operation: its result goes through shared memory.
// AS-LABEL: nv_tileas.func @scalar
// AS: %[[P:.*]] = nv_tileas.splat %{{.*}} : !nv_tileas.ptr<i32> -> tensor<1x!nv_tileas.ptr<i32>
// AS: %[[R:.*]], %{{.*}} = nv_tileas.atomic_rmw add %[[P]], %{{.*}} {ordering = "relaxed", scope = "device"}
// AS: %[[B:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<1xi32
// AS: nv_tileas.local_store %[[R]], %[[B]] owner
// AS: %[[L:.*]] = nv_tileas.local_load %[[B]]
// AS: nv_tileas.unsplat %[[L]]
// NVVM-LABEL: nvvm.func @scalar
// NVVM: %[[OWNER:.*]] = arith.cmpi eq
// NVVM: nvvm.atom add %{{.*}}, %{{.*}} if %[[OWNER]] {ordering = "relaxed", scope = "gpu"}
// NVVM: nvvm.st {{.*}} if %[[OWNER]]
// NVVM-NEXT: nvvm.barrier
nv_tileas.func @scalar(%p: !nv_tileas.ptr<i32>, %q: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %one = arith.constant 1 : i32
  %old, %t = nv_tileas.atomic_rmw add %p, %one {ordering = "relaxed", scope = "device"} : !nv_tileas.ptr<i32>, i32 -> i32, !nv_tileas.mem_token
  %u = nv_tileas.store %q, %old : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

// A result that nobody uses stays where it is; a barrier stands between the accesses of other threads and a release.
// AS-LABEL: nv_tileas.func @unused
// AS-NOT: alloc_shared
// NVVM-LABEL: nvvm.func @unused
// NVVM: nvvm.st
// NVVM: nvvm.barrier
// NVVM: nvvm.atom exch {{.*}} {ordering = "release", scope = "sys"}
// NVVM: nvvm.barrier
// NVVM: nvvm.ld {{.*}} {ordering = "acquire", scope = "cta"}
nv_tileas.func @unused(%p: !nv_tileas.ptr<i32>, %q: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %one = arith.constant 1 : i32
  %t = nv_tileas.store %q, %one : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  %old, %u = nv_tileas.atomic_rmw xchg %p, %one token %t : !nv_tileas.mem_token {ordering = "release", scope = "sys"} : !nv_tileas.ptr<i32>, i32 -> i32, !nv_tileas.mem_token
  %v, %w = nv_tileas.load %p token %u : !nv_tileas.mem_token {ordering = "acquire", scope = "tl_blk"} : !nv_tileas.ptr<i32> -> i32, !nv_tileas.mem_token
  nv_tileas.return
}

// -----

// A masked-off element yields what memory would have been compared with. A zero is what the instruction leaves there.
// AS-LABEL: nv_tileas.func @lock
// NVVM-LABEL: nvvm.func @lock
// NVVM: nvvm.atom.cas
// NVVM-NOT: arith.select
// NVVM: nvvm.atom.cas
// NVVM-NEXT: arith.select
nv_tileas.func @lock(%p: !nv_tileas.ptr<i32>, %q: !nv_tileas.ptr<i32>, %m: i1, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %old, %t = nv_tileas.atomic_cas %p, %zero : i32, %one mask %m : i1 {ordering = "relaxed", scope = "device"} : !nv_tileas.ptr<i32>, i32 -> i32, !nv_tileas.mem_token
  %new, %u = nv_tileas.atomic_cas %p, %n : i32, %one mask %m : i1 {ordering = "relaxed", scope = "device"} : !nv_tileas.ptr<i32>, i32 -> i32, !nv_tileas.mem_token
  %v = nv_tileas.store %q, %old : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  %w = nv_tileas.store %q, %new : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  nv_tileas.return
}
