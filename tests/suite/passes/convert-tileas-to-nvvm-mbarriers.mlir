// RUN: tile-opt %s --convert-tileas-to-nvvm --cse --gpu-name=sm_90 | FileCheck %s

#tile = #nv_tileas.shared<"{shape = [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]}">
#acc = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">

// The mbarriers of two pipes at one stage have an address in common. What differs is a constant, and comes last, where
// it costs nothing: ptxas adds it in the wait.
// CHECK-LABEL: nvvm.func @pipes
// CHECK: %[[BASE:.*]] = nvvm.shared_base
// CHECK: %[[STAGE:.*]] = nvvm.ptradd %[[BASE]], %{{.*}}
// CHECK: %[[A:.*]] = nvvm.ptradd %[[STAGE]], %{{.*}}
// CHECK-NEXT: nvvm.mbarrier.wait.parity %[[A]]
// CHECK: %[[B:.*]] = nvvm.ptradd %[[STAGE]], %{{.*}}
// CHECK-NEXT: nvvm.mbarrier.wait.parity %[[B]]
nv_tileas.func @pipes(%stage: i32, %parity: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nv_tileas.shared_bytes = 256 : i32} {
  %a = nv_tileas.alloc_shared {offset = 0 : i32} : !nv_tileas.buffer<4 x [1x!nv_tileas.mbarrier], #one>
  %b = nv_tileas.alloc_shared {offset = 128 : i32} : !nv_tileas.buffer<4 x [1x!nv_tileas.mbarrier], #one>
  %x = nv_tileas.buffer_stage %a[%stage] : !nv_tileas.buffer<4 x [1x!nv_tileas.mbarrier], #one>, i32
  %y = nv_tileas.buffer_stage %b[%stage] : !nv_tileas.buffer<4 x [1x!nv_tileas.mbarrier], #one>, i32
  nv_tileas.mbarrier_wait %x, %parity : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>, i32
  nv_tileas.mbarrier_wait %y, %parity : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>, i32
  nv_tileas.return
}

// One lane of a warp arrives for all of them. Lanes have met at the wait for a wgmma, and elsewhere need a barrier.
// CHECK-LABEL: nvvm.func @lanes
// CHECK: nvvm.wgmma.wait
// CHECK-NOT: nvvm.bar.warp.sync
// CHECK: nvvm.mbarrier.arrive
// CHECK: nvvm.bar.warp.sync
// CHECK: nvvm.mbarrier.arrive
nv_tileas.func @lanes(%c: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nv_tileas.shared_bytes = 8448 : i32} {
  %x = nv_tileas.alloc_shared {offset = 0 : i32} : !nv_tileas.buffer<64x64xf16, #tile>
  %m = nv_tileas.alloc_shared {offset = 8192 : i32} : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  %z = nv_tileas.splat %c : f32 -> tensor<64x64xf32, #acc>
  %d = nv_tileas.dot_async %x, %x, %z {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !nv_tileas.buffer<64x64xf16, #tile>, !nv_tileas.buffer<64x64xf16, #tile> -> tensor<64x64xf32, #acc>
  %r = nv_tileas.dot_wait %d {pending = 0 : i32} : tensor<64x64xf32, #acc>
  nv_tileas.mbarrier_arrive %m, 4 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.mbarrier_arrive %m, 4 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.return
}
