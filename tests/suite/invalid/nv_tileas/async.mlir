// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

%p = "t.v"() : () -> !nv_tileas.ptr<f32>
%o = "t.v"() : () -> i64
%m = "t.v"() : () -> !nv_tileas.buffer<2 x [4xf32], #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
// expected-error@+1 {{'nv_tileas.copy_async' op copies one tile, but its place is '!nv_tileas.buffer<2 x [4xf32],}}
%t = nv_tileas.copy_async %m, %p[%o] sizes [%o] strides [%o] {bounds = array<i1: true>} : !nv_tileas.buffer<2 x [4xf32], #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>, !nv_tileas.ptr<f32>

// -----

%p = "t.v"() : () -> !nv_tileas.ptr<f16>
%o = "t.v"() : () -> i64
%m = "t.v"() : () -> !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
// expected-error@+1 {{'nv_tileas.copy_async' op must point to the element type 'f32' of the value, but points to 'f16'}}
%t = nv_tileas.copy_async %m, %p[%o] sizes [%o] strides [%o] {bounds = array<i1: true>} : !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>, !nv_tileas.ptr<f16>

// -----

%p = "t.v"() : () -> !nv_tileas.ptr<f32>
%o = "t.v"() : () -> i64
%m = "t.v"() : () -> !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
// expected-error@+1 {{'nv_tileas.copy_async' op memory ordering must be one of {weak}, but got 'acquire'}}
%t = nv_tileas.copy_async %m, %p[%o] sizes [%o] strides [%o] {bounds = array<i1: true>, ordering = "acquire", scope = "device"} : !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>, !nv_tileas.ptr<f32>

// -----

// expected-error@+1 {{'nv_tileas.commit_group' op result #0 must be group of asynchronous accesses, but got 'i32'}}
%g = nv_tileas.commit_group : i32

// -----

// expected-error@+1 {{'nv_tileas.wait_group' op can leave from 0 to 63 groups pending, but got -1}}
nv_tileas.wait_group -1

// -----

%p = "t.v"() : () -> tensor<8x!nv_tileas.ptr<f32>>
%m = "t.v"() : () -> !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
// expected-error@+1 {{'nv_tileas.gather_async' op pointers and place must have the same shape, but got 'tensor<8x!nv_tileas.ptr<f32>>' and 'tensor<4xf32>'}}
%t = nv_tileas.gather_async %m, %p : !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>, tensor<8x!nv_tileas.ptr<f32>> -> !nv_tileas.mem_token

// -----

%p = "t.v"() : () -> tensor<4x!nv_tileas.ptr<f16>>
%m = "t.v"() : () -> !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
// expected-error@+1 {{'nv_tileas.gather_async' op must point to the element type 'f32' of the value, but points to 'f16'}}
%t = nv_tileas.gather_async %m, %p : !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>, tensor<4x!nv_tileas.ptr<f16>> -> !nv_tileas.mem_token

// -----

%p = "t.v"() : () -> tensor<4x!nv_tileas.ptr<f32>>
%c = "t.v"() : () -> tensor<2xi1>
%m = "t.v"() : () -> !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
// expected-error@+1 {{'nv_tileas.gather_async' op mask and pointers must have the same shape}}
%t = nv_tileas.gather_async %m, %p mask %c : tensor<2xi1> : !nv_tileas.buffer<4xf32, #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>, tensor<4x!nv_tileas.ptr<f32>> -> !nv_tileas.mem_token

// -----

%p = "t.v"() : () -> tensor<4x!nv_tileas.ptr<f32>>
%m = "t.v"() : () -> !nv_tileas.buffer<2 x [4xf32], #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>
// expected-error@+1 {{'nv_tileas.gather_async' op copies one tile, but its place is '!nv_tileas.buffer<2 x [4xf32],}}
%t = nv_tileas.gather_async %m, %p : !nv_tileas.buffer<2 x [4xf32], #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">>, tensor<4x!nv_tileas.ptr<f32>> -> !nv_tileas.mem_token

// -----

%p = "t.v"() : () -> tensor<8x!nv_tileas.ptr<f32>>
// expected-error@+1 {{entry #0 of 'runs' must be a power of two of at most 16 bytes, but got 8}}
%v, %t = nv_tileas.load %p {runs = array<i64: 8>} : tensor<8x!nv_tileas.ptr<f32>> -> tensor<8xf32>, !nv_tileas.mem_token

// -----

%p = "t.v"() : () -> tensor<8x!nv_tileas.ptr<f32>>
// expected-error@+1 {{'runs' needs an entry for each of 1 dimensions, but got 2}}
%v, %t = nv_tileas.load %p {runs = array<i64: 1, 4>} : tensor<8x!nv_tileas.ptr<f32>> -> tensor<8xf32>, !nv_tileas.mem_token

// -----

%p = "t.v"() : () -> tensor<8x!nv_tileas.ptr<f32>>
%v = "t.v"() : () -> tensor<8xf32>
// expected-error@+1 {{'runs' is for weak accesses}}
%t = nv_tileas.store %p, %v {ordering = "release", scope = "device", runs = array<i64: 4>} : tensor<8x!nv_tileas.ptr<f32>>, tensor<8xf32> -> !nv_tileas.mem_token
