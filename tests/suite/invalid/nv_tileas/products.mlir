// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

%a = "t.v"() : () -> tensor<64x16xf16>
%b = "t.v"() : () -> tensor<16x8xf16>
%c = "t.v"() : () -> tensor<64x8xf32>
// expected-error@+1 {{'nv_tileas.dot_async' op takes operand #1 from registers, but its instruction only operand #0}}
%d = nv_tileas.dot_async %a, %b, %c {mma = #nv_tileas.mma<wgmma, m64n8k16, warps = [4, 1]>} : tensor<64x16xf16>, tensor<16x8xf16> -> tensor<64x8xf32>

// -----

#b = #nv_tileas.shared<"{shape = [16, 8], offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]}">
%a = "t.v"() : () -> tensor<64x16xf16>
%b = "t.v"() : () -> !nv_tileas.buffer<2 x [16x8xf16], #b>
%c = "t.v"() : () -> tensor<64x8xf32>
// expected-error@+1 {{'nv_tileas.dot_async' op multiplies one stage, but the buffer is '!nv_tileas.buffer<2 x [16x8xf16]}}
%d = nv_tileas.dot_async %a, %b, %c {mma = #nv_tileas.mma<wgmma, m64n8k16, warps = [4, 1]>} : tensor<64x16xf16>, !nv_tileas.buffer<2 x [16x8xf16], #b> -> tensor<64x8xf32>

// -----

#b = #nv_tileas.shared<"{shape = [16, 8], offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]}">
%a = "t.v"() : () -> tensor<64x32xf16>
%b = "t.v"() : () -> !nv_tileas.buffer<16x8xf16, #b>
%c = "t.v"() : () -> tensor<64x8xf32>
// expected-error@+1 {{'nv_tileas.dot_async' op shapes [64 32] x [16 8] do not give [64 8]}}
%d = nv_tileas.dot_async %a, %b, %c {mma = #nv_tileas.mma<wgmma, m64n8k16, warps = [4, 1]>} : tensor<64x32xf16>, !nv_tileas.buffer<16x8xf16, #b> -> tensor<64x8xf32>

// -----

#b = #nv_tileas.shared<"{shape = [16, 8], offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]}">
%a = "t.v"() : () -> tensor<64x16xf16>
%b = "t.v"() : () -> !nv_tileas.buffer<16x8xf16, #b>
%c = "t.v"() : () -> tensor<64x8xf32>
// expected-error@+1 {{'nv_tileas.dot_async' op requires attribute 'mma'}}
%d = nv_tileas.dot_async %a, %b, %c : tensor<64x16xf16>, !nv_tileas.buffer<16x8xf16, #b> -> tensor<64x8xf32>

// -----

#b = #nv_tileas.shared<"{shape = [16, 8], offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]}">
%a = "t.v"() : () -> tensor<64x16xf16>
%b = "t.v"() : () -> !nv_tileas.buffer<16x8xf16, #b>
%c = "t.v"() : () -> tensor<64x8xi32>
// expected-error@+1 {{'nv_tileas.dot_async' op elements must all be integers or all be floating-point, but got 'f16', 'f16' and 'i32'}}
%d = nv_tileas.dot_async %a, %b, %c {mma = #nv_tileas.mma<wgmma, m64n8k16, warps = [4, 1]>} : tensor<64x16xf16>, !nv_tileas.buffer<16x8xf16, #b> -> tensor<64x8xi32>

// -----

// expected-error@+1 {{'nv_tileas.dot_wait' op can leave from 0 to 63 groups pending, but got 64}}
nv_tileas.dot_wait {pending = 64 : i32}

// -----

%c = "t.v"() : () -> tensor<64x8xi32>
// expected-error@+1 {{'nv_tileas.dot_wait' op has a result for each MMA, but got 0 for 1}}
"nv_tileas.dot_wait"(%c) {pending = 0 : i32} : (tensor<64x8xi32>) -> ()

// -----

%c = "t.v"() : () -> tensor<64x8xi32>
// expected-error@+1 {{'nv_tileas.dot_wait' op result #0 must have the type 'tensor<64x8xi32>' of the MMA, but got 'tensor<64x8xf32>'}}
%r = "nv_tileas.dot_wait"(%c) {pending = 0 : i32} : (tensor<64x8xi32>) -> tensor<64x8xf32>

// -----

#b = #nv_tileas.shared<"{shape = [16, 8], offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]}">
%a = "t.v"() : () -> tensor<64x16xf16>
%b = "t.v"() : () -> !nv_tileas.buffer<16x8xf16, #b>
%c = "t.v"() : () -> tensor<64x8xf32>
// expected-error@+1 {{'nv_tileas.dot_async' op takes operand #0 from registers, but its instruction only operand #1}}
%d = nv_tileas.dot_async %a, %b, %c {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1], transposed>} : tensor<64x16xf16>, !nv_tileas.buffer<16x8xf16, #b> -> tensor<64x8xf32>
