// RUN: tile-opt %s --split-input-file --make-exact | FileCheck %s
// RUN: tile-opt %s --split-input-file --lower-to=ptx --gpu-name=sm_90 --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=DEFAULT

// Nobody's results change unless he asks for it.
// DEFAULT-NOT: make-exact

// A function becomes a hash of the value: of -0 that of 0, of each NaN the same. Outside of loops it is up to 8.
// CHECK-LABEL: entry @function
// CHECK-NOT: exp
// CHECK: %[[NAN:.*]] = cmpf not_equal unordered %[[V:.*]], %[[V]]
// CHECK: %[[Z:.*]] = addf %[[V]], %
// CHECK: %[[B:.*]] = bitcast %[[Z]] : tile<8xf32> -> tile<8xi32>
// CHECK: select %[[NAN]], %{{.*}}, %[[B]]
// CHECK: muli
// CHECK: %[[N:.*]] = constant <i32: 28>
// CHECK-NEXT: shri %{{.*}}, %[[N]] signed
// CHECK: itof %{{.*}} signed : tile<8xi32> -> tile<8xf32>
// CHECK: store_ptr_tko
entry @function(%p: tile<ptr<f32>>) {
  %i = iota : tile<8xi32>
  %r = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
  %b = broadcast %r : tile<1xptr<f32>> -> tile<8xptr<f32>>
  %a = offset %b, %i : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>
  %v, %t = load_ptr_tko weak %a : tile<8xptr<f32>> -> tile<8xf32>, token
  %e = exp %v : tile<8xf32>
  %t2 = store_ptr_tko weak %a, %e token = %t : tile<8xptr<f32>>, tile<8xf32> -> token
  return
}

// -----

// A constant that is no small integer becomes one; infinities stay.
// CHECK-LABEL: entry @constants
// CHECK: constant <f32: {{[23]}}.000000e+00>
// CHECK: constant <f32: -{{[23]}}.000000e+00>
// CHECK: constant <f32: 0xFF800000>
// CHECK-NOT: assert
entry @constants(%p: tile<ptr<f32>>, %n: tile<i32>) {
  %a = constant <f32: 1.442695> : tile<f32>
  %b = constant <f32: -1.0e9> : tile<f32>
  %c = constant <f32: 0xFF800000> : tile<f32>
  %s = addf %a, %b : tile<f32>
  %m = maxf %s, %c : tile<f32>
  %t = store_ptr_tko weak %p, %m : tile<ptr<f32>>, tile<f32> -> token
  %k = constant <i32: 3> : tile<i32>
  %o = cmpi less_than %n, %k, signed : tile<i32> -> tile<i1>
  assert %o, "n is less than 3" : tile<i1>
  return
}

// -----

// An accumulator of f32 stays in its loop: a product with a hash of -1 or 1 does not let it grow, and 256 sums of 32
// products are far below 2^24. It is hashed before it is rounded to f16, which has the integers up to 2,048.
// CHECK-LABEL: entry @accumulator
// CHECK: %[[FOR:.*]] = for
// CHECK: constant <i32: 31>
// CHECK: %[[SCALED:.*]] = mulf %{{.*}}, %{{.*}} : tile<32x32xf32>
// CHECK-NEXT: %[[ACC:.*]] = mmaf %{{.*}}, %{{.*}}, %[[SCALED]]
// CHECK-NEXT: continue %[[ACC]]
// CHECK: cmpf not_equal unordered %[[FOR]], %[[FOR]]
// CHECK: %[[H:.*]] = itof
// CHECK-NEXT: ftof %[[H]] : tile<32x32xf32> -> tile<32x32xf16>
entry @accumulator(%p: tile<ptr<f16>>, %q: tile<ptr<f16>>, %x: tile<f32>, %n: tile<i32>) {
  %i = iota : tile<1024xi32>
  %i2 = reshape %i : tile<1024xi32> -> tile<32x32xi32>
  %pr = reshape %p : tile<ptr<f16>> -> tile<1x1xptr<f16>>
  %pb = broadcast %pr : tile<1x1xptr<f16>> -> tile<32x32xptr<f16>>
  %pa = offset %pb, %i2 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
  %v, %t = load_ptr_tko weak %pa : tile<32x32xptr<f16>> -> tile<32x32xf16>, token
  %xr = reshape %x : tile<f32> -> tile<1x1xf32>
  %xb = broadcast %xr : tile<1x1xf32> -> tile<32x32xf32>
  %zero = constant <f32: 0.0> : tile<32x32xf32>
  %c0 = constant <i32: 0> : tile<i32>
  %c1 = constant <i32: 1> : tile<i32>
  %sum = for %k in (%c0 to %n, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<32x32xf32>) {
    %e = exp2 %xb : tile<32x32xf32>
    %scaled = mulf %acc, %e : tile<32x32xf32>
    %next = mmaf %v, %v, %scaled : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
    continue %next : tile<32x32xf32>
  }
  %h = ftof %sum : tile<32x32xf32> -> tile<32x32xf16>
  %qr = reshape %q : tile<ptr<f16>> -> tile<1x1xptr<f16>>
  %qb = broadcast %qr : tile<1x1xptr<f16>> -> tile<32x32xptr<f16>>
  %qa = offset %qb, %i2 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
  %t2 = store_ptr_tko weak %qa, %h : tile<32x32xptr<f16>>, tile<32x32xf16> -> token
  return
}

// -----

// A value that a loop squares is hashed where it enters the next iteration.
// CHECK-LABEL: entry @square
// CHECK: for
// CHECK-NEXT: %[[S:.*]] = mulf %[[A:.*]], %[[A]] : tile<f32>
// CHECK-NEXT: cmpf not_equal unordered %[[S]], %[[S]]
// CHECK: %[[H:.*]] = itof
// CHECK-NEXT: continue %[[H]]
entry @square(%p: tile<ptr<f32>>, %x: tile<f32>, %n: tile<i32>) {
  %c0 = constant <i32: 0> : tile<i32>
  %c1 = constant <i32: 1> : tile<i32>
  %r = for %k in (%c0 to %n, step %c1) : tile<i32> iter_values(%a = %x) -> (tile<f32>) {
    %s = mulf %a, %a : tile<f32>
    continue %s : tile<f32>
  }
  %t = store_ptr_tko weak %p, %r : tile<ptr<f32>>, tile<f32> -> token
  return
}

// -----

// What CTAs add to memory that they have loaded is not hashed: they may do so in any order.
// CHECK-LABEL: entry @unchanged_adds
entry @unchanged_adds(%p: tile<ptr<f32>>, %x: tile<f32>) {
  %v, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
  %s = addf %v, %x : tile<f32>
  %t2 = store_ptr_tko weak %p, %s token = %t : tile<ptr<f32>>, tile<f32> -> token
  return
}

// -----

// CHECK-LABEL: entry @unchanged_integers
entry @unchanged_integers(%p: tile<ptr<i32>>, %n: tile<i32>) {
  %s = addi %n, %n : tile<i32>
  %t = store_ptr_tko weak %p, %s : tile<ptr<i32>>, tile<i32> -> token
  return
}
