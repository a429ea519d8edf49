// RUN: tile-opt %s --tileas-plan-copies --gpu-name=sm_90 --tensor-maps=params | FileCheck %s --check-prefix=PLAN
// RUN: tile-opt %s --pass-pipeline="builtin.module(nv_tileas.func(tileas-plan-copies,tileas-materialize-copies))" --gpu-name=sm_90 --tensor-maps=params | FileCheck %s
// RUN: tile-opt %s --tileas-plan-copies --gpu-name=sm_90 --tensor-maps=none | FileCheck %s --check-prefix=NONE
// RUN: tile-opt %s --tileas-plan-copies --gpu-name=sm_90 --tensor-maps=params --remarks 2>&1 | FileCheck %s --check-prefix=REMARK

// NONE-NOT: nv_tileas.transfer = "tma"

// REMARK: remark: store uses TMA: 1 x 64 x 64, 128-byte swizzle
// REMARK: remark: store cannot use TMA: the hint allow_tma is false

// PLAN-LABEL: nv_tileas.func @one
// PLAN: nv_tileas.tiled_store {{.*}}nv_tileas.transfer = "tma"

// The conversion becomes the layout of the buffer, which threads fill from the fragment; the end of the kernel waits for the writes.
// CHECK-LABEL: nv_tileas.func @one
// CHECK: [[MAP:%.*]] = nv_tileas.tensor_map %p {{.*}}swizzle = 128>
// CHECK-NOT: convert_layout
// CHECK: [[BUF:%.*]] = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<64x64xf16
// CHECK-NEXT: nv_tileas.local_store %{{.*}}, [[BUF]] : tensor<64x64xf16, [[FRAGMENT:#layout[0-9]*]]>
// CHECK-NEXT: nv_tileas.fence_async
// CHECK-NEXT: nv_tileas.tma_store [[BUF]], [[MAP]][%{{.*}}, %{{.*}}] :
// CHECK-NEXT: [[GROUP:%.*]] = nv_tileas.bulk_commit
// CHECK-NEXT: nv_tileas.bulk_wait read 0 for [[GROUP]]
// CHECK-NEXT: nv_tileas.return

// What comes after the store by its token waits for what it writes.
// CHECK-LABEL: nv_tileas.func @ordered
// CHECK: [[T:%.*]] = nv_tileas.tma_store
// CHECK: [[GROUP:%.*]] = nv_tileas.bulk_commit
// CHECK-NEXT: nv_tileas.bulk_wait 0 for [[GROUP]]
// CHECK: nv_tileas.tiled_load {{.*}} token [[T]]

// PLAN-LABEL: nv_tileas.func @hint
// PLAN: nv_tileas.tiled_store {{.*}}nv_tileas.rejected = "tma: the hint allow_tma is false"{{.*}}nv_tileas.transfer = "registers"

// What threads have stored is ordered with the copy by a fence.
// PLAN-LABEL: nv_tileas.func @after_writes
// PLAN: nv_tileas.tiled_store
// PLAN: nv_tileas.tiled_store {{.*}}nv_tileas.transfer = "tma"
// CHECK-LABEL: nv_tileas.func @after_writes
// CHECK: [[T:%.*]] = nv_tileas.tiled_store
// CHECK: [[FENCED:%.*]] = nv_tileas.fence_global [[T]] :
// CHECK: nv_tileas.tma_store {{.*}} token([[FENCED]] :

// A token that a branch leaves a loop with may be that of a store, whatever its last iteration hands on.
// PLAN-LABEL: nv_tileas.func @after_break
// PLAN: nv_tileas.tiled_store
// PLAN: nv_tileas.tiled_store {{.*}}nv_tileas.transfer = "tma"
// CHECK-LABEL: nv_tileas.func @after_break
// CHECK: [[T:%.*]] = scf.loop
// CHECK: [[FENCED:%.*]] = nv_tileas.fence_global [[T]] :
// CHECK: nv_tileas.tma_store {{.*}} token([[FENCED]] :

