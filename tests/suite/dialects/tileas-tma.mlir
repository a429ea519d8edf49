// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

#shared = #nv_tileas.shared<"{shape = [8, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]}">
#words = #nv_tileas.shared<"{shape = [32], offset = [[1], [2], [4], [8], [16]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">

// CHECK-LABEL: nv_tileas.func @tensors(
nv_tileas.func @tensors(%p: !nv_tileas.ptr<f16>, %m: i64, %n: i64, %s: i64, %parity: i32, %yes: i1) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  // CHECK: %map = nv_tileas.tensor_map %p sizes[%m, %n] strides[%s, %c1] : !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>
  %map = nv_tileas.tensor_map %p sizes[%m, %n] strides[%s, %c1] : !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>
  %pf = nv_tileas.ptr_to_ptr %p : !nv_tileas.ptr<f16> -> !nv_tileas.ptr<f32>
  // CHECK: nv_tileas.tensor_map %{{.*}} : !nv_tileas.ptr<f32> -> !nv_tileas.tma_map<8x32xtf32, order = [1, 0], swizzle = 128, rounded>
  %rounding = nv_tileas.tensor_map %pf sizes[%m, %n] strides[%s, %c1] : !nv_tileas.ptr<f32> -> !nv_tileas.tma_map<8x32xtf32, order = [1, 0], swizzle = 128, rounded>
  // CHECK: nv_tileas.tensor_map %{{.*}} : !nv_tileas.ptr<f32> -> !nv_tileas.tma_map<8x32xtf32, order = [1, 0], rounded>
  %rounds = nv_tileas.tensor_map %pf sizes[%m, %n] strides[%s, %c1] : !nv_tileas.ptr<f32> -> !nv_tileas.tma_map<8x32xtf32, order = [1, 0], rounded>
  // CHECK: %b = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<8x64xf16, #shared>
  %b = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<8x64xf16, #shared>
  %bar = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.mbarrier_init %bar, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.barrier
  // CHECK: nv_tileas.mbarrier_expect %bar, 1024 if %yes :
  nv_tileas.mbarrier_expect %bar, 1024 if %yes : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  // CHECK: %t = nv_tileas.tma_load %b, %map[%c0, %m], %bar if %yes : !nv_tileas.buffer<8x64xf16, #shared>, !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1> -> !nv_tileas.mem_token
  %t = nv_tileas.tma_load %b, %map[%c0, %m], %bar if %yes : !nv_tileas.buffer<8x64xf16, #shared>, !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one> -> !nv_tileas.mem_token
  nv_tileas.mbarrier_wait %bar, %parity : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>, i32
  nv_tileas.mbarrier_expect %bar, 1024 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  // CHECK: nv_tileas.tma_load %b, %map[%c0, %m], %bar token(%t : !nv_tileas.mem_token) {narrow} :
  %u = nv_tileas.tma_load %b, %map[%c0, %m], %bar token(%t : !nv_tileas.mem_token) {narrow} : !nv_tileas.buffer<8x64xf16, #shared>, !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one> -> !nv_tileas.mem_token
  // CHECK: nv_tileas.tma_store %b, %map[%c0, %c0] token(%u : !nv_tileas.mem_token) :
  %v = nv_tileas.tma_store %b, %map[%c0, %c0] token(%u : !nv_tileas.mem_token) : !nv_tileas.buffer<8x64xf16, #shared>, !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128> -> !nv_tileas.mem_token
  // CHECK: nv_tileas.tma_store %b, %map[%c0, %c0] : !nv_tileas.buffer
  %w = nv_tileas.tma_store %b, %map[%c0, %c0] : !nv_tileas.buffer<8x64xf16, #shared>, !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128> -> !nv_tileas.mem_token
  // CHECK: nv_tileas.tma_reduce addf %b, %map[%c0, %c0] token(%u : !nv_tileas.mem_token) :
  %v2 = nv_tileas.tma_reduce addf %b, %map[%c0, %c0] token(%u : !nv_tileas.mem_token) : !nv_tileas.buffer<8x64xf16, #shared>, !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128> -> !nv_tileas.mem_token
  // CHECK: nv_tileas.tma_reduce addf %b, %map[%c0, %c0] : !nv_tileas.buffer
  %w2 = nv_tileas.tma_reduce addf %b, %map[%c0, %c0] : !nv_tileas.buffer<8x64xf16, #shared>, !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128> -> !nv_tileas.mem_token
  // CHECK: %scratch = nv_tileas.alloc_shared : !nv_tileas.buffer<32xi32, [[WORDS:#shared[0-9]*]]>
  %scratch = nv_tileas.alloc_shared : !nv_tileas.buffer<32xi32, #words>
  // CHECK: %made = nv_tileas.build_tensor_map %scratch, %p sizes[%m, %n] strides[%s, %c1] : !nv_tileas.buffer<32xi32, [[WORDS]]>, !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>
  %made = nv_tileas.build_tensor_map %scratch, %p sizes[%m, %n] strides[%s, %c1] : !nv_tileas.buffer<32xi32, #words>, !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>
  nv_tileas.return
}
