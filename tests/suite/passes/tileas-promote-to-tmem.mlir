// RUN: tile-opt %s --gpu-name=sm_100 --tileas-promote-to-tmem --tileas-allocate-tmem | FileCheck %s

#a = #nv_tileas.shared<"{shape = [128, 16], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#b = #nv_tileas.shared<"{shape = [16, 16], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]}">
#sum = #nv_tileas.layout<"{shape = [128, 16], register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}">
#column = #nv_tileas.layout<"{shape = [128, 1], register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}">
#spec = #nv_tileaa.kernel_spec<num_warps = 4>
#mma = #nv_tileas.mma<tcgen05.mma, m128n16k16, warps = [4, 1]>

// One product from zero: nothing is stored, and its sum is loaded behind the wait.
// CHECK-LABEL: nv_tileas.func @one(
// CHECK: nv_tileas.reserve_tmem 32,
// CHECK: %[[BAR:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier
// CHECK-NEXT: nv_tileas.mbarrier_init %[[BAR]], 1
// CHECK-NOT: nv_tileas.tmem_store
// CHECK: %[[SUM:.*]] = nv_tileas.alloc_tmem at 0
// CHECK: %[[ADD:.*]] = arith.constant false
// CHECK: nv_tileas.tmem_dot %{{.*}}, %{{.*}}, %[[SUM]] if %[[ADD]], %[[BAR]]
// CHECK: nv_tileas.mma_wait 0 for %[[BAR]]
// CHECK-NEXT: %[[V:.*]] = nv_tileas.tmem_load %[[SUM]]
// CHECK: nv_tileas.tiled_store %[[V]]
// CHECK: nv_tileas.release_tmem 32
// CHECK-NEXT: nv_tileas.return
nv_tileas.func @one(%q: !nv_tileas.ptr<f32>) attributes {nv_tileaa.kernel_spec = #spec} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 16 : i64
  %m = arith.constant 128 : i64
  %x = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<128x16xf16, #a>
  %y = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<16x16xf16, #b>
  %f = arith.constant 0.0 : f32
  %c = nv_tileas.splat %f : f32 -> tensor<128x16xf32, #sum>
  %d = nv_tileas.dot_async %x, %y, %c {mma = #mma} : !nv_tileas.buffer<128x16xf16, #a>, !nv_tileas.buffer<16x16xf16, #b> -> tensor<128x16xf32, #sum>
  %r = nv_tileas.dot_wait %d {pending = 0 : i32} : tensor<128x16xf32, #sum>
  %t = nv_tileas.tiled_store %r, %q[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x16xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// A chain over a loop stays there: the loop carries the place, and the count of products, by which a ring of two mbarriers is told.
// CHECK-LABEL: nv_tileas.func @chain(
// CHECK: %[[BARS:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier]
// CHECK: %[[SUM:.*]] = nv_tileas.alloc_tmem
// CHECK: nv_tileas.tmem_store %{{.*}}, %[[SUM]]
// CHECK: scf.for {{.*}} -> (!nv_tileas.buffer<128x16xf32, {{.*}}, space = tmem>, i32)
// CHECK-NOT: nv_tileas.tmem_load
// CHECK-NOT: nv_tileas.tmem_store
// CHECK: nv_tileas.tmem_dot %{{.*}}, %{{.*}}, %[[SUM]] if %{{.*}}, %{{.*}}
// CHECK: nv_tileas.mma_wait 1 for
// CHECK: scf.continue %[[SUM]], %{{.*}} : !nv_tileas.buffer
// CHECK: nv_tileas.mma_wait 0 for
// CHECK-NEXT: nv_tileas.tmem_load %[[SUM]]
nv_tileas.func @chain(%q: !nv_tileas.ptr<f32>, %trips: i32) attributes {nv_tileaa.kernel_spec = #spec} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 16 : i64
  %m = arith.constant 128 : i64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<128x16xf16, #a>
  %y = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<16x16xf16, #b>
  %f = arith.constant 1.0 : f32
  %c = nv_tileas.splat %f : f32 -> tensor<128x16xf32, #sum>
  %s = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %c) -> (tensor<128x16xf32, #sum>) : i32 {
    %d = nv_tileas.dot_async %x, %y, %acc {mma = #mma} : !nv_tileas.buffer<128x16xf16, #a>, !nv_tileas.buffer<16x16xf16, #b> -> tensor<128x16xf32, #sum>
    nv_tileas.dot_wait {pending = 1 : i32}
    scf.continue %d : tensor<128x16xf32, #sum>
  }
  %r = nv_tileas.dot_wait %s {pending = 0 : i32} : tensor<128x16xf32, #sum>
  %t = nv_tileas.tiled_store %r, %q[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x16xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// A sum that threads change in each iteration stays there: they load it in front of the MMA that goes on with it, and store back what they make of it.
// CHECK-LABEL: nv_tileas.func @scaled(
// CHECK: %[[SUM:.*]] = nv_tileas.alloc_tmem
// CHECK: scf.for {{.*}} -> (!nv_tileas.buffer<128x16xf32, {{.*}}, space = tmem>, i32)
// CHECK: %[[V:.*]] = nv_tileas.tmem_load %[[SUM]]
// CHECK: %[[LESS:.*]] = arith.mulf %[[V]], %[[V]]
// CHECK: nv_tileas.tmem_store %[[LESS]], %[[SUM]]
// CHECK: nv_tileas.tmem_dot {{.*}}, %[[SUM]] if
// CHECK: nv_tileas.mma_wait 0 for
// CHECK-NOT: nv_tileas.tmem_load
// CHECK: scf.continue %[[SUM]], %{{.*}} : !nv_tileas.buffer
// CHECK: nv_tileas.tmem_load %[[SUM]]
nv_tileas.func @scaled(%q: !nv_tileas.ptr<f32>, %trips: i32) attributes {nv_tileaa.kernel_spec = #spec} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 16 : i64
  %m = arith.constant 128 : i64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<128x16xf16, #a>
  %y = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<16x16xf16, #b>
  %f = arith.constant 1.0 : f32
  %c = nv_tileas.splat %f : f32 -> tensor<128x16xf32, #sum>
  %s = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %c) -> (tensor<128x16xf32, #sum>) : i32 {
    %less = arith.mulf %acc, %acc : tensor<128x16xf32, #sum>
    %d = nv_tileas.dot_async %x, %y, %less {mma = #mma} : !nv_tileas.buffer<128x16xf16, #a>, !nv_tileas.buffer<16x16xf16, #b> -> tensor<128x16xf32, #sum>
    %e = nv_tileas.dot_wait %d {pending = 0 : i32} : tensor<128x16xf32, #sum>
    scf.continue %e : tensor<128x16xf32, #sum>
  }
  %t = nv_tileas.tiled_store %s, %q[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x16xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// A product that threads wait for has its sum in registers.
// CHECK-LABEL: nv_tileas.func @unchanged_waited(
// CHECK: nv_tileas.dot %
// CHECK-NOT: tmem_dot
#fa = #nv_tileas.layout<"{shape = [64, 16], register = [[0, 1], [8, 0], [0, 8], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 0]], block = []}">
#fb = #nv_tileas.layout<"{shape = [16, 64], register = [[1, 0], [8, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 32]], block = []}">
#fc = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 32]], block = []}">
nv_tileas.func @unchanged_waited(%q: !nv_tileas.ptr<f32>) attributes {nv_tileaa.kernel_spec = #spec} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 64 : i64
  %a = arith.constant dense<1.000000e+00> : tensor<64x16xf16> as tensor<64x16xf16, #fa>
  %b = arith.constant dense<1.000000e+00> : tensor<16x64xf16> as tensor<16x64xf16, #fb>
  %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #fc>
  %d = nv_tileas.dot %a, %b, %c {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x16xf16, #fa>, tensor<16x64xf16, #fb> -> tensor<64x64xf32, #fc>
  %t = nv_tileas.tiled_store %d, %q[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32, #fc>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// Of 64 rows a column has 64 words: 16 lanes of each 32, and the halves of a warp take different columns. The sum of batches of them has its columns one behind the other. A product that goes on with the sum of another
// one, for which threads have waited, finds it where it is.
// CHECK-LABEL: nv_tileas.func @halves(
// CHECK: nv_tileas.reserve_tmem 32,
// CHECK: %[[SUM:.*]] = nv_tileas.alloc_tmem at 0 : !nv_tileas.buffer<2x64x16xf32
// CHECK: %[[NO:.*]] = arith.constant false
// CHECK: nv_tileas.tmem_dot %{{.*}}, %{{.*}}, %[[SUM]] if %[[NO]],
// CHECK: nv_tileas.mma_wait 0
// CHECK-NOT: nv_tileas.tmem_store
// CHECK-NOT: nv_tileas.tmem_load
// CHECK: %[[YES:.*]] = arith.constant true
// CHECK: nv_tileas.tmem_dot %{{.*}}, %{{.*}}, %[[SUM]] if %[[YES]],
// CHECK: nv_tileas.mma_wait 0
// CHECK: nv_tileas.tmem_load %[[SUM]]
// CHECK: nv_tileas.release_tmem 32
#ba = #nv_tileas.shared<"{shape = [2, 64, 16], offset = [[0, 0, 1], [0, 0, 2], [0, 0, 4], [0, 0, 8], [0, 1, 0], [0, 2, 0], [0, 4, 8], [0, 8, 0], [0, 16, 0], [0, 32, 0], [1, 0, 0]]}">
#bb = #nv_tileas.shared<"{shape = [2, 16, 16], offset = [[0, 0, 1], [0, 0, 2], [0, 0, 4], [0, 0, 8], [0, 1, 0], [0, 2, 0], [0, 4, 8], [0, 8, 0], [1, 0, 0]]}">
#half = #nv_tileas.layout<"{shape = [2, 64, 16], register = [[0, 0, 1], [0, 0, 2], [0, 0, 4], [1, 0, 0]], lane = [[0, 1, 0], [0, 2, 0], [0, 4, 0], [0, 8, 0], [0, 0, 8]], warp = [[0, 16, 0], [0, 32, 0]], block = []}">
nv_tileas.func @halves(%q: !nv_tileas.ptr<f32>) attributes {nv_tileaa.kernel_spec = #spec} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %n = arith.constant 16 : i64
  %m = arith.constant 64 : i64
  %far = arith.constant 1024 : i64
  %x = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<2x64x16xf16, #ba>
  %y = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<2x16x16xf16, #bb>
  %f = arith.constant 0.0 : f32
  %c = nv_tileas.splat %f : f32 -> tensor<2x64x16xf32, #half>
  %d = nv_tileas.dot_async %x, %y, %c {mma = #nv_tileas.mma<tcgen05.mma, m64n16k16, warps = [4, 1]>} : !nv_tileas.buffer<2x64x16xf16, #ba>, !nv_tileas.buffer<2x16x16xf16, #bb> -> tensor<2x64x16xf32, #half>
  %r = nv_tileas.dot_wait %d {pending = 0 : i32} : tensor<2x64x16xf32, #half>
  %e = nv_tileas.dot_async %x, %y, %r {mma = #nv_tileas.mma<tcgen05.mma, m64n16k16, warps = [4, 1]>} : !nv_tileas.buffer<2x64x16xf16, #ba>, !nv_tileas.buffer<2x16x16xf16, #bb> -> tensor<2x64x16xf32, #half>
  %g = nv_tileas.dot_wait %e {pending = 0 : i32} : tensor<2x64x16xf32, #half>
  %t = nv_tileas.tiled_store %g, %q[%zero, %zero, %zero] sizes [%two, %m, %n] strides [%far, %n, %one] {bounds = array<i1: true, true, true>} : tensor<2x64x16xf32, #half>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// Scales of a product are stored in front of it, in a ring of as many places as there are mbarriers: the MMA before may still read its own.
// CHECK-LABEL: nv_tileas.func @scaled_by_blocks(
// CHECK: %[[SA:.*]] = nv_tileas.alloc_tmem at {{[0-9]+}} : !nv_tileas.buffer<2 x [128x4xf8E8M0FNU]
// CHECK: %[[SB:.*]] = nv_tileas.alloc_tmem at {{[0-9]+}} : !nv_tileas.buffer<2 x [4x32xf8E8M0FNU]
// CHECK: scf.for
// CHECK: %[[A:.*]] = nv_tileas.buffer_stage %[[SA]][
// CHECK: nv_tileas.tmem_store %{{.*}}, %[[A]]
// CHECK: %[[B:.*]] = nv_tileas.buffer_stage %[[SB]][
// CHECK: nv_tileas.tmem_store %{{.*}}, %[[B]]
// CHECK: nv_tileas.tmem_dot %{{.*}}, %{{.*}}, %{{.*}} if %{{.*}}, %{{.*}} scaled %[[A]], %[[B]]
// CHECK: nv_tileas.mma_wait 1
#ka = #nv_tileas.shared<"{shape = [128, 128], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [1, 16], [2, 32], [4, 64], [8, 0], [16, 0], [32, 0], [64, 0]]}">
#kb = #nv_tileas.shared<"{shape = [128, 32], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [16, 1], [32, 2], [64, 4], [0, 8], [0, 16]]}">
#rows = #nv_tileas.layout<"{shape = [128, 4], register = [[0, 1], [0, 2], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0], [0, 0]], block = []}">
#cols = #nv_tileas.layout<"{shape = [4, 32], register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 0], [0, 0]], block = []}">
#wide = #nv_tileas.layout<"{shape = [128, 32], register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}">
nv_tileas.func @scaled_by_blocks(%q: !nv_tileas.ptr<f32>, %trips: i32) attributes {nv_tileaa.kernel_spec = #spec} {
  %s = arith.constant dense<1.0> : tensor<128x4xf8E8M0FNU> as tensor<128x4xf8E8M0FNU, #rows>
  %u = arith.constant dense<1.0> : tensor<4x32xf8E8M0FNU> as tensor<4x32xf8E8M0FNU, #cols>
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 32 : i64
  %m = arith.constant 128 : i64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<128x128xf8E4M3FN, #ka>
  %y = nv_tileas.alloc_shared align 1024 : !nv_tileas.buffer<128x32xf8E4M3FN, #kb>
  %f = arith.constant 1.0 : f32
  %c = nv_tileas.splat %f : f32 -> tensor<128x32xf32, #wide>
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %c) -> (tensor<128x32xf32, #wide>) : i32 {
    %d = nv_tileas.dot_async %x, %y, %acc scaled %s, %u {mma = #nv_tileas.mma<tcgen05.mma.scaled, m128n32k32, warps = [4, 1]>} : !nv_tileas.buffer<128x128xf8E4M3FN, #ka>, !nv_tileas.buffer<128x32xf8E4M3FN, #kb>, tensor<128x4xf8E8M0FNU, #rows>, tensor<4x32xf8E8M0FNU, #cols> -> tensor<128x32xf32, #wide>
    nv_tileas.dot_wait {pending = 1 : i32}
    scf.continue %d : tensor<128x32xf32, #wide>
  }
  %v = nv_tileas.dot_wait %r {pending = 0 : i32} : tensor<128x32xf32, #wide>
  %t = nv_tileas.tiled_store %v, %q[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x32xf32, #wide>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// What an iteration begins with is read behind the MMA that goes on with it: it is in registers too, and the sum goes there and comes back.
// CHECK-LABEL: nv_tileas.func @read_behind(
// CHECK: scf.for {{.*}} -> (tensor<128x16xf32, {{.*}}>, i32)
// CHECK: nv_tileas.tmem_store
// CHECK: nv_tileas.tmem_dot
// CHECK: nv_tileas.tmem_load
// CHECK: nv_tileas.tiled_store
nv_tileas.func @read_behind(%q: !nv_tileas.ptr<f32>, %trips: i32) attributes {nv_tileaa.kernel_spec = #spec} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 16 : i64
  %m = arith.constant 128 : i64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<128x16xf16, #a>
  %y = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<16x16xf16, #b>
  %f = arith.constant 1.0 : f32
  %c = nv_tileas.splat %f : f32 -> tensor<128x16xf32, #sum>
  %s = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %c) -> (tensor<128x16xf32, #sum>) : i32 {
    %d = nv_tileas.dot_async %x, %y, %acc {mma = #mma} : !nv_tileas.buffer<128x16xf16, #a>, !nv_tileas.buffer<16x16xf16, #b> -> tensor<128x16xf32, #sum>
    %e = nv_tileas.dot_wait %d {pending = 0 : i32} : tensor<128x16xf32, #sum>
    %t = nv_tileas.tiled_store %acc, %q[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x16xf32, #sum>, !nv_tileas.ptr<f32>
    scf.continue %e : tensor<128x16xf32, #sum>
  }
  nv_tileas.return
}

// A factor that threads have goes to TMEM: two elements of 16 bits in a cell, in a ring of as many slots as there are mbarriers.
// CHECK-LABEL: nv_tileas.func @factor(
// CHECK: nv_tileas.reserve_tmem 32,
// CHECK: %[[RING:.*]] = nv_tileas.alloc_tmem at 8192 : !nv_tileas.buffer<128x16xf16, {{.*}}, space = tmem>
// CHECK: nv_tileas.tmem_store %{{.*}}, %[[RING]] : tensor<128x16xf16
// CHECK: nv_tileas.tmem_dot %[[RING]], %{{.*}}, %{{.*}} if
nv_tileas.func @factor(%q: !nv_tileas.ptr<f32>) attributes {nv_tileaa.kernel_spec = #spec} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 16 : i64
  %m = arith.constant 128 : i64
  %y = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<16x16xf16, #b>
  %f = arith.constant 1.0 : f16
  %x = nv_tileas.splat %f : f16 -> tensor<128x16xf16, #sum>
  %c = arith.constant dense<0.0> : tensor<128x16xf32> as tensor<128x16xf32, #sum>
  %d = nv_tileas.dot_async %x, %y, %c {mma = #mma} : tensor<128x16xf16, #sum>, !nv_tileas.buffer<16x16xf16, #b> -> tensor<128x16xf32, #sum>
  %e = nv_tileas.dot_wait %d {pending = 0 : i32} : tensor<128x16xf32, #sum>
  %t = nv_tileas.tiled_store %e, %q[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x16xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// Rows of a sum are scaled where they are. The factors of a thread are those of its row.
// CHECK-LABEL: nv_tileas.func @rows(
// CHECK: %[[ROWS:.*]] = nv_tileas.broadcast
// CHECK-NOT: nv_tileas.tmem_load
// CHECK: nv_tileas.tmem_scale %[[ROWS]], %[[SUM:.*]] : tensor<128x16xf32
// CHECK: nv_tileas.tmem_dot {{.*}}, %[[SUM]] if
// CHECK: scf.continue %[[SUM]],
nv_tileas.func @rows(%q: !nv_tileas.ptr<f32>, %trips: i32, %by: f32) attributes {nv_tileaa.kernel_spec = #spec} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 16 : i64
  %m = arith.constant 128 : i64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<128x16xf16, #a>
  %y = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<16x16xf16, #b>
  %f = arith.constant 1.0 : f32
  %c = nv_tileas.splat %f : f32 -> tensor<128x16xf32, #sum>
  %col = nv_tileas.splat %by : f32 -> tensor<128x1xf32, #column>
  %s = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %c) -> (tensor<128x16xf32, #sum>) : i32 {
    %rows = nv_tileas.broadcast %col : tensor<128x1xf32, #column> -> tensor<128x16xf32, #sum>
    %less = arith.mulf %acc, %rows : tensor<128x16xf32, #sum>
    %d = nv_tileas.dot_async %x, %y, %less {mma = #mma} : !nv_tileas.buffer<128x16xf16, #a>, !nv_tileas.buffer<16x16xf16, #b> -> tensor<128x16xf32, #sum>
    %e = nv_tileas.dot_wait %d {pending = 0 : i32} : tensor<128x16xf32, #sum>
    scf.continue %e : tensor<128x16xf32, #sum>
  }
  %t = nv_tileas.tiled_store %s, %q[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x16xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// Not what flushes small numbers to zero, which 1 does not leave as they are.
// CHECK-LABEL: nv_tileas.func @flushed(
// CHECK: nv_tileas.tmem_load
// CHECK: arith.mulf
// CHECK: nv_tileas.tmem_store
// CHECK-NOT: nv_tileas.tmem_scale
nv_tileas.func @flushed(%q: !nv_tileas.ptr<f32>, %trips: i32, %by: f32) attributes {nv_tileaa.kernel_spec = #spec} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 16 : i64
  %m = arith.constant 128 : i64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<128x16xf16, #a>
  %y = nv_tileas.alloc_shared align 256 : !nv_tileas.buffer<16x16xf16, #b>
  %f = arith.constant 1.0 : f32
  %c = nv_tileas.splat %f : f32 -> tensor<128x16xf32, #sum>
  %col = nv_tileas.splat %by : f32 -> tensor<128x1xf32, #column>
  %s = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %c) -> (tensor<128x16xf32, #sum>) : i32 {
    %rows = nv_tileas.broadcast %col : tensor<128x1xf32, #column> -> tensor<128x16xf32, #sum>
    %less = arith.mulf %acc, %rows ftz : tensor<128x16xf32, #sum>
    %d = nv_tileas.dot_async %x, %y, %less {mma = #mma} : !nv_tileas.buffer<128x16xf16, #a>, !nv_tileas.buffer<16x16xf16, #b> -> tensor<128x16xf32, #sum>
    %e = nv_tileas.dot_wait %d {pending = 0 : i32} : tensor<128x16xf32, #sum>
    scf.continue %e : tensor<128x16xf32, #sum>
  }
  %t = nv_tileas.tiled_store %s, %q[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x16xf32, #sum>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