// What comes behind a load that threads copy still does when the load has become a copy.
// PLAN-LABEL: nv_tileas.func @after_copy
// PLAN: nv_tileas.tiled_load {{.*}}nv_tileas.transfer = "cp.async"
// PLAN: nv_tileas.tiled_store {{.*}}nv_tileas.transfer = "tma"
// CHECK-LABEL: nv_tileas.func @after_copy
// CHECK: nv_tileas.copy_async
// CHECK: nv_tileas.tma_store

// PLAN-LABEL: nv_tileas.func @strided
// PLAN: nv_tileas.tiled_store {{.*}}nv_tileas.rejected = "tma: the stride of dimension 0 is not known to be a multiple of 16 bytes"

// PLAN-LABEL: nv_tileas.func @waited
// PLAN: nv_tileas.tiled_store {{.*}}nv_tileas.rejected = "tma: the MMA runs without tensor cores, and its result is in registers"

// PLAN-LABEL: nv_tileas.func @in_leaf_loop
// PLAN: nv_tileas.tiled_store {{.*}}nv_tileas.rejected = "tma: the loop around it has none inside, so that it is scheduled with all that it does"

// What no product has made, or comes in the layout of the store, has no reason at all.
// A store of a loop over tiles that comes behind itself alone waits for that of the tile before; where a load comes behind it too, it is waited for at once.
// CHECK-LABEL: nv_tileas.func @again(
// CHECK: nv_tileas.fence_async
// CHECK-NEXT: nv_tileas.bulk_wait stores 0
// CHECK-NEXT: nv_tileas.tma_store
// CHECK: nv_tileas.bulk_wait read 0 for
// CHECK-LABEL: nv_tileas.func @again_and_read(
// CHECK: nv_tileas.fence_async
// CHECK-NEXT: nv_tileas.tma_store
// CHECK: nv_tileas.bulk_wait 0 for

// Threads that read in the loop what is stored there store too: with TMA they would wait until memory is written.
// PLAN-LABEL: nv_tileas.func @read_in_loop(
// PLAN: nv_tileas.tiled_store {{.*}}nv_tileas.rejected = "tma: in the same loop, 'nv_tileas.tiled_load' is ordered after it: each iteration would wait until memory is written"

