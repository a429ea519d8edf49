// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

%b = "t.v"() : () -> !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>
// expected-error@+1 {{'nv_tileas.mbarrier_init' op count of arrivals must be from 1 to 1048575, but got 0}}
nv_tileas.mbarrier_init %b, 0 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>

// -----

%b = "t.v"() : () -> !nv_tileas.buffer<2x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [2], offset = [[1]]}">>
// expected-error@+1 {{'nv_tileas.mbarrier_init' op operand #0 must be buffer of one mbarrier, but got}}
nv_tileas.mbarrier_init %b, 1 : !nv_tileas.buffer<2x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [2], offset = [[1]]}">>

// -----

%b = "t.v"() : () -> !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>
// expected-error@+1 {{'nv_tileas.mbarrier_expect' op can expect from 1 to 1048575 bytes, but got 0}}
nv_tileas.mbarrier_expect %b, 0 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>

// -----

%b = "t.v"() : () -> !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>
// expected-error@+1 {{'nv_tileas.mbarrier_arrive' op count of arrivals must be from 1 to 1048575, but got 1048576}}
nv_tileas.mbarrier_arrive %b, 1048576 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>

// -----

%b = "t.v"() : () -> !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>
// expected-error@+1 {{'nv_tileas.mbarrier_arrive' op arrives for copies, which fill shared memory of their own CTA}}
nv_tileas.mbarrier_arrive %b, 128 tensor copies : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>

// -----

%b = "t.v"() : () -> !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>
%p = "t.v"() : () -> i1
// expected-error@+1 {{'nv_tileas.mbarrier_wait' op operand #1 must be i32, but got 'i1'}}
nv_tileas.mbarrier_wait %b, %p : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>, i1

// -----

%m = "t.v"() : () -> !nv_tileas.buffer<2 x [4xf32], #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
%p = "t.v"() : () -> !nv_tileas.ptr<f32>
%b = "t.v"() : () -> !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>
// expected-error@+1 {{'nv_tileas.bulk_load' op copies one stage, but the buffer is '!nv_tileas.buffer<2 x [4xf32],}}
%t = nv_tileas.bulk_load %m, %p, %b : !nv_tileas.buffer<2 x [4xf32], #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>, !nv_tileas.ptr<f32>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">> -> !nv_tileas.mem_token

// -----

%m = "t.v"() : () -> !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
%p = "t.v"() : () -> !nv_tileas.ptr<f16>
%b = "t.v"() : () -> !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>
// expected-error@+1 {{'nv_tileas.bulk_load' op must point to the element type 'f32' of the buffer, but points to 'f16'}}
%t = nv_tileas.bulk_load %m, %p, %b : !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>, !nv_tileas.ptr<f16>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">> -> !nv_tileas.mem_token

// -----

%m = "t.v"() : () -> !nv_tileas.buffer<2xf32, #nv_tileas.shared<"{shape = [2], offset = [[1]]}">>
%p = "t.v"() : () -> !nv_tileas.ptr<f32>
%b = "t.v"() : () -> !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>
// expected-error@+1 {{'nv_tileas.bulk_load' op copies a multiple of 16 bytes, but the buffer has 8}}
%t = nv_tileas.bulk_load %m, %p, %b : !nv_tileas.buffer<2xf32, #nv_tileas.shared<"{shape = [2], offset = [[1]]}">>, !nv_tileas.ptr<f32>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">> -> !nv_tileas.mem_token

// -----

%m = "t.v"() : () -> !nv_tileas.buffer<2xf32, #nv_tileas.shared<"{shape = [2], offset = [[1]]}">>
%p = "t.v"() : () -> !nv_tileas.ptr<f32>
// expected-error@+1 {{'nv_tileas.bulk_store' op copies a multiple of 16 bytes, but the buffer has 8}}
%t = nv_tileas.bulk_store %m, %p : !nv_tileas.buffer<2xf32, #nv_tileas.shared<"{shape = [2], offset = [[1]]}">>, !nv_tileas.ptr<f32> -> !nv_tileas.mem_token

// -----

%m = "t.v"() : () -> !nv_tileas.buffer<32xf4E2M1FN, #nv_tileas.shared<"{shape = [32], offset = [[1], [2], [4], [8], [16]]}">>
%p = "t.v"() : () -> !nv_tileas.ptr<f4E2M1FN>
// expected-error@+1 {{'nv_tileas.bulk_store' op cannot copy elements of half a byte, which take a byte each in shared memory}}
%t = nv_tileas.bulk_store %m, %p : !nv_tileas.buffer<32xf4E2M1FN, #nv_tileas.shared<"{shape = [32], offset = [[1], [2], [4], [8], [16]]}">>, !nv_tileas.ptr<f4E2M1FN> -> !nv_tileas.mem_token

// -----

// expected-error@+1 {{'nv_tileas.bulk_wait' op can leave from 0 to 63 groups pending, but got 64}}
nv_tileas.bulk_wait 64

// -----

// expected-error@+1 {{'nv_tileas.bulk_commit' op result #0 must be group of asynchronous accesses, but got 'i32'}}
%g = nv_tileas.bulk_commit : i32

// -----

// expected-error@+1 {{'nv_tileas.fence_async' op requires zero results, but found 1}}
%r = "nv_tileas.fence_async"() : () -> i32

// -----

// expected-error@+1 {{'nv_tileas.fence_global' op requires a single operand, but found 0}}
%t = "nv_tileas.fence_global"() : () -> !nv_tileas.mem_token

// -----

%b = "t.v"() : () -> !nv_tileas.buffer<2x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [2], offset = [[1]]}">>
// expected-error@+1 {{'nv_tileas.mbarrier_inval' op operand #0 must be buffer of one mbarrier, but got}}
nv_tileas.mbarrier_inval %b : !nv_tileas.buffer<2x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [2], offset = [[1]]}">>

// -----

%b = "t.v"() : () -> !nv_tileas.buffer<2x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [2], offset = [[1]]}">>
// expected-error@+1 {{'nv_tileas.mma_commit' op operand #0 must be buffer of one mbarrier, but got}}
nv_tileas.mma_commit %b : !nv_tileas.buffer<2x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [2], offset = [[1]]}">>
