// RUN: tile-opt %s --split-input-file --lower-to=nvvm --gpu-name=sm_90 | FileCheck %s

// The threads of a CTA share what it allocates. Pointers of such a kernel may point anywhere.
// CHECK-LABEL: nvvm.func @own
// CHECK-SAME: !nvvm.ptr<0>{{.*}} nvvm.shared_bytes = 256 : i32
// CHECK: nvvm.shared_base
// CHECK: nvvm.addrspacecast %{{.*}} : !nvvm.ptr<3> -> !nvvm.ptr<0>
// CHECK: nvvm.st %{{.*}} : !nvvm.ptr<0>, i32
nv_tileas.func @own(%p: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = nv_tileas.alloca 256 {alignment = 16 : i64} : !nv_tileas.ptr<i32>
  %r = nv_tileas.make_range : tensor<64xi32>
  %b = nv_tileas.splat %a : !nv_tileas.ptr<i32> -> tensor<64x!nv_tileas.ptr<i32>>
  %q = nv_tileas.addptr %b, %r : tensor<64x!nv_tileas.ptr<i32>>, tensor<64xi32>
  %t = nv_tileas.store %q, %r : tensor<64x!nv_tileas.ptr<i32>>, tensor<64xi32> -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

// CHECK-LABEL: nvvm.func @none
// CHECK-SAME: !nvvm.ptr<1>
nv_tileas.func @none(%p: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  nv_tileas.return
}

// -----

// Global memory comes from the heap, by one thread when control first comes to the alloca, and goes back when the kernel returns. Its own alignment is 16. In a loop every
// iteration has the same, once all threads are through with it.
// CHECK-LABEL: nvvm.func @heap
// CHECK-SAME: !nvvm.ptr<1>{{.*}} nvvm.shared_bytes = 128 : i32
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK: %[[SIZE:.*]] = arith.constant 368 : i64
// CHECK: nvvm.st %{{.*}}, %[[ZERO]] : !nvvm.ptr<3>, i64
// CHECK: nvvm.barrier
// CHECK: %[[HAVE:.*]] = nvvm.ld %{{.*}} : !nvvm.ptr<3> -> i64
// CHECK: arith.cmpi eq, %[[HAVE]], %[[ZERO]]
// CHECK: %[[BASE:.*]] = nvvm.call "malloc"(%[[SIZE]]) : i64 -> i64
// CHECK: nvvm.st %{{.*}}, %[[BASE]] : !nvvm.ptr<3>, i64
// CHECK: nvvm.barrier
// CHECK: %[[KNOWN:.*]] = nvvm.ld %{{.*}} : !nvvm.ptr<3> -> i64
// CHECK: arith.cmpi eq, %[[KNOWN]], %[[ZERO]]
// CHECK: nvvm.trap
// CHECK: nvvm.st %{{.*}} : !nvvm.ptr<1>, i32
// CHECK: nvvm.barrier
// CHECK: %[[LAST:.*]] = nvvm.ld %{{.*}} : !nvvm.ptr<3> -> i64
// CHECK: nvvm.call "free"(%[[LAST]]) : i64
// CHECK: nvvm.return
nv_tileas.func @heap(%p: !nv_tileas.ptr<i32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %a = nv_tileas.alloca 256 {alignment = 128 : i64, global} : !nv_tileas.ptr<i32>
    %t = nv_tileas.store %a, %i : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
    scf.continue
  }
  nv_tileas.return
}
