// RUN: tile-opt %s --split-input-file --tileas-specialize-warps --gpu-name=sm_90 --remarks 2>&1 | FileCheck %s
// RUN: tile-opt %s --split-input-file --tileas-specialize-warps --gpu-name=sm_90 --remarks 2>&1 | FileCheck %s
// RUN: tile-opt %s --split-input-file --tileas-specialize-warps --gpu-name=sm_90 --remarks 2>&1 | FileCheck %s
// RUN: tile-opt %s --split-input-file --tileas-specialize-warps --gpu-name=sm_90 --remarks 2>&1 | FileCheck %s
// RUN: tile-opt %s --split-input-file --tileas-specialize-warps --gpu-name=sm_90 --remarks 2>&1 | FileCheck %s
// RUN: tile-opt %s --split-input-file --tileas-specialize-warps --gpu-name=sm_90 --remarks 2>&1 | FileCheck %s

// Of several reasons the first one in the text is given, in each run.
// CHECK: remark: no warp specialization: a tensor map depends on 'arith.extsi'
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<64x32xf16, #a>
!tb = !nv_tileas.buffer<32x64xf16, #b>
!ma = !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>
!mb = !nv_tileas.tma_map<32x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @maps(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !ma
  %none = arith.constant dense<0.0> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %bara = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara, 1 : !bar
  %barb = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb, 1 : !bar
  %sum:3 = scf.for %i = %lo to %hi step %by iter_args(%acc = %none, %pa = %z, %pb = %z) -> (tensor<64x64xf32, #sum>, i32, i32) : i32 {
    %at = arith.extsi %i : i32 to i64
    %x = arith.muli %at, %c32 : i64
    %shift = arith.shli %at, %c1 : i64
    %more = arith.addi %shift, %wide : i64
    %odd = arith.ori %more, %c1 : i64
    %deep = arith.andi %odd, %wide : i64
    %mb = nv_tileas.tensor_map %q sizes [%deep, %rows] strides [%rows, %c1] : !nv_tileas.ptr<f16> -> !mb
    %nexta = arith.xori %pa, %one : i32
    %a = nv_tileas.alloc_shared align 512 : !ta
    nv_tileas.mbarrier_expect %bara, 4096 : !bar
    %t1 = nv_tileas.tma_load %a, %ma[%c0, %x], %bara token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
    %nextb = arith.xori %pb, %one : i32
    %b = nv_tileas.alloc_shared align 1024 : !tb
    nv_tileas.mbarrier_expect %barb, 4096 : !bar
    %t2 = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
    nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<64x64xf32, #sum>
    nv_tileas.dot_wait {pending = 0 : i32}
    scf.continue %d, %nexta, %nextb : tensor<64x64xf32, #sum>, i32, i32
  }
  %done = nv_tileas.dot_wait %sum#0 {pending = 0 : i32} : tensor<64x64xf32, #sum>
  %t = nv_tileas.tiled_store %done, %out[%c0, %c0] sizes [%rows, %rows] strides [%rows, %c1] {bounds = array<i1: false, false>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// CHECK: remark: no warp specialization: 'scf.continue' leaves 'scf.for' before its end
#sum = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#a = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!ta = !nv_tileas.buffer<64x32xf16, #a>
!tb = !nv_tileas.buffer<32x64xf16, #b>
!ma = !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>
!mb = !nv_tileas.tma_map<32x64xf16, order = [1, 0], swizzle = 128>
nv_tileas.func @leaves(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !ma
  %mb = nv_tileas.tensor_map %q sizes [%wide, %rows] strides [%rows, %c1] : !nv_tileas.ptr<f16> -> !mb
  %none = arith.constant dense<0.0> : tensor<64x64xf32> as tensor<64x64xf32, #sum>
  %bara = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bara, 1 : !bar
  %barb = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %barb, 1 : !bar
  %sum:3 = scf.for %i = %lo to %hi step %by iter_args(%acc = %none, %pa = %z, %pb = %z) -> (tensor<64x64xf32, #sum>, i32, i32) : i32 {
    %last = arith.cmpi slt, %i, %z : i32
    %r:3 = scf.if %last -> (tensor<64x64xf32, #sum>, i32, i32) {
      %at = arith.extsi %i : i32 to i64
      %x = arith.muli %at, %c32 : i64
      %nexta = arith.xori %pa, %one : i32
      %a = nv_tileas.alloc_shared align 512 : !ta
      nv_tileas.mbarrier_expect %bara, 4096 : !bar
      %t1 = nv_tileas.tma_load %a, %ma[%c0, %x], %bara token(%start : !nv_tileas.mem_token) : !ta, !ma, !bar -> !nv_tileas.mem_token
      %nextb = arith.xori %pb, %one : i32
      %b = nv_tileas.alloc_shared align 1024 : !tb
      nv_tileas.mbarrier_expect %barb, 4096 : !bar
      %t2 = nv_tileas.tma_load %b, %mb[%x, %c0], %barb token(%start : !nv_tileas.mem_token) : !tb, !mb, !bar -> !nv_tileas.mem_token
      nv_tileas.mbarrier_wait %bara, %pa : !bar, i32
      nv_tileas.mbarrier_wait %barb, %pb : !bar, i32
      nv_tileas.fence_async
      %d = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !ta, !tb -> tensor<64x64xf32, #sum>
      nv_tileas.dot_wait {pending = 0 : i32}
      scf.continue %d, %nexta, %nextb : tensor<64x64xf32, #sum>, i32, i32
    } else {
      scf.yield %acc, %pa, %pb : tensor<64x64xf32, #sum>, i32, i32
    }
    scf.continue %r#0, %r#1, %r#2 : tensor<64x64xf32, #sum>, i32, i32
  }
  %done = nv_tileas.dot_wait %sum#0 {pending = 0 : i32} : tensor<64x64xf32, #sum>
  %t = nv_tileas.tiled_store %done, %out[%c0, %c0] sizes [%rows, %rows] strides [%rows, %c1] {bounds = array<i1: false, false>} : tensor<64x64xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
