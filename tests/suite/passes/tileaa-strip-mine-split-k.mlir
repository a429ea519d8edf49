// RUN: tile-opt %s --split-input-file --gpu-name=sm_120 --tileaa-strip-mine | FileCheck %s
// RUN: tile-opt %s --split-input-file --gpu-name=sm_90 --tileaa-strip-mine | FileCheck %s --check-prefix=ASYNC

// Operands that do not fit the shared memory twice are split along K. The loop of the program does nothing else, so the two are merged: its counter counts parts, and offsets grow by those.
// CHECK-LABEL: @one_loop
// CHECK: %[[P:.*]] = arith.constant 8 : i32
// CHECK: %[[T:.*]] = arith.muli %{{.*}}, %[[P]] : i32
// CHECK: scf.for %[[J:[a-z0-9]+]] = %{{.*}} to %[[T]] {{.*}} -> (tensor<128x128xf32>
// CHECK: arith.extsi %[[J]] : i32 to i64
// CHECK: %[[N:.*]] = arith.constant 64 : i64
// CHECK: %[[O:.*]] = arith.muli %{{.*}}, %[[N]] : i64
// CHECK: nv_tileaa.tiled_load %a[%{{.*}}, %[[O]]] {{.*}}offset_div = array<i64: 128, 64>{{.*}} -> tensor<128x64xf16>
// CHECK: nv_tileaa.tiled_load %b[%{{.*}}] {{.*}} -> tensor<64x128xf16>
// CHECK: nv_tileaa.dot {{.*}} : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
// CHECK-NOT: scf.for
nv_tileaa.func @one_loop(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %c: !nv_tileaa.ptr<f32>, %m: i64, %n: i64, %k: i64) {
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %deep = arith.constant 512 : i64
  %first = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %turns = arith.constant 7 : i32
  %sum = scf.for %i = %first to %turns step %step iter_args(%acc = %none) -> (tensor<128x128xf32>) : i32 {
    %w = arith.extsi %i : i32 to i64
    %o = arith.muli %w, %deep : i64
    %x, %tx = nv_tileaa.tiled_load %a[%zero, %o] sizes [%m, %k] strides [%k, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 128, 512>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f16> -> tensor<128x512xf16>
    %y, %ty = nv_tileaa.tiled_load %b[%o, %zero] sizes [%k, %n] strides [%n, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 512, 128>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f16> -> tensor<512x128xf16>
    %next = nv_tileaa.dot %x, %y, %acc : tensor<128x512xf16>, tensor<512x128xf16> -> tensor<128x128xf32>
    scf.continue %next : tensor<128x128xf32>
  }
  %u = nv_tileaa.tiled_store %sum, %c[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// A loop that does something else, or counts in other steps, keeps its own counter. The accumulator goes from part to part in the original order.
// CHECK-LABEL: @two_loops
// CHECK: %[[S:.*]] = scf.for
// CHECK: scf.for {{.*}} iter_args(%[[A:[a-z0-9]+]] = %{{.*}}) -> (tensor<128x128xf32>
// CHECK: nv_tileaa.dot %{{.*}}, %{{.*}}, %[[A]] : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
// CHECK: arith.mulf
nv_tileaa.func @two_loops(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %c: !nv_tileaa.ptr<f32>, %m: i64, %n: i64, %k: i64) {
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %half = arith.constant dense<0.5> : tensor<128x128xf32>
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %deep = arith.constant 512 : i64
  %sum = scf.for %o = %zero to %k step %deep iter_args(%acc = %none) -> (tensor<128x128xf32>) : i64 {
    %x, %tx = nv_tileaa.tiled_load %a[%zero, %o] sizes [%m, %k] strides [%k, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 128, 512>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f16> -> tensor<128x512xf16>
    %y, %ty = nv_tileaa.tiled_load %b[%o, %zero] sizes [%k, %n] strides [%n, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 512, 128>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f16> -> tensor<512x128xf16>
    %next = nv_tileaa.dot %x, %y, %acc : tensor<128x512xf16>, tensor<512x128xf16> -> tensor<128x128xf32>
    %scaled = arith.mulf %next, %half : tensor<128x128xf32>
    scf.continue %scaled : tensor<128x128xf32>
  }
  %u = nv_tileaa.tiled_store %sum, %c[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// A counter that might run over when it counts parts keeps its steps.
// CHECK-LABEL: @far
// CHECK: scf.for {{.*}} to %turns
// CHECK: scf.for
nv_tileaa.func @far(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %c: !nv_tileaa.ptr<f32>, %m: i64, %n: i64, %k: i64, %turns: i32) {
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %deep = arith.constant 512 : i64
  %first = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %sum = scf.for %i = %first to %turns step %step iter_args(%acc = %none) -> (tensor<128x128xf32>) : i32 {
    %w = arith.extsi %i : i32 to i64
    %o = arith.muli %w, %deep : i64
    %x, %tx = nv_tileaa.tiled_load %a[%zero, %o] sizes [%m, %k] strides [%k, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 128, 512>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f16> -> tensor<128x512xf16>
    %y, %ty = nv_tileaa.tiled_load %b[%o, %zero] sizes [%k, %n] strides [%n, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 512, 128>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f16> -> tensor<512x128xf16>
    %next = nv_tileaa.dot %x, %y, %acc : tensor<128x512xf16>, tensor<512x128xf16> -> tensor<128x128xf32>
    scf.continue %next : tensor<128x128xf32>
  }
  %u = nv_tileaa.tiled_store %sum, %c[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// Without a loop around it, an MMA whose operands do not fit once becomes a loop.
// CHECK-LABEL: @alone
// CHECK: scf.for {{.*}} -> (tensor<64x64xf32>
// CHECK: nv_tileaa.dot {{.*}} : tensor<64x128xf16>, tensor<128x64xf16> -> tensor<64x64xf32>
nv_tileaa.func @alone(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %c: !nv_tileaa.ptr<f32>, %m: i64, %n: i64, %k: i64) {
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %tx = nv_tileaa.tiled_load %a[%zero, %zero] sizes [%m, %k] strides [%k, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 128, 512>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f16> -> tensor<64x1024xf16>
  %y, %ty = nv_tileaa.tiled_load %b[%zero, %zero] sizes [%k, %n] strides [%n, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 512, 128>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f16> -> tensor<1024x64xf16>
  %sum = nv_tileaa.dot %x, %y, %none : tensor<64x1024xf16>, tensor<1024x64xf16> -> tensor<64x64xf32>
  %u = nv_tileaa.tiled_store %sum, %c[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// The maximum of a column needs all rows of the first MMA before the second one, so no class splits both. Each is split by itself: a loop loads parts of K and of V, and extracts parts of the other operand, which is loaded before the loop or computed. Asynchronous MMAs are not split by themselves.
// CHECK-LABEL: @one_by_one
// CHECK: %[[Q:.*]], %{{.*}} = nv_tileaa.tiled_load %b
// CHECK: scf.for
// CHECK: scf.for %[[I:[a-z0-9]+]] = {{.*}} -> (tensor<128x16xf32>
// CHECK: %[[N:.*]] = arith.constant 128 : i64
// CHECK: arith.muli %{{.*}}, %[[N]] : i64
// CHECK: nv_tileaa.tiled_load %a{{.*}} -> tensor<128x128xf16>
// CHECK: nv_tileaa.extract %[[Q]][%[[I]], %{{.*}}] : tensor<512x16xf16>, i32, i32 -> tensor<128x16xf16>
// CHECK: nv_tileaa.reduce
// CHECK: %[[P:.*]] = arith.ftof
// CHECK: scf.for %[[J:[a-z0-9]+]] = {{.*}} -> (tensor<512x16xf32>
// CHECK: nv_tileaa.tiled_load %a{{.*}} -> tensor<32x512xf16>
// CHECK: nv_tileaa.extract %[[P]][%[[J]], %{{.*}}] : tensor<128x16xf16>, i32, i32 -> tensor<32x16xf16>
// ASYNC-LABEL: @one_by_one
// ASYNC-NOT: nv_tileaa.extract
// ASYNC: nv_tileaa.return
nv_tileaa.func @one_by_one(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %c: !nv_tileaa.ptr<f32>, %turns: i32) {
  %first = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<512x16xf32>
  %nothing = arith.constant dense<0.0> : tensor<128x16xf32>
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %few = arith.constant 16 : i64
  %keys = arith.constant 128 : i64
  %deep = arith.constant 512 : i64
  %all = arith.constant 4096 : i64
  %q, %tq = nv_tileaa.tiled_load %b[%zero, %zero] sizes [%deep, %few] strides [%few, %one] {bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 512, 16>, size_div = array<i64: 512, 16>, stride_div = array<i64: 16, 1>} : !nv_tileaa.ptr<f16> -> tensor<512x16xf16>
  %sum = scf.for %i = %first to %turns step %step iter_args(%acc = %none) -> (tensor<512x16xf32>) : i32 {
    %w = arith.extsi %i : i32 to i64
    %o = arith.muli %w, %keys : i64
    %k, %tk = nv_tileaa.tiled_load %a[%o, %zero] sizes [%all, %deep] strides [%deep, %one] {padding = "zero", bounds = array<i1: true, false>, base_div = 16 : i64, offset_div = array<i64: 128, 512>, size_div = array<i64: 4096, 512>, stride_div = array<i64: 512, 1>} : !nv_tileaa.ptr<f16> -> tensor<128x512xf16>
    %s = nv_tileaa.dot %k, %q, %nothing : tensor<128x512xf16>, tensor<512x16xf16> -> tensor<128x16xf32>
    %most = nv_tileaa.reduce (%s) {dim = 0 : i64, identities = [0xFF800000 : f32]} : (tensor<128x16xf32>) -> tensor<16xf32> (%l: f32, %r: f32) {
      %g = arith.maxnumf %l, %r : f32
      nv_tileaa.yield %g : f32
    }
    %mr = nv_tileaa.reshape %most : tensor<16xf32> -> tensor<1x16xf32>
    %mb = nv_tileaa.broadcast %mr : tensor<1x16xf32> -> tensor<128x16xf32>
    %below = arith.subf %s, %mb : tensor<128x16xf32>
    %e = arith.exp2 %below : tensor<128x16xf32>
    %p = arith.ftof %e : tensor<128x16xf32> to tensor<128x16xf16>
    %v, %tv = nv_tileaa.tiled_load %a[%o, %deep] sizes [%all, %deep] strides [%deep, %one] {padding = "zero", bounds = array<i1: true, false>, base_div = 16 : i64, offset_div = array<i64: 128, 512>, size_div = array<i64: 4096, 512>, stride_div = array<i64: 512, 1>} : !nv_tileaa.ptr<f16> -> tensor<128x512xf16>
    %t = nv_tileaa.permute %v [1, 0] : tensor<128x512xf16> -> tensor<512x128xf16>
    %d = nv_tileaa.dot %t, %p, %acc : tensor<512x128xf16>, tensor<128x16xf16> -> tensor<512x16xf32>
    scf.continue %d : tensor<512x16xf32>
  }
  %u = nv_tileaa.tiled_store %sum, %c[%zero, %zero] sizes [%deep, %few] strides [%few, %one] {bounds = array<i1: false, false>} : tensor<512x16xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}
