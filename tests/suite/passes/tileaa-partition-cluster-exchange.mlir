// RUN: tile-opt %s --split-input-file --gpu-name=sm_90 --tileaa-partition-cluster=exchange=0 | FileCheck %s
// RUN: tile-opt %s --split-input-file --gpu-name=sm_90 --tileaa-partition-cluster=exchange=0 --verify-diagnostics

// A sum of everything: each CTA adds its part, and all of them the sums of all, in the order of the CTAs.
// CHECK-LABEL: @sum(
// CHECK-SAME: num_ctas = 2
// CHECK: nv_tileaa.tiled_load {{.*}} tensor<512xf32>
// CHECK: %[[S:.*]] = nv_tileaa.reduce {{.*}}tensor<512xf32>) -> f32
// CHECK: %[[ONE:.*]] = nv_tileaa.splat %[[S]] : f32 -> tensor<1xf32>
// CHECK: %[[ALL:.*]] = nv_tileaa.all_gather %[[ONE]] dim 0 : tensor<1xf32> -> tensor<2xf32>
// CHECK: %[[SUM:.*]] = nv_tileaa.reduce (%[[ALL]])
// CHECK: scf.if
// CHECK: nv_tileaa.store %b, %[[SUM]]
nv_tileaa.func @sum(%a: !nv_tileaa.ptr<f32>, %b: !nv_tileaa.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 2>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %tx = nv_tileaa.tiled_load %a[%zero] sizes [%n] strides [%one] {bounds = array<i1: true>} : !nv_tileaa.ptr<f32> -> tensor<1024xf32>
  %s = nv_tileaa.reduce (%x) {dim = 0 : i64} : (tensor<1024xf32>) -> f32 (%acc: f32, %e: f32) {
    %t = arith.addf %acc, %e : f32
    nv_tileaa.yield %t : f32
  }
  %u = nv_tileaa.store %b, %s : !nv_tileaa.ptr<f32>, f32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// Rows are dealt out where they can be, and then nothing is exchanged.
// CHECK-LABEL: @rows(
// CHECK-SAME: num_ctas = 2
// CHECK: nv_tileaa.tiled_load {{.*}} tensor<8x256xf32>
// CHECK-NOT: all_gather
nv_tileaa.func @rows(%a: !nv_tileaa.ptr<f32>, %b: !nv_tileaa.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 2>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %tx = nv_tileaa.tiled_load %a[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileaa.ptr<f32> -> tensor<16x256xf32>
  %s = nv_tileaa.reduce (%x) {dim = 1 : i64} : (tensor<16x256xf32>) -> tensor<16xf32> (%acc: f32, %e: f32) {
    %t = arith.addf %acc, %e : f32
    nv_tileaa.yield %t : f32
  }
  %r = nv_tileaa.reshape %s : tensor<16xf32> -> tensor<16x1xf32>
  %w = nv_tileaa.broadcast %r : tensor<16x1xf32> -> tensor<16x256xf32>
  %q = arith.divf %x, %w : tensor<16x256xf32>
  %u = nv_tileaa.tiled_store %q, %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<16x256xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// Of one row columns are: sums of a dimension of several are exchanged as tensors.
// CHECK-LABEL: @row(
// CHECK-SAME: num_ctas = 4
// CHECK: nv_tileaa.tiled_load {{.*}} tensor<1x256xf32>
// CHECK: %[[S:.*]] = nv_tileaa.reduce {{.*}} -> tensor<1xf32>
// CHECK: %[[ONE:.*]] = nv_tileaa.reshape %[[S]] : tensor<1xf32> -> tensor<1x1xf32>
// CHECK: %[[ALL:.*]] = nv_tileaa.all_gather %[[ONE]] dim 0 : tensor<1x1xf32> -> tensor<4x1xf32>
// CHECK: nv_tileaa.reduce (%[[ALL]]) {dim = 0 : i64} : (tensor<4x1xf32>) -> tensor<1xf32>
// CHECK: nv_tileaa.tiled_store {{.*}} tensor<1x256xf32>
nv_tileaa.func @row(%a: !nv_tileaa.ptr<f32>, %b: !nv_tileaa.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 4>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %tx = nv_tileaa.tiled_load %a[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileaa.ptr<f32> -> tensor<1x1024xf32>
  %s = nv_tileaa.reduce (%x) {dim = 1 : i64} : (tensor<1x1024xf32>) -> tensor<1xf32> (%acc: f32, %e: f32) {
    %t = arith.addf %acc, %e : f32
    nv_tileaa.yield %t : f32
  }
  %r = nv_tileaa.reshape %s : tensor<1xf32> -> tensor<1x1xf32>
  %w = nv_tileaa.broadcast %r : tensor<1x1xf32> -> tensor<1x1024xf32>
  %q = arith.divf %x, %w : tensor<1x1024xf32>
  %u = nv_tileaa.tiled_store %q, %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<1x1024xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// A scan combines what the CTAs before have together with what each has scanned; the first one's stays unchanged.
// CHECK-LABEL: @scan(
// CHECK-SAME: num_ctas = 4
// CHECK: %[[S:.*]] = nv_tileaa.scan {{.*}} -> tensor<256xf32>
// CHECK: %[[ENDS:.*]] = nv_tileaa.all_gather {{.*}} tensor<1xf32> -> tensor<4xf32>
// CHECK: %[[E0:.*]] = nv_tileaa.extract %[[ENDS]]
// CHECK: %[[E1:.*]] = nv_tileaa.extract %[[ENDS]]
// CHECK: %[[TWO:.*]] = arith.addf %[[E0]], %[[E1]]
// CHECK: %[[C2:.*]] = arith.constant 2 : i32
// CHECK: %[[IS2:.*]] = arith.cmpi eq, %{{.*}}, %[[C2]]
// CHECK: arith.select %[[IS2]], %[[TWO]], %[[E0]]
// CHECK: %[[JOINED:.*]] = arith.addf %{{.*}}, %[[S]] : tensor<256xf32>
// CHECK: arith.select %{{.*}}, %[[S]], %[[JOINED]]
nv_tileaa.func @scan(%a: !nv_tileaa.ptr<f32>, %b: !nv_tileaa.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 4>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %tx = nv_tileaa.tiled_load %a[%zero] sizes [%n] strides [%one] {bounds = array<i1: true>} : !nv_tileaa.ptr<f32> -> tensor<1024xf32>
  %s = nv_tileaa.scan (%x) {dim = 0 : i64} : (tensor<1024xf32>) -> tensor<1024xf32> (%acc: f32, %e: f32) {
    %t = arith.addf %acc, %e : f32
    nv_tileaa.yield %t : f32
  }
  %u = nv_tileaa.tiled_store %s, %b[%zero] sizes [%n] strides [%one] {bounds = array<i1: true>} : tensor<1024xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// Backwards the last CTA is the first.
// CHECK-LABEL: @backwards(
// CHECK-SAME: num_ctas = 2
// CHECK: %[[S:.*]] = nv_tileaa.scan {{.*}}reverse{{.*}} -> tensor<512xf32>
// CHECK: %[[C1:.*]] = arith.constant 1 : i32
// CHECK: nv_tileaa.extract %{{.*}}[%[[C1]]]
// CHECK: %[[LAST:.*]] = arith.constant 1 : i32
// CHECK: %[[IS:.*]] = arith.cmpi eq, %{{.*}}, %[[LAST]]
// CHECK: arith.select %[[IS]], %[[S]]
nv_tileaa.func @backwards(%a: !nv_tileaa.ptr<f32>, %b: !nv_tileaa.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 2>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %tx = nv_tileaa.tiled_load %a[%zero] sizes [%n] strides [%one] {bounds = array<i1: true>} : !nv_tileaa.ptr<f32> -> tensor<1024xf32>
  %s = nv_tileaa.scan (%x) {dim = 0 : i64, reverse} : (tensor<1024xf32>) -> tensor<1024xf32> (%acc: f32, %e: f32) {
    %t = arith.addf %acc, %e : f32
    nv_tileaa.yield %t : f32
  }
  %u = nv_tileaa.tiled_store %s, %b[%zero] sizes [%n] strides [%one] {bounds = array<i1: true>} : tensor<1024xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// What an atomic operation gives that happens once is for all.
// CHECK-LABEL: @ticket(
// CHECK-SAME: num_ctas = 2
// CHECK: %[[OLD:.*]]:2 = scf.if
// CHECK: nv_tileaa.atomic_rmw
// CHECK: %[[ONE:.*]] = nv_tileaa.splat %[[OLD]]#0 : i32 -> tensor<1xi32>
// CHECK: %[[ALL:.*]] = nv_tileaa.all_gather %[[ONE]] dim 0 : tensor<1xi32> -> tensor<2xi32>
// CHECK: %[[FIRST:.*]] = nv_tileaa.extract %[[ALL]]
// CHECK: %[[TICKET:.*]] = nv_tileaa.unsplat %[[FIRST]]
// CHECK: nv_tileaa.splat %[[TICKET]] : i32 -> tensor<32x64xi32>
nv_tileaa.func @ticket(%p: !nv_tileaa.ptr<i32>, %b: !nv_tileaa.ptr<i32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 2>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c1 = arith.constant 1 : i32
  %old, %t = nv_tileaa.atomic_rmw add %p, %c1 {ordering = "relaxed", scope = "device"} : !nv_tileaa.ptr<i32>, i32 -> i32, !nv_tileaa.mem_token
  %x = nv_tileaa.splat %old : i32 -> tensor<64x64xi32>
  %v = nv_tileaa.tiled_store %x, %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xi32>, !nv_tileaa.ptr<i32>
  nv_tileaa.return
}

// -----

// What a load gives that is ordered against other threads is the same for all, too, and may be another thing the next time.
// CHECK-LABEL: @relaxed(
// CHECK-SAME: num_ctas = 2
// CHECK: scf.if
// CHECK: nv_tileaa.load
// CHECK: nv_tileaa.all_gather
nv_tileaa.func @relaxed(%p: !nv_tileaa.ptr<i32>, %b: !nv_tileaa.ptr<i32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 2>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %old, %t = nv_tileaa.load %p {ordering = "relaxed", scope = "device"} : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %x = nv_tileaa.splat %old : i32 -> tensor<64x64xi32>
  %v = nv_tileaa.tiled_store %x, %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xi32>, !nv_tileaa.ptr<i32>
  nv_tileaa.return
}

// -----

// What a loop carries in parts is gathered where the body needs all of it.
// CHECK-LABEL: @carried(
// CHECK-SAME: num_ctas = 4
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}) -> (tensor<16x64xf32>)
// CHECK: %[[ALL:.*]] = nv_tileaa.all_gather %[[X]] dim 0 : tensor<16x64xf32> -> tensor<64x64xf32>
// CHECK: nv_tileaa.permute
nv_tileaa.func @carried(%a: !nv_tileaa.ptr<f32>, %b: !nv_tileaa.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 4>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %tx = nv_tileaa.tiled_load %a[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileaa.ptr<f32> -> tensor<64x64xf32>
  %y = scf.for %i = %zero to %n step %one iter_args(%c = %x) -> (tensor<64x64xf32>) : i64 {
    %z = nv_tileaa.permute %c [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
    %e = arith.exp %c : tensor<64x64xf32>
    %e1 = arith.exp %e : tensor<64x64xf32>
    %e2 = arith.exp %e1 : tensor<64x64xf32>
    %e3 = arith.exp %e2 : tensor<64x64xf32>
    %e4 = arith.exp %e3 : tensor<64x64xf32>
    %e5 = arith.exp %e4 : tensor<64x64xf32>
    %e6 = arith.exp %e5 : tensor<64x64xf32>
    %e7 = arith.exp %e6 : tensor<64x64xf32>
    %e8 = arith.exp %e7 : tensor<64x64xf32>
    %e9 = arith.exp %e8 : tensor<64x64xf32>
    %w = arith.addf %z, %e9 : tensor<64x64xf32>
    scf.continue %w : tensor<64x64xf32>
  }
  %u = nv_tileaa.tiled_store %y, %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}
