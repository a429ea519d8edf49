// RUN: tile-opt %s --convert-tileas-to-nvvm --tensor-maps=params --gpu-name=sm_90 | FileCheck %s
// RUN: tile-opt %s --convert-tileas-to-nvvm --tensor-maps=device --gpu-name=sm_90 | FileCheck %s --check-prefix=DEVICE

#shared = #nv_tileas.shared<"{shape = [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
#acc = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">

// The address of a stage is a start, computed in the entry block, plus the number of the stage times its size. So is a
// matrix descriptor, in units of 16 bytes, with its fields and without the number of the CTA in the cluster. The address
// of the map, which ptxas would rematerialize for each copy, comes from a lane. An empty object is copied from outside
// along a dimension whose coordinate is loop-invariant, so the select is before the loop. Narrow offsets are not clamped.
//
// Threads make a map in shared memory to which copies write next: a fence of proxies comes before the barrier.
// DEVICE-LABEL: nvvm.func @stages
// DEVICE: nvvm.tensormap.take_slot
// DEVICE: nvvm.tensormap.make
// DEVICE: nvvm.barrier
// DEVICE: nvvm.tensormap.release
// DEVICE-NEXT: nvvm.fence.proxy.async
// DEVICE: nvvm.barrier
// DEVICE: nvvm.fence.proxy.tensormap.acquire
// CHECK-LABEL: nvvm.func @stages
// CHECK: %[[BASE:.*]] = nvvm.shared_base
// CHECK: %[[BITS:.*]] = arith.constant 262143 : i32
// CHECK: %[[A:.*]] = nvvm.ptradd %[[BASE]], %{{.*}}
// CHECK-NEXT: %[[INT:.*]] = nvvm.ptrtoint %[[A]]
// CHECK-NEXT: %[[OWN:.*]] = arith.andi %[[INT]], %[[BITS]]
// CHECK-NEXT: %[[UNITS:.*]] = arith.shrui %[[OWN]], %{{.*}}
// CHECK-NEXT: %[[START:.*]] = arith.ori %[[UNITS]], %{{.*}}
// CHECK: %[[STEP:.*]] = arith.constant 512 : i32
// CHECK: %[[FAR:.*]] = arith.constant -1073741824 : i32
// CHECK: nvvm.tensormap.param
// CHECK-COUNT-2: nvvm.shfl.sync
// CHECK: %[[MAP:.*]] = nvvm.inttoptr
// CHECK: ^bb2(%k: i32, %[[I:.*]]: i32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32
// CHECK: nvvm.mbarrier.wait.parity
// CHECK: %[[TIMES:.*]] = arith.muli %[[I]], %[[STEP]]
// CHECK-NEXT: %[[LOW:.*]] = arith.addi %[[START]], %[[TIMES]]
// CHECK-NEXT: %[[WIDE:.*]] = arith.extui %[[LOW]] : i32 to i64
// CHECK-NEXT: %[[DESC:.*]] = arith.ori %[[WIDE]], %{{.*}} : i64
// CHECK: nvvm.wgmma.mma_async from %[[DESC]] by
// CHECK-NOT: arith.minsi
// CHECK: %[[ROW:.*]] = arith.select %{{.*}}, %[[FAR]], %row : i1, i32
// CHECK: nvvm.cp.async.bulk.tensor.load %{{.*}}, %[[MAP]][%{{.*}}, %[[ROW]]]
nv_tileas.func @stages(%p: !nv_tileas.ptr<f16>, %m: i32, %trips: i32, %row: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nv_tileas.shared_bytes = 16512 : i32} {
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  %unit = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %size = arith.extsi %m : i32 to i64
  %y = arith.extsi %row : i32 to i64
  %map = nv_tileas.tensor_map %p sizes[%size, %size] strides[%c64, %unit] : !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>
  %buffer = nv_tileas.alloc_shared align 1024 {offset = 0 : i32} : !nv_tileas.buffer<2 x [64x64xf16], #shared>
  %bars = nv_tileas.alloc_shared {offset = 16384 : i32} : !nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier], #one>
  %none = arith.constant dense<0.0> : tensor<64x64xf32> as tensor<64x64xf32, #acc>
  %end, %acc = scf.for %k = %z to %trips step %o iter_args(%i = %z, %c = %none) -> (i32, tensor<64x64xf32, #acc>) : i32 {
    %stage = nv_tileas.buffer_stage %buffer[%i] : !nv_tileas.buffer<2 x [64x64xf16], #shared>, i32
    %bar = nv_tileas.buffer_stage %bars[%i] : !nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier], #one>, i32
    nv_tileas.mbarrier_wait %bar, %z : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>, i32
    %d = nv_tileas.dot_async %stage, %stage, %c {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !nv_tileas.buffer<64x64xf16, #shared>, !nv_tileas.buffer<64x64xf16, #shared> -> tensor<64x64xf32, #acc>
    %wide = arith.extsi %k : i32 to i64
    %x = arith.muli %wide, %c64 : i64
    nv_tileas.barrier
    %t = nv_tileas.tma_load %stage, %map[%y, %x], %bar {narrow} : !nv_tileas.buffer<64x64xf16, #shared>, !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one> -> !nv_tileas.mem_token
    %next = arith.xori %i, %o : i32
    scf.continue %next, %d : i32, tensor<64x64xf32, #acc>
  }
  nv_tileas.return
}

