// RUN: tile-opt %s --convert-tileas-to-nvvm --tensor-maps=params --gpu-name=sm_90 | FileCheck %s

#words = #nv_tileas.shared<"{shape = [32], offset = [[1], [2], [4], [8], [16]]}">

// One lane composes a map, and the warp meets before all lanes copy it to where TMA reads it. Maps of the kernel's start
// have the barrier of the CTA there.
module {
  // CHECK: nvvm.tensormap.make
  // CHECK-NEXT: nvvm.bar.warp.sync
  // CHECK-NEXT: nvvm.ptradd
  // CHECK-NEXT: nvvm.tensormap.release
  nv_tileas.func @f(%p: !nv_tileas.ptr<f16>, %rows: i64, %columns: i64, %pitch: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nv_tileas.shared_bytes = 128 : i64} {
    %one = arith.constant 1 : i64
    %scratch = nv_tileas.alloc_shared at 0 : !nv_tileas.buffer<32xi32, #words>
    %map = nv_tileas.build_tensor_map %scratch, %p sizes[%rows, %columns] strides[%pitch, %one] : !nv_tileas.buffer<32xi32, #words>, !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<128x64xf16, order = [1, 0], swizzle = 128>
    nv_tileas.return
  }
}
