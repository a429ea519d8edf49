// RUN: tile-opt %s --split-input-file --verify-diagnostics

#cells = #nv_tileas.shared<"{shape = [128, 2], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1]]}">
nv_tileas.func @offset() {
  // expected-error@+1 {{'nv_tileas.alloc_tmem' op offset must be a multiple of the 512 bytes of a column, but got 128}}
  %m = nv_tileas.alloc_tmem at 128 : !nv_tileas.buffer<128x2xf32, #cells, space = tmem>
  nv_tileas.return
}

// -----

#four = #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">
nv_tileas.func @lanes() {
  // expected-error@+1 {{'nv_tileas.alloc_tmem' op must be up to 512 columns of 128 elements, but got '!nv_tileas.buffer<4xf32, }}
  %m = nv_tileas.alloc_tmem : !nv_tileas.buffer<4xf32, #four, space = tmem>
  nv_tileas.return
}

// -----

nv_tileas.func @columns() {
  // expected-error@+1 {{'nv_tileas.release_tmem' op columns must be a power of two from 32 to 512, but got 48}}
  nv_tileas.release_tmem 48
  nv_tileas.return
}

// -----

#four = #nv_tileas.shared<"{shape = [4], offset = [[1], [2]]}">
nv_tileas.func @too_many() {
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<4xi32, #four>
  // expected-error@+1 {{'nv_tileas.reserve_tmem' op columns must be a power of two from 32 to 512, but got 1024}}
  nv_tileas.reserve_tmem 1024, %m : !nv_tileas.buffer<4xi32, #four>
  nv_tileas.return
}

// -----

#bar = #nv_tileas.shared<"{shape = [1], offset = []}">
nv_tileas.func @no_room() {
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<1xi8, #bar>
  // expected-error@+1 {{'nv_tileas.reserve_tmem' op needs a buffer of at least 4 bytes, but got '!nv_tileas.buffer<1xi8, }}
  nv_tileas.reserve_tmem 32, %m : !nv_tileas.buffer<1xi8, #bar>
  nv_tileas.return
}

// -----

#cells = #nv_tileas.shared<"{shape = [128, 2], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1]]}">
nv_tileas.func @load_types() {
  %m = nv_tileas.alloc_tmem : !nv_tileas.buffer<128x2xf32, #cells, space = tmem>
  // expected-error@+1 {{'nv_tileas.tmem_load' op tensor and buffer must have the same shape and element type, but got 'tensor<128x2xi32>' and '!nv_tileas.buffer<128x2xf32, }}
  %v = nv_tileas.tmem_load %m : !nv_tileas.buffer<128x2xf32, #cells, space = tmem> -> tensor<128x2xi32>
  nv_tileas.return
}

// -----

#cells = #nv_tileas.shared<"{shape = [128, 2], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1]]}">
nv_tileas.func @store_types() {
  %c = arith.constant dense<1.0> : tensor<128x4xf32>
  %m = nv_tileas.alloc_tmem : !nv_tileas.buffer<128x2xf32, #cells, space = tmem>
  // expected-error@+1 {{'nv_tileas.tmem_store' op tensor and buffer must have the same shape and element type, but got 'tensor<128x4xf32>' and '!nv_tileas.buffer<128x2xf32, }}
  nv_tileas.tmem_store %c, %m : tensor<128x4xf32>, !nv_tileas.buffer<128x2xf32, #cells, space = tmem>
  nv_tileas.return
}

// -----

#cells = #nv_tileas.shared<"{shape = [128, 2], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1]]}">
nv_tileas.func @integers() {
  %c = arith.constant dense<1> : tensor<128x2xi32>
  %m = nv_tileas.alloc_tmem : !nv_tileas.buffer<128x2xi32, #cells, space = tmem>
  // expected-error@+1 {{'nv_tileas.tmem_scale' op multiplies elements of 'f32', but got 'i32'}}
  nv_tileas.tmem_scale %c, %m : tensor<128x2xi32>, !nv_tileas.buffer<128x2xi32, #cells, space = tmem>
  nv_tileas.return
}

// -----

#wide = #nv_tileas.shared<"{shape = [128, 2], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1]]}">
nv_tileas.func @wide() {
  %c = arith.constant dense<1.0> : tensor<128x2xf64>
  %m = nv_tileas.alloc_tmem : !nv_tileas.buffer<128x2xf64, #wide, space = tmem>
  // expected-error@+1 {{'nv_tileas.tmem_store' op elements of 'f64' do not fit the cells of TMEM}}
  nv_tileas.tmem_store %c, %m : tensor<128x2xf64>, !nv_tileas.buffer<128x2xf64, #wide, space = tmem>
  nv_tileas.return
}

// -----

#bar = #nv_tileas.shared<"{shape = [1], offset = []}">
nv_tileas.func @pending() {
  %c0 = arith.constant 0 : i32
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>
  // expected-error@+1 {{'nv_tileas.mma_wait' op can leave from 0 to 63 groups pending, but got -1}}
  nv_tileas.mma_wait -1 for %m, %c0 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>, i32
  nv_tileas.return
}

// -----

