// RUN: tile-opt %s --verify-roundtrip | FileCheck %s

#one = #nv_tileas.shared<"{shape = [1], offset = []}">
#shared = #nv_tileas.shared<"{shape = [8, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]}">
#deep = #nv_tileas.shared<"{shape = [16, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]}">

nv_tileas.func @k(%p: !nv_tileas.ptr<f16>, %m: i64, %parity: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>} {
  %c1 = arith.constant 1 : i64
  %bar = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.mbarrier_init %bar, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  // CHECK: nv_tileas.cluster_barrier{{$}}
  nv_tileas.cluster_barrier
  %b = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<8x64xf16, #shared>
  %map = nv_tileas.tensor_map %p sizes[%m, %m] strides[%m, %c1] : !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>
  // CHECK: nv_tileas.tma_load %b, %map[%m, %m], %bar {multicast} :
  %t = nv_tileas.tma_load %b, %map[%m, %m], %bar {multicast} : !nv_tileas.buffer<8x64xf16, #shared>, !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one> -> !nv_tileas.mem_token
  // A map of halves of the boxes that would fill the buffer.
  %d = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<16x64xf16, #deep>
  // CHECK: nv_tileas.tma_load %d, %map[%m, %m], %bar {narrow, multicast} :
  %u = nv_tileas.tma_load %d, %map[%m, %m], %bar {multicast, narrow} : !nv_tileas.buffer<16x64xf16, #deep>, !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one> -> !nv_tileas.mem_token
  // CHECK: nv_tileas.mbarrier_arrive %bar, 4 cluster :
  nv_tileas.mbarrier_arrive %bar, 4 cluster : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  // For a pair of CTAs.
  // CHECK: nv_tileas.mbarrier_expect %bar, 2048 {two_ctas} :
  nv_tileas.mbarrier_expect %bar, 2048 {two_ctas} : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  // CHECK: nv_tileas.tma_load %b, %map[%m, %m], %bar {two_ctas} :
  %own = nv_tileas.tma_load %b, %map[%m, %m], %bar {two_ctas} : !nv_tileas.buffer<8x64xf16, #shared>, !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one> -> !nv_tileas.mem_token
  // CHECK: nv_tileas.mbarrier_arrive %bar, 4 {two_ctas} :
  nv_tileas.mbarrier_arrive %bar, 4 {two_ctas} : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  // CHECK: nv_tileas.mbarrier_wait %bar, %parity tensor {two_ctas} :
  nv_tileas.mbarrier_wait %bar, %parity tensor {two_ctas} : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>, i32
  // CHECK: nv_tileas.mma_commit %bar {cluster} :
  nv_tileas.mma_commit %bar {cluster} : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  // CHECK: nv_tileas.mma_commit %bar {two_ctas} :
  nv_tileas.mma_commit %bar {two_ctas} : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  // CHECK: nv_tileas.mbarrier_wait %bar, %parity cluster :
  nv_tileas.mbarrier_wait %bar, %parity cluster : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>, i32
  // The warps of a role, in all CTAs.
  nv_tileas.warp_specialize {
    role "one" warps(2) {
      // CHECK: nv_tileas.cluster_barrier at %bar, %parity : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #{{.*}}>, i32
      nv_tileas.cluster_barrier at %bar, %parity : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>, i32
    }
    role "other" warps(2) {
    }
  }
  // CHECK: nv_tileas.cluster_sync %t : !nv_tileas.mem_token -> !nv_tileas.mem_token
  %after = nv_tileas.cluster_sync %t : !nv_tileas.mem_token -> !nv_tileas.mem_token
  // CHECK: nv_tileas.cluster_sync -> !nv_tileas.mem_token
  %first = nv_tileas.cluster_sync -> !nv_tileas.mem_token
  %part = nv_tileas.splat %parity : i32 -> tensor<2xi32>
  // CHECK: nv_tileas.all_gather %part dim 0 : tensor<2xi32> -> tensor<4xi32>
  %all = nv_tileas.all_gather %part dim 0 : tensor<2xi32> -> tensor<4xi32>
  // CHECK: nv_tileas.remote_load %b of %parity : !nv_tileas.buffer<8x64xf16, #{{.*}}> -> tensor<8x64xf16>
  %far = nv_tileas.remote_load %b of %parity : !nv_tileas.buffer<8x64xf16, #shared> -> tensor<8x64xf16>
  nv_tileas.return
}
