// RUN: tile-opt %s --convert-tileas-to-nvvm --cse --gpu-name=sm_90 | FileCheck %s

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
