// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

%p, %n = "t.v"() : () -> (!nv_tileas.ptr<f16>, i64)
// expected-error@+1 {{'nv_tileas.tensor_map' op needs a size and a stride for each of 2 dimensions, but got 1 and 2}}
%m = nv_tileas.tensor_map %p sizes[%n] strides[%n, %n] : !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<8x64xf16, order = [1, 0]>

// -----

#words = #nv_tileas.shared<"{shape = [16], offset = [[1], [2], [4], [8]]}">
%p, %n = "t.v"() : () -> (!nv_tileas.ptr<f16>, i64)
%s = nv_tileas.alloc_shared : !nv_tileas.buffer<16xi32, #words>
// expected-error@+1 {{'nv_tileas.build_tensor_map' op needs a scratch buffer of 128 bytes, but got '!nv_tileas.buffer<16xi32}}
%m = nv_tileas.build_tensor_map %s, %p sizes[%n, %n] strides[%n, %n] : !nv_tileas.buffer<16xi32, #words>, !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<8x64xf16, order = [1, 0]>

// -----

%p, %n = "t.v"() : () -> (!nv_tileas.ptr<bf16>, i64)
// expected-error@+1 {{'nv_tileas.tensor_map' op must point to the element type 'f16' of the map, but points to 'bf16'}}
%m = nv_tileas.tensor_map %p sizes[%n, %n] strides[%n, %n] : !nv_tileas.ptr<bf16> -> !nv_tileas.tma_map<8x64xf16, order = [1, 0]>

// -----

#s = #nv_tileas.shared<"{shape = [8, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
%m, %bar, %n = "t.v"() : () -> (!nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>, i64)
%b = nv_tileas.alloc_shared align 512 : !nv_tileas.buffer<8x64xf16, #s>
// expected-error@+1 {{'nv_tileas.tma_load' op needs a buffer that is aligned to 1024 bytes, but it is to 512}}
%t = nv_tileas.tma_load %b, %m[%n, %n], %bar : !nv_tileas.buffer<8x64xf16, #s>, !nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one> -> !nv_tileas.mem_token

// -----

