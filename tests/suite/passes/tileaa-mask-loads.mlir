// RUN: tile-opt %s --split-input-file --tileaa-mask-loads | FileCheck %s

// A convolution by a gather: outside of the image, what was loaded at the clamped index becomes zero. The condition goes into the mask, and the load
// comes after it.
// CHECK-LABEL: @window
// CHECK: %valid = arith.cmpi ult
// CHECK: %[[M:.*]] = arith.andi %m, %valid : tensor<16xi1>
// CHECK-NEXT: %x, %{{.*}} = nv_tileaa.load %p mask %[[M]]
// CHECK-NEXT: %h = arith.ftof %x
// CHECK-NEXT: nv_tileaa.store %{{.*}}, %h :
// CHECK-NOT: select
nv_tileaa.func @window(%p0: !nv_tileaa.ptr<f32>, %m0: i1, %i0: i32, %out0: !nv_tileaa.ptr<f16>) {
  %p = nv_tileaa.splat %p0 : !nv_tileaa.ptr<f32> -> tensor<16x!nv_tileaa.ptr<f32>>
  %m = nv_tileaa.splat %m0 : i1 -> tensor<16xi1>
  %i = nv_tileaa.splat %i0 : i32 -> tensor<16xi32>
  %out = nv_tileaa.splat %out0 : !nv_tileaa.ptr<f16> -> tensor<16x!nv_tileaa.ptr<f16>>
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %none = arith.constant dense<0.0> : tensor<16xf16>
  %n = arith.constant dense<8> : tensor<16xi32>
  %x, %t = nv_tileaa.load %p mask %m : tensor<16xi1> other %zero : tensor<16xf32> : tensor<16x!nv_tileaa.ptr<f32>> -> tensor<16xf32>, !nv_tileaa.mem_token
  %valid = arith.cmpi ult, %i, %n : tensor<16xi32>
  %h = arith.ftof %x : tensor<16xf32> to tensor<16xf16>
  %y = arith.select %valid, %h, %none : tensor<16xi1>, tensor<16xf16>
  %u = nv_tileaa.store %out, %y : tensor<16x!nv_tileaa.ptr<f16>>, tensor<16xf16> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// A load without a mask gets one.
// CHECK-LABEL: @unmasked
// CHECK: %[[Z:[0-9]+]] = arith.constant dense<0> : tensor<16xi32>
// CHECK-NEXT: nv_tileaa.load %p mask %c : tensor<16xi1> other %[[Z]] : tensor<16xi32>
// CHECK-NOT: select
nv_tileaa.func @unmasked(%p0: !nv_tileaa.ptr<i32>, %c0: i1, %out0: !nv_tileaa.ptr<i32>) {
  %p = nv_tileaa.splat %p0 : !nv_tileaa.ptr<i32> -> tensor<16x!nv_tileaa.ptr<i32>>
  %c = nv_tileaa.splat %c0 : i1 -> tensor<16xi1>
  %out = nv_tileaa.splat %out0 : !nv_tileaa.ptr<i32> -> tensor<16x!nv_tileaa.ptr<i32>>
  %none = arith.constant dense<0> : tensor<16xi32>
  %x, %t = nv_tileaa.load %p : tensor<16x!nv_tileaa.ptr<i32>> -> tensor<16xi32>, !nv_tileaa.mem_token
  %y = arith.select %c, %x, %none : tensor<16xi1>, tensor<16xi32>
  %u = nv_tileaa.store %out, %y : tensor<16x!nv_tileaa.ptr<i32>>, tensor<16xi32> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// What stays: runs of elements, other padding, other arms, tokens that are used, elements that are used elsewhere, conditions on floats or loads.
// CHECK-LABEL: @unchanged
// CHECK-COUNT-7: arith.select
nv_tileaa.func @unchanged(%p0: !nv_tileaa.ptr<f32>, %c0: i1, %out0: !nv_tileaa.ptr<f32>, %q0: !nv_tileaa.ptr<i1>) {
  %p = nv_tileaa.splat %p0 : !nv_tileaa.ptr<f32> -> tensor<16x!nv_tileaa.ptr<f32>>
  %c = nv_tileaa.splat %c0 : i1 -> tensor<16xi1>
  %out = nv_tileaa.splat %out0 : !nv_tileaa.ptr<f32> -> tensor<16x!nv_tileaa.ptr<f32>>
  %q = nv_tileaa.splat %q0 : !nv_tileaa.ptr<i1> -> tensor<16x!nv_tileaa.ptr<i1>>
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %one = arith.constant dense<1.0> : tensor<16xf32>
  %a, %ta = nv_tileaa.load %p mask %c : tensor<16xi1> other %zero : tensor<16xf32> {runs = array<i64: 4>} : tensor<16x!nv_tileaa.ptr<f32>> -> tensor<16xf32>, !nv_tileaa.mem_token
  %sa = arith.select %c, %a, %zero : tensor<16xi1>, tensor<16xf32>
  %b, %tb = nv_tileaa.load %p mask %c : tensor<16xi1> other %one : tensor<16xf32> : tensor<16x!nv_tileaa.ptr<f32>> -> tensor<16xf32>, !nv_tileaa.mem_token
  %sb = arith.select %c, %b, %zero : tensor<16xi1>, tensor<16xf32>
  %d, %td = nv_tileaa.load %p mask %c : tensor<16xi1> other %zero : tensor<16xf32> : tensor<16x!nv_tileaa.ptr<f32>> -> tensor<16xf32>, !nv_tileaa.mem_token
  %sd = arith.select %c, %d, %one : tensor<16xi1>, tensor<16xf32>
  %e, %te = nv_tileaa.load %p : tensor<16x!nv_tileaa.ptr<f32>> -> tensor<16xf32>, !nv_tileaa.mem_token
  %se = arith.select %c, %e, %zero : tensor<16xi1>, tensor<16xf32>
  %f, %tf = nv_tileaa.load %p : tensor<16x!nv_tileaa.ptr<f32>> -> tensor<16xf32>, !nv_tileaa.mem_token
  %sf = arith.select %c, %f, %zero : tensor<16xi1>, tensor<16xf32>
  %g, %tg = nv_tileaa.load %p : tensor<16x!nv_tileaa.ptr<f32>> -> tensor<16xf32>, !nv_tileaa.mem_token
  %positive = arith.cmpf ogt, %f, %zero : tensor<16xf32>
  %sg = arith.select %positive, %g, %zero : tensor<16xi1>, tensor<16xf32>
  %h, %th = nv_tileaa.load %p : tensor<16x!nv_tileaa.ptr<f32>> -> tensor<16xf32>, !nv_tileaa.mem_token
  %read, %tr = nv_tileaa.load %q : tensor<16x!nv_tileaa.ptr<i1>> -> tensor<16xi1>, !nv_tileaa.mem_token
  %sh = arith.select %read, %h, %zero : tensor<16xi1>, tensor<16xf32>
  %1 = arith.addf %sa, %sb : tensor<16xf32>
  %2 = arith.addf %sd, %se : tensor<16xf32>
  %3 = arith.addf %sf, %sg : tensor<16xf32>
  %4 = arith.addf %1, %2 : tensor<16xf32>
  %5 = arith.addf %3, %4 : tensor<16xf32>
  %6 = arith.addf %5, %sh : tensor<16xf32>
  %u = nv_tileaa.store %out, %6 token %te : !nv_tileaa.mem_token : tensor<16x!nv_tileaa.ptr<f32>>, tensor<16xf32> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
