// RUN: tile-opt %s --split-input-file --verify-diagnostics

nv_tileas.func @alone() {
  // expected-error@+1 {{'nv_tileas.cluster_barrier' op needs a tile block that several CTAs share, but it has one}}
  nv_tileas.cluster_barrier
  nv_tileas.return
}

// -----

nv_tileas.func @role() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2, num_ctas = 2>} {
  nv_tileas.warp_specialize {
    role "one" warps(1) {
      // expected-error@+1 {{'nv_tileas.cluster_barrier' op stands in role "one", and all warps of a CTA meet there}}
      nv_tileas.cluster_barrier
    }
    role "other" warps(1) {
    }
  }
  nv_tileas.return
}

// -----

#one = #nv_tileas.shared<"{shape = [1], offset = []}">
nv_tileas.func @all(%parity: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2, num_ctas = 2>} {
  %b = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  // expected-error@+1 {{'nv_tileas.cluster_barrier' op has an mbarrier and a parity if the warps of a role meet there, and neither otherwise}}
  nv_tileas.cluster_barrier at %b, %parity : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>, i32
  nv_tileas.return
}

// -----

#one = #nv_tileas.shared<"{shape = [1], offset = []}">
nv_tileas.func @arrives() {
  %b = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  // expected-error@+1 {{'nv_tileas.mbarrier_arrive' op 'cluster' needs a tile block that several CTAs share, but it has one}}
  nv_tileas.mbarrier_arrive %b, 4 cluster : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.return
}

// -----

#one = #nv_tileas.shared<"{shape = [1], offset = []}">
nv_tileas.func @waits(%p: i32) {
  %b = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  // expected-error@+1 {{'nv_tileas.mbarrier_wait' op 'cluster' needs a tile block that several CTAs share, but it has one}}
  nv_tileas.mbarrier_wait %b, %p cluster : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>, i32
  nv_tileas.return
}

// -----

#one = #nv_tileas.shared<"{shape = [1], offset = []}">
#shared = #nv_tileas.shared<"{shape = [8, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]}">
nv_tileas.func @copies(%p: !nv_tileas.ptr<f16>, %m: i64) {
  %c1 = arith.constant 1 : i64
  %bar = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  %b = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<8x64xf16, #shared>
  %map = nv_tileas.tensor_map %p sizes[%m, %m] strides[%m, %c1] : !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>
  // expected-error@+1 {{'nv_tileas.tma_load' op 'multicast' needs a tile block that several CTAs share, but it has one}}
  %t = nv_tileas.tma_load %b, %map[%m, %m], %bar {multicast} : !nv_tileas.buffer<8x64xf16, #shared>, !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one> -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

#one = #nv_tileas.shared<"{shape = [1], offset = []}">
#deep = #nv_tileas.shared<"{shape = [16, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0]]}">
nv_tileas.func @halves(%p: !nv_tileas.ptr<f16>, %m: i64) {
  %c1 = arith.constant 1 : i64
  %bar = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  %b = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<16x64xf16, #deep>
  %map = nv_tileas.tensor_map %p sizes[%m, %m] strides[%m, %c1] : !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>
  // Halves of boxes are for multicast alone.
  // expected-error@+1 {{'nv_tileas.tma_load' op buffer needs a map of type '!nv_tileas.tma_map<16x64xf16, order = [1, 0], swizzle = 128>', but got '!nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>'}}
  %t = nv_tileas.tma_load %b, %map[%m, %m], %bar : !nv_tileas.buffer<16x64xf16, #deep>, !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one> -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

nv_tileas.func @gathers(%x: f32) {
  %a = nv_tileas.splat %x : f32 -> tensor<1x64xf32>
  // expected-error@+1 {{'nv_tileas.all_gather' op needs a tile block that several CTAs share, but it has one}}
  %b = nv_tileas.all_gather %a dim 0 : tensor<1x64xf32> -> tensor<2x64xf32>
  nv_tileas.return
}

// -----

nv_tileas.func @parts(%x: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_ctas = 4>} {
  %a = nv_tileas.splat %x : f32 -> tensor<1x64xf32>
  // expected-error@+1 {{'nv_tileas.all_gather' op result must be the parts of 4 CTAs along dimension 0, but got 'tensor<2x64xf32>' of 'tensor<1x64xf32>'}}
  %b = nv_tileas.all_gather %a dim 0 : tensor<1x64xf32> -> tensor<2x64xf32>
  nv_tileas.return
}

// -----

nv_tileas.func @dimension(%x: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_ctas = 4>} {
  %a = nv_tileas.splat %x : f32 -> tensor<1x64xf32>
  // expected-error@+1 {{'nv_tileas.all_gather' op dim must be from 0 to 1, but got 2}}
  %b = nv_tileas.all_gather %a dim 2 : tensor<1x64xf32> -> tensor<4x64xf32>
  nv_tileas.return
}

// -----

#shared = #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">
nv_tileas.func @nobody() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_ctas = 4>} {
  %c4 = arith.constant 4 : i32
  %b = nv_tileas.alloc_shared : !nv_tileas.buffer<4xf32, #shared>
  // expected-error@+1 {{'nv_tileas.remote_load' op number of a CTA must be from 0 to 3, but got 4}}
  %x = nv_tileas.remote_load %b of %c4 : !nv_tileas.buffer<4xf32, #shared> -> tensor<4xf32>
  nv_tileas.return
}

// -----

nv_tileas.func @meets() {
  // expected-error@+1 {{'nv_tileas.cluster_sync' op needs a tile block that several CTAs share, but it has one}}
  %t = nv_tileas.cluster_sync -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

#one = #nv_tileas.shared<"{shape = [1], offset = []}">
#rows = #nv_tileas.layout<"{shape = [8], register = [[1], [2]], lane = [[0], [0], [0], [0], [0]], warp = [[4], [0]], block = []}">
#shared = #nv_tileas.shared<"{shape = [8, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]}">
nv_tileas.func @whole_boxes(%p: !nv_tileas.ptr<f16>, %m: i64) {
  %c1 = arith.constant 1 : i64
  %i = nv_tileas.make_range : tensor<8xi32, #rows>
  %bar = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  %b = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<8x64xf16, #shared>
  %map = nv_tileas.tensor_map %p sizes[%m, %m] strides[%m, %c1] : !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>
  // Rows that are gathered come by a map with boxes of one.
  // expected-error@+1 {{'nv_tileas.tma_load' op buffer needs a map of type '!nv_tileas.tma_map<1x64xf16, order = [1, 0], swizzle = 128>', but got '!nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>'}}
  %t = nv_tileas.tma_load %b, %map[%m, %m], %bar rows(%i : tensor<8xi32, #rows>) : !nv_tileas.buffer<8x64xf16, #shared>, !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one> -> !nv_tileas.mem_token
  nv_tileas.return
}
