// RUN: tile-opt %s --verify-roundtrip | FileCheck %s

#one = #nv_tileas.shared<"{shape = [1], offset = []}">
#rows = #nv_tileas.layout<"{shape = [8], register = [[1], [2]], lane = [[0], [0], [0], [0], [0]], warp = [[4], [0]], block = []}">
#tile = #nv_tileas.layout<"{shape = [8, 64], register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]], block = []}">
#shared = #nv_tileas.shared<"{shape = [8, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]}">

// What divides the base and the stride of rows is for loads that gather them.
nv_tileaa.func @facts(%p: !nv_tileaa.ptr<f16>) {
  %q = nv_tileaa.splat %p : !nv_tileaa.ptr<f16> -> tensor<8x64x!nv_tileaa.ptr<f16>>
  // CHECK: nv_tileaa.load %q {base_div = 16 : i64, stride_div = array<i64: 8, 1>} :
  %a, %t = nv_tileaa.load %q {base_div = 16 : i64, stride_div = array<i64: 8, 1>} : tensor<8x64x!nv_tileaa.ptr<f16>> -> tensor<8x64xf16>, !nv_tileaa.mem_token
  nv_tileaa.return
}
nv_tileas.func @rows(%p: !nv_tileas.ptr<f16>, %m: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c1 = arith.constant 1 : i64
  %q = nv_tileas.splat %p : !nv_tileas.ptr<f16> -> tensor<8x64x!nv_tileas.ptr<f16>, #tile>
  // CHECK: nv_tileas.load %q {base_div = 16 : i64, stride_div = array<i64: 8, 1>} :
  %a, %before = nv_tileas.load %q {base_div = 16 : i64, stride_div = array<i64: 8, 1>} : tensor<8x64x!nv_tileas.ptr<f16>, #tile> -> tensor<8x64xf16, #tile>, !nv_tileas.mem_token
  %bar = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.mbarrier_init %bar, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  %b = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<8x64xf16, #shared>
  %map = nv_tileas.tensor_map %p sizes[%m, %m] strides[%m, %c1] : !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<1x64xf16, order = [1, 0], swizzle = 128>
  %i = nv_tileas.make_range : tensor<8xi32, #rows>
  // CHECK: nv_tileas.tma_load %b, %map[%m, %m], %bar token(%before : !nv_tileas.mem_token) rows(%i : tensor<8xi32, #layout{{[0-9]*}}>) :
  %t = nv_tileas.tma_load %b, %map[%m, %m], %bar token(%before : !nv_tileas.mem_token) rows(%i : tensor<8xi32, #rows>) : !nv_tileas.buffer<8x64xf16, #shared>, !nv_tileas.tma_map<1x64xf16, order = [1, 0], swizzle = 128>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one> -> !nv_tileas.mem_token
  nv_tileas.return
}