// A map that no loop uses is where the parameters say, and offsets of which nothing is known are brought into 32 bits.
// CHECK-LABEL: nvvm.func @once
// CHECK: %[[MAP:.*]] = nvvm.tensormap.param
// CHECK-NOT: nvvm.inttoptr
// CHECK: arith.minsi
// CHECK: nvvm.cp.async.bulk.tensor.load %{{.*}}, %[[MAP]][
nv_tileas.func @once(%p: !nv_tileas.ptr<f16>, %at: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nv_tileas.shared_bytes = 8320 : i32} {
  %unit = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %map = nv_tileas.tensor_map %p sizes[%c64, %c64] strides[%c64, %unit] : !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>
  %b = nv_tileas.alloc_shared align 1024 {offset = 0 : i32} : !nv_tileas.buffer<64x64xf16, #shared>
  %bar = nv_tileas.alloc_shared {offset = 8192 : i32} : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  %t = nv_tileas.tma_load %b, %map[%at, %at], %bar : !nv_tileas.buffer<64x64xf16, #shared>, !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one> -> !nv_tileas.mem_token
  nv_tileas.return
}

// A multiple of an i32 is brought into 32 bits there: 96 * 22369621 is the last that fits.
// CHECK-LABEL: nvvm.func @multiple
// CHECK-DAG: %[[BY:.*]] = arith.constant 96 : i32
// CHECK-DAG: %[[LEAST:.*]] = arith.constant -22369621 : i32
// CHECK-DAG: %[[MOST:.*]] = arith.constant 22369621 : i32
// CHECK: %[[N:.*]] = arith.muli %at, %[[BY]] : i32
// CHECK: %[[UNDER:.*]] = arith.cmpi slt, %at, %[[LEAST]]
// CHECK: %[[LOW:.*]] = arith.select %[[UNDER]], %{{.*}}, %[[N]]
// CHECK: %[[OVER:.*]] = arith.cmpi sgt, %at, %[[MOST]]
// CHECK: %[[X:.*]] = arith.select %[[OVER]], %{{.*}}, %[[LOW]]
// CHECK: nvvm.cp.async.bulk.tensor.load
nv_tileas.func @multiple(%p: !nv_tileas.ptr<f16>, %at: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nv_tileas.shared_bytes = 8320 : i32} {
  %unit = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %c96 = arith.constant 96 : i64
  %wide = arith.extsi %at : i32 to i64
  %x = arith.muli %wide, %c96 : i64
  %map = nv_tileas.tensor_map %p sizes[%c64, %c64] strides[%c64, %unit] : !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>
  %b = nv_tileas.alloc_shared align 1024 {offset = 0 : i32} : !nv_tileas.buffer<64x64xf16, #shared>
  %bar = nv_tileas.alloc_shared {offset = 8192 : i32} : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  %t = nv_tileas.tma_load %b, %map[%x, %x], %bar : !nv_tileas.buffer<64x64xf16, #shared>, !nv_tileas.tma_map<64x64xf16, order = [1, 0], swizzle = 128>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one> -> !nv_tileas.mem_token
  nv_tileas.return
}
