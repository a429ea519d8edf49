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
