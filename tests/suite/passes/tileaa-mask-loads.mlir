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

// -----

// An index is clamped to the rows that there are, and the mask says that it is one of them: the clamp says nothing more. The array has %n rows, and the
// program expects 16: one comparison with the smaller number serves. No promise about wrapping is left, since the index may be any number now.
// CHECK-LABEL: @clamped
// CHECK-NOT: arith.minsi
// CHECK-NOT: arith.maxsi
// CHECK: %w = arith.extsi %i
// CHECK: %[[LEAST:[0-9]+]] = arith.minui %n0, %{{.*}} : i64
// CHECK-NEXT: %[[LIMIT:[0-9]+]] = nv_tileaa.splat %[[LEAST]]
// CHECK-NEXT: %[[M:[0-9]+]] = arith.cmpi ult, %w, %[[LIMIT]] : tensor<16xi64>
// CHECK: %at = arith.muli %w, %s : tensor<16xi64>
// CHECK: nv_tileaa.load %q mask %[[M]]
nv_tileaa.func @clamped(%p0: !nv_tileaa.ptr<f32>, %n0: i64, %s0: i64, %i0: i32, %out0: !nv_tileaa.ptr<f32>) {
  %p = nv_tileaa.splat %p0 : !nv_tileaa.ptr<f32> -> tensor<16x!nv_tileaa.ptr<f32>>
  %n = nv_tileaa.splat %n0 : i64 -> tensor<16xi64>
  %s = nv_tileaa.splat %s0 : i64 -> tensor<16xi64>
  %i = nv_tileaa.splat %i0 : i32 -> tensor<16xi32>
  %out = nv_tileaa.splat %out0 : !nv_tileaa.ptr<f32> -> tensor<16x!nv_tileaa.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %none = arith.constant dense<0> : tensor<16xi32>
  %last = arith.constant dense<15> : tensor<16xi32>
  %rows = arith.constant dense<16> : tensor<16xi32>
  %a = arith.minsi %i, %last : tensor<16xi32>
  %b = arith.maxsi %a, %none : tensor<16xi32>
  %w = arith.extsi %b : tensor<16xi32> to tensor<16xi64>
  %inside = arith.cmpi ult, %w, %n : tensor<16xi64>
  %at = arith.muli %w, %s overflow<no_wrap> : tensor<16xi64>
  %q = nv_tileaa.addptr %p, %at : tensor<16x!nv_tileaa.ptr<f32>>, tensor<16xi64>
  %x, %t = nv_tileaa.load %q mask %inside : tensor<16xi1> other %zero : tensor<16xf32> : tensor<16x!nv_tileaa.ptr<f32>> -> tensor<16xf32>, !nv_tileaa.mem_token
  %valid = arith.cmpi ult, %i, %rows : tensor<16xi32>
  %y = arith.select %valid, %x, %zero : tensor<16xi1>, tensor<16xf32>
  %u = nv_tileaa.store %out, %y : tensor<16x!nv_tileaa.ptr<f32>>, tensor<16xf32> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// Sides that are tested one by one, and a size that is no constant. A store is as good as a load, and the rows of a tile have one index each.
// CHECK-LABEL: @sides
// CHECK-NOT: arith.minsi
// CHECK-NOT: arith.maxsi
// CHECK: nv_tileaa.store
nv_tileaa.func @sides(%p0: !nv_tileaa.ptr<f32>, %n0: i32, %i0: i32, %v0: f32) {
  %p = nv_tileaa.splat %p0 : !nv_tileaa.ptr<f32> -> tensor<16x8x!nv_tileaa.ptr<f32>>
  %i = nv_tileaa.splat %i0 : i32 -> tensor<16x1xi32>
  %n = nv_tileaa.splat %n0 : i32 -> tensor<16x1xi32>
  %v = nv_tileaa.splat %v0 : f32 -> tensor<16x8xf32>
  %none = arith.constant dense<0> : tensor<16x1xi32>
  %one = arith.constant 1 : i32
  %last0 = arith.subi %n0, %one : i32
  %last = nv_tileaa.splat %last0 : i32 -> tensor<16x1xi32>
  %a = arith.maxsi %i, %none : tensor<16x1xi32>
  %b = arith.minsi %a, %last : tensor<16x1xi32>
  %w = nv_tileaa.broadcast %b : tensor<16x1xi32> -> tensor<16x8xi32>
  %q = nv_tileaa.addptr %p, %w : tensor<16x8x!nv_tileaa.ptr<f32>>, tensor<16x8xi32>
  %low = arith.cmpi sge, %i, %none : tensor<16x1xi32>
  %high = arith.cmpi slt, %i, %n : tensor<16x1xi32>
  %both = arith.andi %low, %high : tensor<16x1xi1>
  %m = nv_tileaa.broadcast %both : tensor<16x1xi1> -> tensor<16x8xi1>
  %t = nv_tileaa.store %q, %v mask %m : tensor<16x8xi1> : tensor<16x8x!nv_tileaa.ptr<f32>>, tensor<16x8xf32> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// What stays: a clamp to fewer rows than the mask has, one of another index, one whose result is stored as well, one by which a number is divided, and one
// to limits that are those of the columns, while the mask has those of the rows.
// CHECK-LABEL: @unchanged_clamps
// CHECK-COUNT-5: arith.minsi
// CHECK: nv_tileaa.return
nv_tileaa.func @unchanged_clamps(%p0: !nv_tileaa.ptr<i32>, %i0: i32, %j0: i32) {
  %p = nv_tileaa.splat %p0 : !nv_tileaa.ptr<i32> -> tensor<16x!nv_tileaa.ptr<i32>>
  %i = nv_tileaa.splat %i0 : i32 -> tensor<16xi32>
  %j = nv_tileaa.splat %j0 : i32 -> tensor<16xi32>
  %few = arith.constant dense<7> : tensor<16xi32>
  %last = arith.constant dense<15> : tensor<16xi32>
  %rows = arith.constant dense<16> : tensor<16xi32>
  %valid = arith.cmpi ult, %i, %rows : tensor<16xi32>
  %a = arith.minsi %i, %few : tensor<16xi32>
  %qa = nv_tileaa.addptr %p, %a : tensor<16x!nv_tileaa.ptr<i32>>, tensor<16xi32>
  %ta = nv_tileaa.store %qa, %i mask %valid : tensor<16xi1> : tensor<16x!nv_tileaa.ptr<i32>>, tensor<16xi32> -> !nv_tileaa.mem_token
  %b = arith.minsi %j, %last : tensor<16xi32>
  %qb = nv_tileaa.addptr %p, %b : tensor<16x!nv_tileaa.ptr<i32>>, tensor<16xi32>
  %tb = nv_tileaa.store %qb, %i mask %valid : tensor<16xi1> : tensor<16x!nv_tileaa.ptr<i32>>, tensor<16xi32> -> !nv_tileaa.mem_token
  %c = arith.minsi %i, %last : tensor<16xi32>
  %qc = nv_tileaa.addptr %p, %c : tensor<16x!nv_tileaa.ptr<i32>>, tensor<16xi32>
  %tc = nv_tileaa.store %qc, %c mask %valid : tensor<16xi1> : tensor<16x!nv_tileaa.ptr<i32>>, tensor<16xi32> -> !nv_tileaa.mem_token
  %d = arith.minsi %i, %last : tensor<16xi32>
  %e = arith.divsi %j, %d : tensor<16xi32>
  %qe = nv_tileaa.addptr %p, %e : tensor<16x!nv_tileaa.ptr<i32>>, tensor<16xi32>
  %te = nv_tileaa.store %qe, %i mask %valid : tensor<16xi1> : tensor<16x!nv_tileaa.ptr<i32>>, tensor<16xi32> -> !nv_tileaa.mem_token
  %limit = nv_tileaa.make_range : tensor<16xi32>
  %one = arith.constant dense<1> : tensor<16xi32>
  %less = arith.subi %limit, %one : tensor<16xi32>
  %byRow0 = nv_tileaa.reshape %limit : tensor<16xi32> -> tensor<16x1xi32>
  %byRow = nv_tileaa.broadcast %byRow0 : tensor<16x1xi32> -> tensor<16x16xi32>
  %byColumn0 = nv_tileaa.reshape %less : tensor<16xi32> -> tensor<1x16xi32>
  %byColumn = nv_tileaa.broadcast %byColumn0 : tensor<1x16xi32> -> tensor<16x16xi32>
  %k = nv_tileaa.splat %i0 : i32 -> tensor<16x16xi32>
  %row = arith.cmpi slt, %k, %byRow : tensor<16x16xi32>
  %g = arith.minsi %k, %byColumn : tensor<16x16xi32>
  %p2 = nv_tileaa.splat %p0 : !nv_tileaa.ptr<i32> -> tensor<16x16x!nv_tileaa.ptr<i32>>
  %qg = nv_tileaa.addptr %p2, %g : tensor<16x16x!nv_tileaa.ptr<i32>>, tensor<16x16xi32>
  %tg = nv_tileaa.store %qg, %k mask %row : tensor<16x16xi1> : tensor<16x16x!nv_tileaa.ptr<i32>>, tensor<16x16xi32> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// A bound that is clamped itself, by what the mask says of it.
// CHECK-LABEL: @bounds
// CHECK-NOT: arith.minsi
// CHECK: nv_tileaa.return
nv_tileaa.func @bounds(%p0: !nv_tileaa.ptr<i32>, %i0: i32, %n0: i32) {
  %p = nv_tileaa.splat %p0 : !nv_tileaa.ptr<i32> -> tensor<16x!nv_tileaa.ptr<i32>>
  %i = nv_tileaa.splat %i0 : i32 -> tensor<16xi32>
  %n = nv_tileaa.splat %n0 : i32 -> tensor<16xi32>
  %most = arith.constant dense<9> : tensor<16xi32>
  %some = arith.constant dense<10> : tensor<16xi32>
  %few = arith.cmpi slt, %n, %some : tensor<16xi32>
  %size = arith.minsi %n, %most : tensor<16xi32>
  %inside = arith.cmpi slt, %i, %size : tensor<16xi32>
  %m = arith.andi %few, %inside : tensor<16xi1>
  %at = arith.minsi %i, %size : tensor<16xi32>
  %q = nv_tileaa.addptr %p, %at : tensor<16x!nv_tileaa.ptr<i32>>, tensor<16xi32>
  %t = nv_tileaa.store %q, %i mask %m : tensor<16xi1> : tensor<16x!nv_tileaa.ptr<i32>>, tensor<16xi32> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