#s = #nv_tileas.shared<"{shape = [8, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
%m, %bar, %b, %n = "t.v"() : () -> (!nv_tileas.tma_map<8x64xf16, order = [1, 0]>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>, !nv_tileas.buffer<8x64xf16, #s>, i64)
// expected-error@+1 {{'nv_tileas.tma_load' op buffer needs a map of type '!nv_tileas.tma_map<8x64xf16, order = [1, 0], swizzle = 128>', but got '!nv_tileas.tma_map<8x64xf16, order = [1, 0]>'}}
%t = nv_tileas.tma_load %b, %m[%n, %n], %bar : !nv_tileas.buffer<8x64xf16, #s>, !nv_tileas.tma_map<8x64xf16, order = [1, 0]>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one> -> !nv_tileas.mem_token

// -----

#s = #nv_tileas.shared<"{shape = [8, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 8], [4, 16]]}">
%m, %b, %n = "t.v"() : () -> (!nv_tileas.tma_map<8x64xf16, order = [1, 0]>, !nv_tileas.buffer<8x64xf16, #s>, i64)
// expected-error@+1 {{'nv_tileas.tma_store' op cannot copy to or from the buffer: the buffer keeps elements in an order that no swizzle of 32, 64 or 128 bytes makes}}
%t = nv_tileas.tma_store %b, %m[%n, %n] : !nv_tileas.buffer<8x64xf16, #s>, !nv_tileas.tma_map<8x64xf16, order = [1, 0]> -> !nv_tileas.mem_token

// -----

#s = #nv_tileas.shared<"{shape = [8, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0]]}">
%m, %b, %n = "t.v"() : () -> (!nv_tileas.tma_map<8x64xf16, order = [1, 0]>, !nv_tileas.buffer<8x64xf16, #s>, i64)
// expected-error@+1 {{'nv_tileas.tma_store' op needs an offset for each of 2 dimensions of the buffer, and a map of as many, but got 1, and}}
%t = nv_tileas.tma_store %b, %m[%n] : !nv_tileas.buffer<8x64xf16, #s>, !nv_tileas.tma_map<8x64xf16, order = [1, 0]> -> !nv_tileas.mem_token

// -----

#s = #nv_tileas.shared<"{shape = [8, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0]]}">
%m, %b, %n = "t.v"() : () -> (!nv_tileas.tma_map<8x64xbf16, order = [1, 0]>, !nv_tileas.buffer<8x64xf16, #s>, i64)
// expected-error@+1 {{'nv_tileas.tma_store' op buffer and map must have the same elements, and at most}}
%t = nv_tileas.tma_store %b, %m[%n, %n] : !nv_tileas.buffer<8x64xf16, #s>, !nv_tileas.tma_map<8x64xbf16, order = [1, 0]> -> !nv_tileas.mem_token

// -----

#s = #nv_tileas.shared<"{shape = [8], offset = [[1], [2], [4]]}">
%m, %b, %n = "t.v"() : () -> (!nv_tileas.tma_map<8xf16, order = [0]>, !nv_tileas.buffer<2 x [8xf16], #s>, i64)
// expected-error@+1 {{'nv_tileas.tma_store' op copies one stage, but the buffer is}}
%t = nv_tileas.tma_store %b, %m[%n] : !nv_tileas.buffer<2 x [8xf16], #s>, !nv_tileas.tma_map<8xf16, order = [0]> -> !nv_tileas.mem_token

// -----

// expected-error@+1 {{'nv_tileas.alloc_shared' op alignment must be a power of two up to 1024, but got 48}}
%b = nv_tileas.alloc_shared align 48 : !nv_tileas.buffer<8xf16, #nv_tileas.shared<"{shape = [8], offset = [[1], [2], [4]]}">>

// -----

// expected-error@+1 {{'nv_tileas.alloc_shared' op cannot align each stage to 256 bytes, since they are 128 bytes apart}}
%b = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<2 x [8xf16], #nv_tileas.shared<"{shape = [8], offset = [[1], [2], [4]]}">>

// -----

%p, %n = "t.v"() : () -> (!nv_tileas.ptr<tf32>, i64)
// expected-error@+1 {{'nv_tileas.tensor_map' op must point to the element type 'f32' of the map, but points to 'tf32'}}
%m = nv_tileas.tensor_map %p sizes[%n, %n] strides[%n, %n] : !nv_tileas.ptr<tf32> -> !nv_tileas.tma_map<8x32xtf32, order = [1, 0], rounded>

// -----

// expected-error@+1 {{a map rounds to tf32, but got 'f32'}}
%m = "t.v"() : () -> !nv_tileas.tma_map<8x32xf32, order = [1, 0], rounded>

// -----

#s = #nv_tileas.shared<"{shape = [8, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16]]}">
%m, %b, %n = "t.v"() : () -> (!nv_tileas.tma_map<8x32xtf32, order = [1, 0], swizzle = 128, rounded>, !nv_tileas.buffer<8x32xtf32, #s>, i64)
// expected-error@+1 {{'nv_tileas.tma_store' op stores elements as they are, but the map is '!nv_tileas.tma_map<8x32xtf32, order = [1, 0], swizzle = 128, rounded>'}}
%t = nv_tileas.tma_store %b, %m[%n, %n] : !nv_tileas.buffer<8x32xtf32, #s>, !nv_tileas.tma_map<8x32xtf32, order = [1, 0], swizzle = 128, rounded> -> !nv_tileas.mem_token

// -----

#s = #nv_tileas.shared<"{shape = [8, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0]]}">
%m, %b, %n = "t.v"() : () -> (!nv_tileas.tma_map<8x64xi8, order = [1, 0]>, !nv_tileas.buffer<8x64xi8, #s>, i64)
// expected-error@+1 {{'nv_tileas.tma_reduce' op no tensor reduction does 'add' with elements of type 'i8'}}
%t = nv_tileas.tma_reduce add %b, %m[%n, %n] : !nv_tileas.buffer<8x64xi8, #s>, !nv_tileas.tma_map<8x64xi8, order = [1, 0]> -> !nv_tileas.mem_token

// -----

#s = #nv_tileas.shared<"{shape = [8, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0]]}">
%m, %b, %n = "t.v"() : () -> (!nv_tileas.tma_map<8x64xi32, order = [1, 0]>, !nv_tileas.buffer<8x64xi32, #s>, i64)
// expected-error@+1 {{'nv_tileas.tma_reduce' op a tensor map has unsigned integers, and the reduction compares signed ones}}
%t = nv_tileas.tma_reduce max %b, %m[%n, %n] : !nv_tileas.buffer<8x64xi32, #s>, !nv_tileas.tma_map<8x64xi32, order = [1, 0]> -> !nv_tileas.mem_token

// -----

// expected-error@+1 {{attribute 'nv_tileas.transfer' must be one of ["cp.async" "tma" "registers"]}}
"t.load"() {nv_tileas.transfer = "pigeon"} : () -> ()

// -----

// expected-error@+1 {{attribute 'nv_tileas.schedule' must be a schedule}}
"t.loop"() {nv_tileas.schedule = 1 : i32} : () -> ()