#a = #nv_tileas.shared<"{shape = [128, 2], offset = [[0, 1], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#b = #nv_tileas.shared<"{shape = [2, 4], offset = [[0, 1], [0, 2], [1, 0]]}">
#slots = #nv_tileas.shared<"{shape = [2, 2], offset = [[0, 1], [1, 0]]}">
#bar = #nv_tileas.shared<"{shape = [1], offset = []}">
#cells = #nv_tileas.shared<"{shape = [128, 2], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1]]}">
nv_tileas.func @shapes() {
  %t = arith.constant 1 : i1
  %a = nv_tileas.alloc_shared : !nv_tileas.buffer<128x2xf16, #a>
  %b = nv_tileas.alloc_shared : !nv_tileas.buffer<2x4xf16, #b>
  %c = nv_tileas.alloc_tmem : !nv_tileas.buffer<128x2xf32, #cells, space = tmem>
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>
  // expected-error@+1 {{'nv_tileas.tmem_dot' op shapes [128 2] x [2 4] do not give [128 2]}}
  nv_tileas.tmem_dot %a, %b, %c if %t, %m {mma = #nv_tileas.mma<tcgen05.mma, m128n16k16, warps = [4, 1]>} : !nv_tileas.buffer<128x2xf16, #a>, !nv_tileas.buffer<2x4xf16, #b>, !nv_tileas.buffer<128x2xf32, #cells, space = tmem>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>
  nv_tileas.return
}

// -----

#a = #nv_tileas.shared<"{shape = [128, 2], offset = [[0, 1], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#b = #nv_tileas.shared<"{shape = [2, 4], offset = [[0, 1], [0, 2], [1, 0]]}">
#slots = #nv_tileas.shared<"{shape = [2, 2], offset = [[0, 1], [1, 0]]}">
#bar = #nv_tileas.shared<"{shape = [1], offset = []}">
#cells = #nv_tileas.shared<"{shape = [128, 2], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1]]}">
nv_tileas.func @slots() {
  %t = arith.constant 1 : i1
  %a = nv_tileas.alloc_shared : !nv_tileas.buffer<128x2xf16, #a>
  %b = nv_tileas.alloc_shared : !nv_tileas.buffer<2 x [2x2xf16], #slots>
  %c = nv_tileas.alloc_tmem : !nv_tileas.buffer<128x2xf32, #cells, space = tmem>
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>
  // expected-error@+1 {{'nv_tileas.tmem_dot' op multiplies one stage, but the buffer is '!nv_tileas.buffer<2 x [2x2xf16], }}
  nv_tileas.tmem_dot %a, %b, %c if %t, %m {mma = #nv_tileas.mma<tcgen05.mma, m128n16k16, warps = [4, 1]>} : !nv_tileas.buffer<128x2xf16, #a>, !nv_tileas.buffer<2 x [2x2xf16], #slots>, !nv_tileas.buffer<128x2xf32, #cells, space = tmem>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>
  nv_tileas.return
}

// -----

#a = #nv_tileas.shared<"{shape = [128, 2], offset = [[0, 1], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#b = #nv_tileas.shared<"{shape = [2, 2], offset = [[0, 1], [1, 0]]}">
#bar = #nv_tileas.shared<"{shape = [1], offset = []}">
#cells = #nv_tileas.shared<"{shape = [128, 2], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1]]}">
#scales = #nv_tileas.shared<"{shape = [128, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]]}">
nv_tileas.func @scales() {
  %t = arith.constant 1 : i1
  %a = nv_tileas.alloc_shared : !nv_tileas.buffer<128x2xf8E4M3FN, #a>
  %b = nv_tileas.alloc_shared : !nv_tileas.buffer<2x2xf8E4M3FN, #b>
  %c = nv_tileas.alloc_tmem : !nv_tileas.buffer<128x2xf32, #cells, space = tmem>
  %s = nv_tileas.alloc_tmem : !nv_tileas.buffer<128x4xf8E8M0FNU, #scales, space = tmem>
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>
  // expected-error@+1 {{'nv_tileas.tmem_dot' op has scales of both operands or of none, but got 1}}
  nv_tileas.tmem_dot %a, %b, %c if %t, %m scaled %s {mma = #nv_tileas.mma<tcgen05.mma.scaled, m128n32k32, warps = [4, 1]>} : !nv_tileas.buffer<128x2xf8E4M3FN, #a>, !nv_tileas.buffer<2x2xf8E4M3FN, #b>, !nv_tileas.buffer<128x2xf32, #cells, space = tmem>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #bar>, !nv_tileas.buffer<128x4xf8E8M0FNU, #scales, space = tmem>
  nv_tileas.return
}

// -----

#a = #nv_tileas.shared<"{shape = [128, 2], offset = [[0, 1], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#b = #nv_tileas.shared<"{shape = [2, 2], offset = [[0, 1], [1, 0]]}">
nv_tileas.func @scales_fit() {
  %c = arith.constant dense<1.0> : tensor<128x2xf32>
  %s = arith.constant dense<1.0> : tensor<128x4xf8E8M0FNU>
  %t = arith.constant dense<1.0> : tensor<4x2xf8E8M0FNU>
  %a = nv_tileas.alloc_shared : !nv_tileas.buffer<128x2xf8E4M3FN, #a>
  %b = nv_tileas.alloc_shared : !nv_tileas.buffer<2x2xf8E4M3FN, #b>
  // expected-error@+1 {{'nv_tileas.dot_async' op scales of shapes [128 4] and [4 2] do not fit operands of [128 2] and [2 2]}}
  %d = nv_tileas.dot_async %a, %b, %c scaled %s, %t {mma = #nv_tileas.mma<tcgen05.mma.scaled, m128n32k32, warps = [4, 1]>} : !nv_tileas.buffer<128x2xf8E4M3FN, #a>, !nv_tileas.buffer<2x2xf8E4M3FN, #b>, tensor<128x4xf8E8M0FNU>, tensor<4x2xf8E8M0FNU> -> tensor<128x2xf32>
  nv_tileas.return
}
