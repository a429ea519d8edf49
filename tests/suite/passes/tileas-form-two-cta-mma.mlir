// RUN: tile-opt %s --split-input-file --tileas-form-two-cta-mma --gpu-name=sm_100 | FileCheck %s
// RUN: tile-opt %s --split-input-file --tileas-form-two-cta-mma --gpu-name=sm_100 --verify-diagnostics --remarks -o /dev/null
// RUN: tile-opt %s --split-input-file --tileas-form-two-cta-mma='pairs=false' --gpu-name=sm_100 | FileCheck %s --check-prefix=NONE
// RUN: tile-opt %s --split-input-file --tileas-form-two-cta-mma --gpu-name=sm_90 | FileCheck %s --check-prefix=NONE

// NONE-NOT: two_ctas

// CTAs have rows of their own, and the same factor, of which each loads half of the columns.
// CHECK-LABEL: nv_tileas.func @product(
// CHECK: %[[RANK:.*]] = nv_tileas.get_cta_rank : i32
// CHECK: %[[ODD:.*]] = arith.andi %[[RANK]], %{{.*}} : i32
// CHECK: %[[WIDE:.*]] = arith.extui %[[ODD]] : i32 to i64
// CHECK: %[[HALF:.*]] = arith.constant 32 : i64
// CHECK: %[[FIRST:.*]] = arith.muli %[[WIDE]], %[[HALF]] : i64
// CHECK: nv_tileas.tiled_load %p[{{.*}} -> tensor<128x64xf16>
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %[[FIRST]] : i64
// CHECK: nv_tileas.tiled_load %q[%{{.*}}, %[[AT]]] {{.*}} offset_div = array<i64: 64, 32>{{.*}} -> tensor<64x32xf16>
// CHECK: nv_tileas.dot %{{.*}} {two_ctas, mma = #nv_tileas.mma<tcgen05.mma.pair, m256n64k16, warps = [4, 1]>} : tensor<128x64xf16>, tensor<64x32xf16> -> tensor<128x64xf32>
#spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>
nv_tileas.func @product(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #spec} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %128 = arith.constant 128 : i64
  %rank = nv_tileas.get_cta_rank : i32
  %w = arith.extsi %rank : i32 to i64
  %row = arith.muli %w, %128 : i64
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %a, %t = nv_tileas.tiled_load %p[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<128x64xf16>
  %b, %u = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>, offset_div = array<i64: 64, 64>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  // expected-remark@+1 {{two-CTA MMA: #nv_tileas.mma<tcgen05.mma.pair, m256n64k16, warps = [4, 1]>}}
  %d = nv_tileas.dot %a, %b, %none : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
  %s = nv_tileas.tiled_store %d, %r[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// Through a permutation, half of the rows is loaded.
// CHECK-LABEL: nv_tileas.func @permuted(
// CHECK: nv_tileas.tiled_load %q[{{.*}} -> tensor<32x64xf16>
// CHECK: nv_tileas.permute %{{.*}} : tensor<32x64xf16> -> tensor<64x32xf16>
// CHECK: nv_tileas.dot {{.*}}two_ctas
#spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 4>
nv_tileas.func @permuted(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #spec} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %128 = arith.constant 128 : i64
  %rank = nv_tileas.get_cta_rank : i32
  %w = arith.extsi %rank : i32 to i64
  %row = arith.muli %w, %128 : i64
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %a, %t = nv_tileas.tiled_load %p[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<128x64xf16>
  %b, %u = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %e = nv_tileas.permute %b [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
  // expected-remark@+1 {{two-CTA MMA}}
  %d = nv_tileas.dot %a, %e, %none : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
  %s = nv_tileas.tiled_store %d, %r[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// Threads compute an operand. They would hand it to the MMA of both CTAs.
// CHECK-LABEL: nv_tileas.func @unchanged_converted(
// CHECK-NOT: two_ctas
// CHECK: nv_tileas.return
#spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 4>
nv_tileas.func @unchanged_converted(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #spec} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %128 = arith.constant 128 : i64
  %rank = nv_tileas.get_cta_rank : i32
  %w = arith.extsi %rank : i32 to i64
  %row = arith.muli %w, %128 : i64
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %a, %t = nv_tileas.tiled_load %p[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<128x64xf16>
  %b, %u = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %two = arith.constant 2.0 : f16
  %twos = nv_tileas.splat %two : f16 -> tensor<64x64xf16>
  %e = nv_tileas.permute %b [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
  %f = arith.mulf %e, %twos : tensor<64x64xf16>
  // expected-remark@+1 {{no two-CTA MMA: threads compute an operand}}
  %d = nv_tileas.dot %a, %f, %none : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
  %s = nv_tileas.tiled_store %d, %r[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// Threads compute an operand of another MMA. The first MMA alone could be one of two CTAs, but all of a kernel are alike.
// CHECK-LABEL: nv_tileas.func @unchanged_chain(
// CHECK-NOT: two_ctas
// CHECK: nv_tileas.return
#spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 4>
nv_tileas.func @unchanged_chain(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #spec} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %128 = arith.constant 128 : i64
  %rank = nv_tileas.get_cta_rank : i32
  %w = arith.extsi %rank : i32 to i64
  %row = arith.muli %w, %128 : i64
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %a, %t = nv_tileas.tiled_load %p[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<128x64xf16>
  %b, %u = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %d = nv_tileas.dot %a, %b, %none : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
  %h = arith.ftof %d : tensor<128x64xf32> to tensor<128x64xf16>
  // expected-remark@+1 {{no two-CTA MMA: threads compute an operand}}
  %f = nv_tileas.dot %h, %b, %none : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
  %s = nv_tileas.tiled_store %f, %r[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// Each CTA has a factor of its own.
// CHECK-LABEL: nv_tileas.func @unchanged_differs(
// CHECK-NOT: two_ctas
// CHECK: nv_tileas.return
#spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>
nv_tileas.func @unchanged_differs(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #spec} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %128 = arith.constant 128 : i64
  %rank = nv_tileas.get_cta_rank : i32
  %w = arith.extsi %rank : i32 to i64
  %row = arith.muli %w, %128 : i64
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %a, %t = nv_tileas.tiled_load %p[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<128x64xf16>
  %b, %u = nv_tileas.tiled_load %q[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>, offset_div = array<i64: 64, 64>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  // expected-remark@+1 {{no two-CTA MMA: the CTAs have different B operands}}
  %d = nv_tileas.dot %a, %b, %none : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
  %s = nv_tileas.tiled_store %d, %r[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// Something else takes the factor too.
// CHECK-LABEL: nv_tileas.func @unchanged_used(
// CHECK-NOT: two_ctas
// CHECK: nv_tileas.return
#spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>
nv_tileas.func @unchanged_used(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #spec} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %128 = arith.constant 128 : i64
  %rank = nv_tileas.get_cta_rank : i32
  %w = arith.extsi %rank : i32 to i64
  %row = arith.muli %w, %128 : i64
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %a, %t = nv_tileas.tiled_load %p[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<128x64xf16>
  %b, %u = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>, offset_div = array<i64: 64, 64>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %d = nv_tileas.dot %a, %b, %none : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
  %s = nv_tileas.tiled_store %d, %r[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x64xf32>, !nv_tileas.ptr<f32>
  // expected-remark@+1 {{no two-CTA MMA: it uses the entire operand of an MMA}}
  %v = nv_tileas.tiled_store %b, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf16>, !nv_tileas.ptr<f16>
  nv_tileas.return
}

// -----

// What is loaded in order with others may be something else in each CTA.
// CHECK-LABEL: nv_tileas.func @unchanged_ordered(
// CHECK-NOT: two_ctas
// CHECK: nv_tileas.return
#spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>
nv_tileas.func @unchanged_ordered(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #spec} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %128 = arith.constant 128 : i64
  %rank = nv_tileas.get_cta_rank : i32
  %w = arith.extsi %rank : i32 to i64
  %row = arith.muli %w, %128 : i64
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %a, %t = nv_tileas.tiled_load %p[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<128x64xf16>
  %b, %u = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {ordering = "relaxed", scope = "device", bounds = array<i1: true, true>, offset_div = array<i64: 64, 64>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  // expected-remark@+1 {{no two-CTA MMA: the CTAs have different B operands}}
  %d = nv_tileas.dot %a, %b, %none : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
  %s = nv_tileas.tiled_store %d, %r[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// All products of a kernel are of two CTAs or none is.
// CHECK-LABEL: nv_tileas.func @unchanged_one_of_two(
// CHECK-NOT: two_ctas
// CHECK: nv_tileas.return
#spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>
nv_tileas.func @unchanged_one_of_two(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #spec} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %128 = arith.constant 128 : i64
  %rank = nv_tileas.get_cta_rank : i32
  %w = arith.extsi %rank : i32 to i64
  %row = arith.muli %w, %128 : i64
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %a, %t = nv_tileas.tiled_load %p[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<128x64xf16>
  %b, %u = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>, offset_div = array<i64: 64, 64>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %b1, %u1 = nv_tileas.tiled_load %q[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %c = nv_tileas.dot %a, %b, %none : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
  // expected-remark@+1 {{no two-CTA MMA: the CTAs have different B operands}}
  %d = nv_tileas.dot %a, %b1, %c : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
  %s = nv_tileas.tiled_store %d, %r[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// One CTA does not come to the MMA.
// CHECK-LABEL: nv_tileas.func @unchanged_if(
// CHECK-NOT: two_ctas
// CHECK: nv_tileas.return
#spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>
nv_tileas.func @unchanged_if(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #spec} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %128 = arith.constant 128 : i64
  %rank = nv_tileas.get_cta_rank : i32
  %w = arith.extsi %rank : i32 to i64
  %row = arith.muli %w, %128 : i64
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %a, %t = nv_tileas.tiled_load %p[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<128x64xf16>
  %b, %u = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>, offset_div = array<i64: 64, 64>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %zero = arith.constant 0 : i32
  %first = arith.cmpi eq, %rank, %zero : i32
  scf.if %first {
    // expected-remark@+1 {{no two-CTA MMA: CTAs come to it through 'scf.if' in different numbers}}
    %d = nv_tileas.dot %a, %b, %none : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %s = nv_tileas.tiled_store %d, %r[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x64xf32>, !nv_tileas.ptr<f32>
    scf.yield
  }
  nv_tileas.return
}

// -----

// A factor that a loop carries is not looked into.
// CHECK-LABEL: nv_tileas.func @unchanged_carried(
// CHECK-NOT: two_ctas
// CHECK: nv_tileas.return
#spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>
nv_tileas.func @unchanged_carried(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #spec} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %128 = arith.constant 128 : i64
  %rank = nv_tileas.get_cta_rank : i32
  %w = arith.extsi %rank : i32 to i64
  %row = arith.muli %w, %128 : i64
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %a, %t = nv_tileas.tiled_load %p[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<128x64xf16>
  %b, %u = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>, offset_div = array<i64: 64, 64>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %s = scf.for %i = %z to %n step %one iter_args(%x = %b) -> (tensor<64x64xf16>) : i64 {
    // expected-remark@+1 {{no two-CTA MMA: B is passed through control flow}}
    %d = nv_tileas.dot %a, %x, %none : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %o = nv_tileas.tiled_store %d, %r[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x64xf32>, !nv_tileas.ptr<f32>
    %y = arith.addf %x, %x : tensor<64x64xf16>
    scf.continue %y : tensor<64x64xf16>
  }
  nv_tileas.return
}

// -----

// 64 rows of each CTA would be in other lanes.
// CHECK-LABEL: nv_tileas.func @unchanged_rows(
// CHECK-NOT: two_ctas
// CHECK: nv_tileas.return
#spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>
nv_tileas.func @unchanged_rows(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #spec} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %128 = arith.constant 128 : i64
  %rank = nv_tileas.get_cta_rank : i32
  %w = arith.extsi %rank : i32 to i64
  %row = arith.muli %w, %128 : i64
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %a, %t = nv_tileas.tiled_load %p[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<128x64xf16>
  %b, %u = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %e, %v = nv_tileas.tiled_load %p[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %no = arith.constant dense<0.0> : tensor<64x64xf32>
  // expected-remark@+1 {{no two-CTA MMA: each CTA has 64 rows of it, and the instruction of two has 128 of each}}
  %d = nv_tileas.dot %e, %b, %no : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %s = nv_tileas.tiled_store %d, %r[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// One CTA has nobody to multiply with.
// CHECK-LABEL: nv_tileas.func @unchanged_alone(
// CHECK-NOT: two_ctas
// CHECK: nv_tileas.return
#spec = #nv_tileaa.kernel_spec<num_warps = 4>
nv_tileas.func @unchanged_alone(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #spec} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %128 = arith.constant 128 : i64
  %w = arith.constant 3 : i64
  %row = arith.muli %w, %128 : i64
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %a, %t = nv_tileas.tiled_load %p[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<128x64xf16>
  %b, %u = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>, offset_div = array<i64: 64, 64>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %d = nv_tileas.dot %a, %b, %none : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
  %s = nv_tileas.tiled_store %d, %r[%row, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