// PLAN-LABEL: nv_tileas.func @others
// PLAN-NOT: nv_tileas.rejected
// PLAN: nv_tileas.return
#acc = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#a = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#rows = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}">
module {
  nv_tileas.func @one(%p: !nv_tileas.ptr<f16>, %n: i32, %w: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %before = nv_tileas.create_mem_token : !nv_tileas.mem_token
    %x = arith.constant dense<1.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #a>
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #acc>
    %d = nv_tileas.dot %x, %x, %c {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : tensor<64x64xf16, #a>, tensor<64x64xf16, #a> -> tensor<64x64xf32, #acc>
    %h = arith.ftof %d : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
    %r = nv_tileas.convert_layout %h : tensor<64x64xf16, #acc> -> tensor<64x64xf16, #rows>
    %t = nv_tileas.tiled_store %r, %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : tensor<64x64xf16, #rows>, !nv_tileas.ptr<f16>
    nv_tileas.return
  }
  nv_tileas.func @ordered(%p: !nv_tileas.ptr<f16>, %n: i32, %w: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %before = nv_tileas.create_mem_token : !nv_tileas.mem_token
    %x = arith.constant dense<1.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #a>
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #acc>
    %d = nv_tileas.dot %x, %x, %c {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : tensor<64x64xf16, #a>, tensor<64x64xf16, #a> -> tensor<64x64xf32, #acc>
    %h = arith.ftof %d : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
    %r = nv_tileas.convert_layout %h : tensor<64x64xf16, #acc> -> tensor<64x64xf16, #rows>
    %t = nv_tileas.tiled_store %r, %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : tensor<64x64xf16, #rows>, !nv_tileas.ptr<f16>
    %v, %tv = nv_tileas.tiled_load %p[%z, %z] sizes [%s, %s] strides [%s, %one] token %t {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #rows>
    %w1 = nv_tileas.tiled_store %v, %p[%z, %z] sizes [%s, %s] strides [%s, %one] token %tv {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : tensor<64x64xf16, #rows>, !nv_tileas.ptr<f16>
    nv_tileas.return
  }
  nv_tileas.func @hint(%p: !nv_tileas.ptr<f16>, %n: i32, %w: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %before = nv_tileas.create_mem_token : !nv_tileas.mem_token
    %x = arith.constant dense<1.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #a>
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #acc>
    %d = nv_tileas.dot %x, %x, %c {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : tensor<64x64xf16, #a>, tensor<64x64xf16, #a> -> tensor<64x64xf32, #acc>
    %h = arith.ftof %d : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
    %r = nv_tileas.convert_layout %h : tensor<64x64xf16, #acc> -> tensor<64x64xf16, #rows>
    %t = nv_tileas.tiled_store %r, %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>, no_tma} : tensor<64x64xf16, #rows>, !nv_tileas.ptr<f16>
    nv_tileas.return
  }
  nv_tileas.func @after_writes(%p: !nv_tileas.ptr<f16>, %n: i32, %w: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %before = nv_tileas.create_mem_token : !nv_tileas.mem_token
    %x = arith.constant dense<1.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #a>
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #acc>
    %y = arith.constant dense<2.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #rows>
    %d = nv_tileas.dot %x, %x, %c {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : tensor<64x64xf16, #a>, tensor<64x64xf16, #a> -> tensor<64x64xf32, #acc>
    %h = arith.ftof %d : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
    %r = nv_tileas.convert_layout %h : tensor<64x64xf16, #acc> -> tensor<64x64xf16, #rows>
    %u = nv_tileas.tiled_store %y, %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : tensor<64x64xf16, #rows>, !nv_tileas.ptr<f16>
    %t = nv_tileas.tiled_store %r, %p[%z, %z] sizes [%s, %s] strides [%s, %one] token %u {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : tensor<64x64xf16, #rows>, !nv_tileas.ptr<f16>
    nv_tileas.return
  }
  nv_tileas.func @after_break(%p: !nv_tileas.ptr<f16>, %n: i32, %w: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %before = nv_tileas.create_mem_token : !nv_tileas.mem_token
    %x = arith.constant dense<1.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #a>
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #acc>
    %y = arith.constant dense<2.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #rows>
    %d = nv_tileas.dot %x, %x, %c {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : tensor<64x64xf16, #a>, tensor<64x64xf16, #a> -> tensor<64x64xf32, #acc>
    %h = arith.ftof %d : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
    %r = nv_tileas.convert_layout %h : tensor<64x64xf16, #acc> -> tensor<64x64xf16, #rows>
    %one32 = arith.constant 1 : i32
    %left = scf.loop -> (!nv_tileas.mem_token) {
      %last = arith.cmpi slt, %n, %one32 : i32
      scf.if %last {
        %u = nv_tileas.tiled_store %y, %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : tensor<64x64xf16, #rows>, !nv_tileas.ptr<f16>
        scf.break %u : !nv_tileas.mem_token
      }
      scf.continue
    }
    %t = nv_tileas.tiled_store %r, %p[%z, %z] sizes [%s, %s] strides [%s, %one] token %left {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : tensor<64x64xf16, #rows>, !nv_tileas.ptr<f16>
    nv_tileas.return
  }
  nv_tileas.func @after_copy(%p: !nv_tileas.ptr<f16>, %n: i32, %w: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %before = nv_tileas.create_mem_token : !nv_tileas.mem_token
    %l, %lt = nv_tileas.tiled_load %p[%z, %z] sizes [%s, %s] strides [%s, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, no_tma} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #rows>
    %x = nv_tileas.convert_layout %l : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #a>
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #acc>
    %d = nv_tileas.dot %x, %x, %c {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : tensor<64x64xf16, #a>, tensor<64x64xf16, #a> -> tensor<64x64xf32, #acc>
    %h = arith.ftof %d : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
    %r = nv_tileas.convert_layout %h : tensor<64x64xf16, #acc> -> tensor<64x64xf16, #rows>
    %t = nv_tileas.tiled_store %r, %p[%z, %z] sizes [%s, %s] strides [%s, %one] token %lt {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : tensor<64x64xf16, #rows>, !nv_tileas.ptr<f16>
    nv_tileas.return
  }
  nv_tileas.func @strided(%p: !nv_tileas.ptr<f16>, %n: i32, %w: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %before = nv_tileas.create_mem_token : !nv_tileas.mem_token
    %x = arith.constant dense<1.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #a>
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #acc>
    %d = nv_tileas.dot %x, %x, %c {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : tensor<64x64xf16, #a>, tensor<64x64xf16, #a> -> tensor<64x64xf32, #acc>
    %h = arith.ftof %d : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
    %r = nv_tileas.convert_layout %h : tensor<64x64xf16, #acc> -> tensor<64x64xf16, #rows>
    %t = nv_tileas.tiled_store %r, %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 1, 1>} : tensor<64x64xf16, #rows>, !nv_tileas.ptr<f16>
    nv_tileas.return
  }
  nv_tileas.func @waited(%p: !nv_tileas.ptr<f16>, %n: i32, %w: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %before = nv_tileas.create_mem_token : !nv_tileas.mem_token
    %x = arith.constant dense<1.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #a>
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #acc>
    %d = nv_tileas.dot %x, %x, %c {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [4, 1]>} : tensor<64x64xf16, #a>, tensor<64x64xf16, #a> -> tensor<64x64xf32, #acc>
    %h = arith.ftof %d : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
    %r = nv_tileas.convert_layout %h : tensor<64x64xf16, #acc> -> tensor<64x64xf16, #rows>
    %t = nv_tileas.tiled_store %r, %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : tensor<64x64xf16, #rows>, !nv_tileas.ptr<f16>
    nv_tileas.return
  }
  nv_tileas.func @in_leaf_loop(%p: !nv_tileas.ptr<f16>, %n: i32, %w: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %before = nv_tileas.create_mem_token : !nv_tileas.mem_token
    %x = arith.constant dense<1.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #a>
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #acc>
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    scf.for %i = %i0 to %n step %i1 : i32 {
    %d = nv_tileas.dot %x, %x, %c {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : tensor<64x64xf16, #a>, tensor<64x64xf16, #a> -> tensor<64x64xf32, #acc>
    %h = arith.ftof %d : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
    %r = nv_tileas.convert_layout %h : tensor<64x64xf16, #acc> -> tensor<64x64xf16, #rows>
    %t = nv_tileas.tiled_store %r, %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : tensor<64x64xf16, #rows>, !nv_tileas.ptr<f16>
      scf.continue
    }
    nv_tileas.return
  }
  nv_tileas.func @again(%p: !nv_tileas.ptr<f16>, %n: i32, %w: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %before = nv_tileas.create_mem_token : !nv_tileas.mem_token
    %x = arith.constant dense<1.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #a>
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #acc>
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %end = scf.for %i = %i0 to %n step %i1 iter_args(%done = %before) -> (!nv_tileas.mem_token) : i32 {
      %d = scf.for %k = %i0 to %n step %i1 iter_args(%acc = %c) -> (tensor<64x64xf32, #acc>) : i32 {
        %e = nv_tileas.dot %x, %x, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : tensor<64x64xf16, #a>, tensor<64x64xf16, #a> -> tensor<64x64xf32, #acc>
        scf.continue %e : tensor<64x64xf32, #acc>
      }
      %h = arith.ftof %d : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
      %r = nv_tileas.convert_layout %h : tensor<64x64xf16, #acc> -> tensor<64x64xf16, #rows>
      %t = nv_tileas.tiled_store %r, %p[%z, %z] sizes [%s, %s] strides [%s, %one] token %done {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : tensor<64x64xf16, #rows>, !nv_tileas.ptr<f16>
      scf.continue %t : !nv_tileas.mem_token
    }
    nv_tileas.return
  }
  nv_tileas.func @again_and_read(%p: !nv_tileas.ptr<f16>, %n: i32, %w: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %before = nv_tileas.create_mem_token : !nv_tileas.mem_token
    %x = arith.constant dense<1.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #a>
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #acc>
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %end = scf.for %i = %i0 to %n step %i1 iter_args(%done = %before) -> (!nv_tileas.mem_token) : i32 {
      %d = scf.for %k = %i0 to %n step %i1 iter_args(%acc = %c) -> (tensor<64x64xf32, #acc>) : i32 {
        %e = nv_tileas.dot %x, %x, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : tensor<64x64xf16, #a>, tensor<64x64xf16, #a> -> tensor<64x64xf32, #acc>
        scf.continue %e : tensor<64x64xf32, #acc>
      }
      %h = arith.ftof %d : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
      %r = nv_tileas.convert_layout %h : tensor<64x64xf16, #acc> -> tensor<64x64xf16, #rows>
      %t = nv_tileas.tiled_store %r, %p[%z, %z] sizes [%s, %s] strides [%s, %one] token %done {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : tensor<64x64xf16, #rows>, !nv_tileas.ptr<f16>
      scf.continue %t : !nv_tileas.mem_token
    }
    %l, %lt = nv_tileas.tiled_load %p[%z, %z] sizes [%s, %s] strides [%s, %one] token %end {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #rows>
    %lu = nv_tileas.tiled_store %l, %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: true, true>} : tensor<64x64xf16, #rows>, !nv_tileas.ptr<f16>
    nv_tileas.return
  }
  nv_tileas.func @read_in_loop(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %n: i32, %w: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %before = nv_tileas.create_mem_token : !nv_tileas.mem_token
    %x = arith.constant dense<1.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #a>
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #acc>
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %end = scf.for %i = %i0 to %n step %i1 iter_args(%done = %before) -> (!nv_tileas.mem_token) : i32 {
      %d = scf.for %k = %i0 to %n step %i1 iter_args(%acc = %c) -> (tensor<64x64xf32, #acc>) : i32 {
        %e = nv_tileas.dot %x, %x, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : tensor<64x64xf16, #a>, tensor<64x64xf16, #a> -> tensor<64x64xf32, #acc>
        scf.continue %e : tensor<64x64xf32, #acc>
      }
      %h = arith.ftof %d : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
      %r = nv_tileas.convert_layout %h : tensor<64x64xf16, #acc> -> tensor<64x64xf16, #rows>
      %l, %lt = nv_tileas.tiled_load %p[%z, %z] sizes [%s, %s] strides [%s, %one] token %done {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #rows>
      %lu = nv_tileas.tiled_store %l, %q[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: true, true>} : tensor<64x64xf16, #rows>, !nv_tileas.ptr<f16>
      %t = nv_tileas.tiled_store %r, %p[%z, %z] sizes [%s, %s] strides [%s, %one] token %lt {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : tensor<64x64xf16, #rows>, !nv_tileas.ptr<f16>
      scf.continue %t : !nv_tileas.mem_token
    }
    nv_tileas.return
  }
  nv_tileas.func @others(%p: !nv_tileas.ptr<f16>, %n: i32, %w: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %before = nv_tileas.create_mem_token : !nv_tileas.mem_token
    %x = arith.constant dense<1.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #a>
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #acc>
    %y = nv_tileas.convert_layout %x : tensor<64x64xf16, #a> -> tensor<64x64xf16, #rows>
    %t = nv_tileas.tiled_store %y, %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : tensor<64x64xf16, #rows>, !nv_tileas.ptr<f16>
    nv_tileas.return
  }
}
