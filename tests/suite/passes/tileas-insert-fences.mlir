// RUN: tile-opt %s --tileas-insert-barriers --gpu-name=sm_90 | FileCheck %s

#l = #nv_tileas.layout<"{shape = [256], register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [128]], block = []}">
#s = #nv_tileas.shared<"{shape = [256], offset = [[1], [2], [4], [8], [16], [32], [64], [128]]}">
#b = #nv_tileas.shared<"{shape = [1], offset = []}">

// What threads have stored, a copy reads after a fence and a barrier after it.
// CHECK-LABEL: nv_tileas.func @stored
// CHECK: nv_tileas.local_store
// CHECK-NEXT: nv_tileas.fence_async
// CHECK-NEXT: nv_tileas.barrier
// CHECK-NEXT: nv_tileas.bulk_store
nv_tileas.func @stored(%p: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nv_tileas.shared_bytes = 1152 : i32} {
  %v = arith.constant dense<1> : tensor<256xi32> as tensor<256xi32, #l>
  %a = nv_tileas.alloc_shared at 0 align 128 : !nv_tileas.buffer<256xi32, #s>
  nv_tileas.local_store %v, %a : tensor<256xi32, #l>, !nv_tileas.buffer<256xi32, #s>
  %t = nv_tileas.bulk_store %a, %p : !nv_tileas.buffer<256xi32, #s>, !nv_tileas.ptr<i32> -> !nv_tileas.mem_token
  %g = nv_tileas.bulk_commit : !nv_tileas.group
  nv_tileas.bulk_wait 0 for %g : !nv_tileas.group
  nv_tileas.return
}

// A barrier that stands there already has the fence in front; it needs no other one.
// CHECK-LABEL: nv_tileas.func @met
// CHECK: nv_tileas.local_store
// CHECK-NEXT: nv_tileas.fence_async
// CHECK-NEXT: nv_tileas.barrier
// CHECK-NEXT: nv_tileas.bulk_store
nv_tileas.func @met(%p: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nv_tileas.shared_bytes = 1152 : i32} {
  %v = arith.constant dense<1> : tensor<256xi32> as tensor<256xi32, #l>
  %a = nv_tileas.alloc_shared at 0 align 128 : !nv_tileas.buffer<256xi32, #s>
  nv_tileas.local_store %v, %a : tensor<256xi32, #l>, !nv_tileas.buffer<256xi32, #s>
  nv_tileas.barrier
  %t = nv_tileas.bulk_store %a, %p : !nv_tileas.buffer<256xi32, #s>, !nv_tileas.ptr<i32> -> !nv_tileas.mem_token
  %g = nv_tileas.bulk_commit : !nv_tileas.group
  nv_tileas.bulk_wait 0 for %g : !nv_tileas.group
  nv_tileas.return
}

// A fence that stands there is enough.
// CHECK-LABEL: nv_tileas.func @fenced
// CHECK: nv_tileas.local_store
// CHECK-NEXT: nv_tileas.fence_async
// CHECK-NEXT: nv_tileas.barrier
// CHECK-NEXT: nv_tileas.bulk_store
nv_tileas.func @fenced(%p: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nv_tileas.shared_bytes = 1152 : i32} {
  %v = arith.constant dense<1> : tensor<256xi32> as tensor<256xi32, #l>
  %a = nv_tileas.alloc_shared at 0 align 128 : !nv_tileas.buffer<256xi32, #s>
  nv_tileas.local_store %v, %a : tensor<256xi32, #l>, !nv_tileas.buffer<256xi32, #s>
  nv_tileas.fence_async
  nv_tileas.barrier
  %t = nv_tileas.bulk_store %a, %p : !nv_tileas.buffer<256xi32, #s>, !nv_tileas.ptr<i32> -> !nv_tileas.mem_token
  %g = nv_tileas.bulk_commit : !nv_tileas.group
  nv_tileas.bulk_wait 0 for %g : !nv_tileas.group
  nv_tileas.return
}

// A place from which threads have read goes over to a buffer that a copy fills.
// CHECK-LABEL: nv_tileas.func @taken_over
// CHECK: nv_tileas.local_load
// CHECK: nv_tileas.fence_async
// CHECK-NEXT: nv_tileas.barrier
// CHECK-NEXT: nv_tileas.mbarrier_expect
// CHECK-NEXT: nv_tileas.bulk_load
nv_tileas.func @taken_over(%p: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nv_tileas.shared_bytes = 1152 : i32} {
  %v = arith.constant dense<1> : tensor<256xi32> as tensor<256xi32, #l>
  %a = nv_tileas.alloc_shared at 0 align 128 : !nv_tileas.buffer<256xi32, #s>
  nv_tileas.local_store %v, %a : tensor<256xi32, #l>, !nv_tileas.buffer<256xi32, #s>
  %zero = arith.constant 0 : i32
  %bar = nv_tileas.alloc_shared at 1024 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #b>
  nv_tileas.mbarrier_init %bar, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #b>
  %w = nv_tileas.local_load %a : !nv_tileas.buffer<256xi32, #s> -> tensor<256xi32, #l>
  %u = nv_tileas.store %p, %zero : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  %c = nv_tileas.alloc_shared at 0 align 128 : !nv_tileas.buffer<256xi32, #s>
  nv_tileas.barrier
  nv_tileas.mbarrier_expect %bar, 1024 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #b>
  %t = nv_tileas.bulk_load %c, %p, %bar : !nv_tileas.buffer<256xi32, #s>, !nv_tileas.ptr<i32>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #b> -> !nv_tileas.mem_token
  nv_tileas.mbarrier_wait %bar, %zero : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #b>, i32
  nv_tileas.return
}

// The same buffer, of which they have read, is filled again after the barrier alone: what is read is in registers by then.
// CHECK-LABEL: nv_tileas.func @filled_again
// CHECK: nv_tileas.local_store
// CHECK: nv_tileas.fence_async
// CHECK: nv_tileas.local_load
// CHECK-NOT: nv_tileas.fence_async
// CHECK: nv_tileas.bulk_load
nv_tileas.func @filled_again(%p: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nv_tileas.shared_bytes = 1152 : i32} {
  %v = arith.constant dense<1> : tensor<256xi32> as tensor<256xi32, #l>
  %a = nv_tileas.alloc_shared at 0 align 128 : !nv_tileas.buffer<256xi32, #s>
  nv_tileas.local_store %v, %a : tensor<256xi32, #l>, !nv_tileas.buffer<256xi32, #s>
  nv_tileas.fence_async
  %zero = arith.constant 0 : i32
  %bar = nv_tileas.alloc_shared at 1024 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #b>
  nv_tileas.mbarrier_init %bar, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #b>
  %w = nv_tileas.local_load %a : !nv_tileas.buffer<256xi32, #s> -> tensor<256xi32, #l>
  %u = nv_tileas.store %p, %zero : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  nv_tileas.mbarrier_expect %bar, 1024 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #b>
  %t = nv_tileas.bulk_load %a, %p, %bar : !nv_tileas.buffer<256xi32, #s>, !nv_tileas.ptr<i32>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #b> -> !nv_tileas.mem_token
  nv_tileas.mbarrier_wait %bar, %zero : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #b>, i32
  nv_tileas.return
}
