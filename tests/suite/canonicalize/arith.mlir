// RUN: tile-opt %s --canonicalize --allow-unregistered-dialect | FileCheck %s

// What folding makes of operations on constants; that it computes right is tested exhaustively in the package. The values are kept alive by an
// operation of which nothing is known.

// CHECK-LABEL: @integers
// CHECK-DAG: %[[SUM:.*]] = arith.constant 12 : i32
// CHECK-DAG: %[[FLOOR:.*]] = arith.constant -2 : i32
// CHECK-DAG: %[[BYTE:.*]] = arith.constant -128 : i8
// CHECK-DAG: %[[DIV0:.*]] = arith.divsi
// CHECK-DAG: %[[WIDE:.*]] = arith.shli
// CHECK: "t.use"(%[[SUM]], %[[FLOOR]], %[[BYTE]], %[[DIV0]], %[[WIDE]])
nv_tileaa.func @integers() {
  %a = arith.constant 5 : i32
  %b = arith.constant 7 : i32
  %minus = arith.constant -3 : i32
  %two = arith.constant 2 : i32
  %zero = arith.constant 0 : i32
  %many = arith.constant 32 : i32
  %max = arith.constant 127 : i8
  %one = arith.constant 1 : i8
  %sum = arith.addi %a, %b : i32
  %floor = arith.floordivsi %minus, %two : i32
  // Integers wrap.
  %byte = arith.addi %max, %one : i8
  // What has no meaning is left as it is.
  %div0 = arith.divsi %a, %zero : i32
  %wide = arith.shli %a, %many : i32
  "t.use"(%sum, %floor, %byte, %div0, %wide) : (i32, i32, i8, i32, i32) -> ()
  nv_tileaa.return
}

// CHECK-LABEL: @identities
// CHECK-SAME: (%[[X:.*]]: i32, %[[C:.*]]: i1, %[[P:.*]]: !nv_tileaa.ptr<f32>)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[TRUE:.*]] = arith.constant true
// CHECK: "t.use"(%[[X]], %[[X]], %[[ZERO]], %[[X]], %[[ZERO]], %[[TRUE]], %[[X]], %[[C]], %[[P]])
nv_tileaa.func @identities(%x: i32, %c: i1, %p: !nv_tileaa.ptr<f32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %false = arith.constant false
  // The constant goes to the right first.
  %sum = arith.addi %zero, %x : i32
  %product = arith.muli %one, %x : i32
  %none = arith.andi %zero, %x : i32
  %quotient = arith.floordivsi %x, %one : i32
  %nothing = arith.subi %x, %x : i32
  %same = arith.cmpi ule, %x, %x : i32
  %chosen = arith.select %true, %x, %zero : i1, i32
  %truth = arith.select %c, %true, %false : i1, i1
  %either = arith.select %c, %p, %p : i1, !nv_tileaa.ptr<f32>
  "t.use"(%sum, %product, %none, %quotient, %nothing, %same, %chosen, %truth, %either) : (i32, i32, i32, i32, i32, i1, i32, i1, !nv_tileaa.ptr<f32>) -> ()
  nv_tileaa.return
}

// Products by constants are one product. A promise that both have stays true of it, unless the constant that takes their place is past the largest number with a sign: -1 * 16 * 8 is an i8, and -1 * -128 is none.
// CHECK-LABEL: @products
// CHECK-DAG: %[[SIX:.*]] = arith.constant 6 : i8
// CHECK-DAG: %[[LEAST:.*]] = arith.constant -128 : i8
// CHECK-DAG: %[[P:.*]] = arith.muli %x, %[[SIX]] overflow<no_signed_wrap> : i8
// CHECK-DAG: %[[Q:.*]] = arith.muli %x, %[[SIX]] : i8
// CHECK-DAG: %[[R:.*]] = arith.muli %x, %[[LEAST]] : i8
// CHECK: "t.use"(%[[P]], %[[Q]], %[[R]])
nv_tileaa.func @products(%x: i8) {
  %two = arith.constant 2 : i8
  %three = arith.constant 3 : i8
  %eight = arith.constant 8 : i8
  %sixteen = arith.constant 16 : i8
  %p0 = arith.muli %x, %two overflow<no_signed_wrap> : i8
  %p = arith.muli %p0, %three overflow<no_signed_wrap> : i8
  %q0 = arith.muli %x, %two : i8
  %q = arith.muli %q0, %three overflow<no_signed_wrap> : i8
  %r0 = arith.muli %x, %sixteen overflow<no_signed_wrap> : i8
  %r = arith.muli %r0, %eight overflow<no_signed_wrap> : i8
  "t.use"(%p, %q, %r) : (i8, i8, i8) -> ()
  nv_tileaa.return
}

// The signed value of a true i1 is -1.
// CHECK-LABEL: @truth
// CHECK-DAG: %[[TRUE:.*]] = arith.constant true
// CHECK-DAG: %[[FALSE:.*]] = arith.constant false
// CHECK-DAG: %[[ALL:.*]] = arith.constant -1 : i8
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i8
// CHECK: "t.use"(%[[TRUE]], %[[FALSE]], %[[ALL]], %[[ONE]])
nv_tileaa.func @truth() {
  %true = arith.constant true
  %false = arith.constant false
  %slt = arith.cmpi slt, %true, %false : i1
  %ult = arith.cmpi ult, %true, %false : i1
  %signed = arith.extsi %true : i1 to i8
  %unsigned = arith.extui %true : i1 to i8
  "t.use"(%slt, %ult, %signed, %unsigned) : (i1, i1, i8, i8) -> ()
  nv_tileaa.return
}

// CHECK-LABEL: @floats
// CHECK-DAG: %[[UP:.*]] = arith.constant 1.00000012 : f32
// CHECK-DAG: %[[EVEN:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG: %[[FLUSHED:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG: %[[HALF:.*]] = arith.constant 1.000000e+00 : f16
// CHECK-DAG: %[[CLAMPED:.*]] = arith.constant 127 : i8
// CHECK-DAG: %[[APPROX:.*]] = arith.divf {{.*}} rounding<approx>
// CHECK-DAG: %[[EXP:.*]] = arith.exp
// CHECK-DAG: %[[OUTSIDE:.*]] = arith.fptosi
// CHECK: "t.use"(%[[UP]], %[[EVEN]], %[[FLUSHED]], %[[HALF]], %[[CLAMPED]], %[[APPROX]], %[[EXP]], %[[OUTSIDE]])
nv_tileaa.func @floats() {
  %one = arith.constant 1.0 : f32
  %tiny = arith.constant 1.0e-20 : f32
  %small = arith.constant 0x00800000 : f32
  %half = arith.constant 0.5 : f32
  %large = arith.constant 1.0e+9 : f32
  %up = arith.addf %one, %tiny rounding<positive_inf> : f32
  %even = arith.addf %one, %tiny : f32
  %flushed = arith.mulf %small, %half ftz : f32
  %f16 = arith.ftof %one : f32 to f16
  %clamped = arith.fptosi %large saturating : f32 to i8
  %approx = arith.divf %one, %half rounding<approx> : f32
  %exp = arith.exp %one : f32
  %outside = arith.fptosi %large : f32 to i8
  "t.use"(%up, %even, %flushed, %f16, %clamped, %approx, %exp, %outside) : (f32, f32, f32, f16, i8, f32, f32, i8) -> ()
  nv_tileaa.return
}

// CHECK-LABEL: @tensors
// CHECK-DAG: %[[SUM:.*]] = arith.constant dense<3> : tensor<4xi32>
// CHECK-DAG: %[[LISTED:.*]] = arith.addi
// CHECK: "t.use"(%[[SUM]], %[[LISTED]])
nv_tileaa.func @tensors() {
  %one = arith.constant dense<1> : tensor<4xi32>
  %two = arith.constant dense<2> : tensor<4xi32>
  %list = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %sum = arith.addi %one, %two : tensor<4xi32>
  %listed = arith.addi %list, %one : tensor<4xi32>
  "t.use"(%sum, %listed) : (tensor<4xi32>, tensor<4xi32>) -> ()
  nv_tileaa.return
}

// A sign goes into the constant, a product with 1 goes where arithmetic uses it, and stays where its bits are stored.
// CHECK-LABEL: @float_products
// CHECK-SAME: (%x: f32, %y: f32
// CHECK: %[[M:.*]] = arith.constant -3.0
// CHECK: %[[P:.*]] = arith.mulf %x, %[[M]] : f32
// CHECK: %[[S:.*]] = arith.addf %y, %[[P]] : f32
// CHECK: %[[KEPT:.*]] = arith.mulf %y, %{{.*}} : f32
// CHECK: "t.use"(%[[S]], %[[KEPT]])
nv_tileaa.func @float_products(%x: f32, %y: f32) {
  %c = arith.constant 3.0 : f32
  %one = arith.constant 1.0 : f32
  %n = arith.negf %x : f32
  %p = arith.mulf %n, %c : f32
  %q = arith.mulf %y, %one : f32
  %s = arith.addf %q, %p : f32
  %kept = arith.mulf %y, %one : f32
  "t.use"(%s, %kept) : (f32, f32) -> ()
  nv_tileaa.return
}

// The remainder of a floor division by 2^k is a mask, also of a negative number. By another number it stays.
// CHECK-LABEL: @floor_remainder
// CHECK: %[[R:.*]] = arith.andi %x, %c7 : i32
// CHECK: arith.remsi
// CHECK: %[[T:.*]] = arith.select
// CHECK: %[[M:.*]] = arith.andi %x, %{{.*}} : i32
// CHECK: "t.use"(%[[R]], %[[T]], %[[M]])
nv_tileaa.func @floor_remainder(%x: i32) {
  %c0 = arith.constant 0 : i32
  %c7 = arith.constant 7 : i32
  %c8 = arith.constant 8 : i32
  %c24 = arith.constant 24 : i32
  %c9 = arith.constant 9 : i32
  %r = arith.remsi %x, %c8 : i32
  %less = arith.cmpi slt, %r, %c0 : i32
  %other = arith.cmpi ne, %r, %c0 : i32
  %both = arith.andi %less, %other : i1
  %up = arith.addi %r, %c8 : i32
  %mod = arith.select %both, %up, %r : i1, i32
  %r7 = arith.remsi %x, %c7 : i32
  %less7 = arith.cmpi slt, %r7, %c0 : i32
  %up7 = arith.addi %r7, %c7 : i32
  %mod7 = arith.select %less7, %up7, %r7 : i1, i32
  %a = arith.andi %x, %c24 : i32
  %m = arith.andi %a, %c9 : i32
  "t.use"(%mod, %mod7, %m) : (i32, i32, i32) -> ()
  nv_tileaa.return
}

// What a mask does not keep need not be added. 12 reaches bit 2.
// CHECK-LABEL: @mask_of_multiple
// CHECK: %[[A:.*]] = arith.andi %x, %c7 : i32
// CHECK: %[[S:.*]] = arith.addi
// CHECK: %[[B:.*]] = arith.andi %[[S]], %c7 : i32
// CHECK: "t.use"(%[[A]], %[[B]])
nv_tileaa.func @mask_of_multiple(%x: i32, %y: i32) {
  %c4 = arith.constant 4 : i32
  %c7 = arith.constant 7 : i32
  %c12 = arith.constant 12 : i32
  %c256 = arith.constant 256 : i32
  %m = arith.muli %y, %c256 : i32
  %k = arith.shli %y, %c4 : i32
  %s = arith.addi %m, %x : i32
  %t = arith.addi %s, %k : i32
  %a = arith.andi %t, %c7 : i32
  %u = arith.addi %x, %c12 : i32
  %b = arith.andi %u, %c7 : i32
  "t.use"(%a, %b) : (i32, i32) -> ()
  nv_tileaa.return
}

// What was extended is compared before that, as far as both sides allow.
// CHECK-LABEL: @compare_extended
// CHECK: %[[A:.*]] = arith.cmpi ult, %x, %y : i32
// CHECK: %[[B:.*]] = arith.cmpi ult, %x, %y : i32
// CHECK: %[[C:.*]] = arith.cmpi ne, %x, %{{.*}} : i32
// CHECK: %[[D:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : i64
// CHECK: %[[E:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : i64
// CHECK: "t.use"(%[[A]], %[[B]], %[[C]], %[[D]], %[[E]])
nv_tileaa.func @compare_extended(%x: i32, %y: i32) {
  %c0 = arith.constant 0 : i64
  %big = arith.constant 4294967296 : i64
  %sx = arith.extsi %x : i32 to i64
  %sy = arith.extsi %y : i32 to i64
  %ux = arith.extui %x : i32 to i64
  %uy = arith.extui %y : i32 to i64
  %a = arith.cmpi ult, %sx, %sy : i64
  %b = arith.cmpi slt, %ux, %uy : i64
  %c = arith.cmpi ult, %c0, %sx : i64
  %d = arith.cmpi slt, %sx, %uy : i64
  %e = arith.cmpi slt, %sx, %big : i64
  "t.use"(%a, %b, %c, %d, %e) : (i1, i1, i1, i1, i1) -> ()
  nv_tileaa.return
}

// A negative number is a large one without sign, so that one comparison tests both ends, also further up a chain. Not
// if the upper end is negative or unknown, or another number is tested.
// CHECK-LABEL: @range_test
// CHECK: %[[A:.*]] = arith.cmpi ult, %x, %c8 : i32
// CHECK: %[[Y:.*]] = arith.cmpi ule, %y, %c8 : i32
// CHECK: %[[B:.*]] = arith.andi %[[A]], %[[Y]] : i1
// CHECK: %[[C:.*]] = arith.andi %{{.*}}, %{{.*}} : i1
// CHECK: %[[D:.*]] = arith.andi %{{.*}}, %{{.*}} : i1
// CHECK: %[[E:.*]] = arith.andi %{{.*}}, %{{.*}} : i1
// CHECK: "t.use"(%[[A]], %[[B]], %[[C]], %[[D]], %[[E]])
nv_tileaa.func @range_test(%x: i32, %y: i32) {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %neg = arith.constant -8 : i32
  %from_x = arith.cmpi sge, %x, %c0 : i32
  %to_x = arith.cmpi slt, %x, %c8 : i32
  %a = arith.andi %from_x, %to_x : i1
  %from_y = arith.cmpi sge, %y, %c0 : i32
  %half = arith.andi %a, %from_y : i1
  %to_y = arith.cmpi sle, %y, %c8 : i32
  %b = arith.andi %to_y, %half : i1
  %to_neg = arith.cmpi slt, %x, %neg : i32
  %c = arith.andi %from_x, %to_neg : i1
  %to_any = arith.cmpi slt, %x, %y : i32
  %d = arith.andi %from_x, %to_any : i1
  %e = arith.andi %from_y, %to_x : i1
  "t.use"(%a, %b, %c, %d, %e) : (i1, i1, i1, i1, i1) -> ()
  nv_tileaa.return
}

// A bound that is 0 where a condition does not hold is no choice: what is compared with it is below the bound, and the
// condition holds. A bound that something else reads is needed anyway.
// CHECK-LABEL: @choices
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %x, %n : i32
// CHECK: %[[BOTH:.*]] = arith.andi %[[INSIDE]], %c : i1
// CHECK: %[[CUT:.*]] = arith.trunci %m : i64 to i32
// CHECK: %[[BELOW:.*]] = arith.cmpi ult, %x, %[[CUT]] : i32
// CHECK: %[[TOO:.*]] = arith.andi %[[BELOW]], %c : i1
// CHECK: %[[KEPT:.*]] = arith.select %c
// CHECK: %[[TEST:.*]] = arith.cmpi ult, %x, %[[KEPT]] : i32
// CHECK: "t.use"(%[[BOTH]], %[[TOO]], %[[TEST]], %[[KEPT]])
nv_tileaa.func @choices(%c: i1, %x: i32, %n: i32, %m: i64) {
  %0 = arith.constant 0 : i32
  %wide = arith.constant 0 : i64
  %bound = arith.select %c, %n, %0 : i1, i32
  %inside = arith.cmpi ult, %x, %bound : i32
  %far = arith.select %c, %m, %wide : i1, i64
  %cut = arith.trunci %far : i64 to i32
  %below = arith.cmpi ult, %x, %cut : i32
  %kept = arith.select %c, %n, %0 : i1, i32
  %test = arith.cmpi ult, %x, %kept : i32
  "t.use"(%inside, %below, %test, %kept) : (i1, i1, i1, i32) -> ()
  nv_tileaa.return
}

// A field is taken from where its bits come from. Bits that repeat the sign, that a mask leaves out, or that are shifted
// in stay as they are.
// CHECK-LABEL: @fields
// CHECK: %[[X:.*]] = "t.any"
// CHECK: %[[CUT:.*]] = arith.andi %[[X]]
// CHECK: %[[KEPT:.*]] = arith.andi %[[X]]
// CHECK: %[[TEST:.*]] = arith.cmpi eq, %[[KEPT]]
// CHECK: %[[SHIFTED:.*]] = arith.shrui %[[X]]
// CHECK: %[[FIELD:.*]] = arith.andi %[[SHIFTED]]
// CHECK: %[[OTHER:.*]] = arith.cmpi ne, %[[FIELD]]
// CHECK: %[[SIGN:.*]] = arith.shrsi %[[X]]
// CHECK: %[[SIGNED:.*]] = arith.andi %[[SIGN]]
// CHECK: %[[CUTBY:.*]] = arith.shrui %[[CUT]]
// CHECK: %[[LESS:.*]] = arith.andi %[[CUTBY]]
// CHECK: %[[LEFT:.*]] = arith.muli %[[X]]
// CHECK: %[[LEFTBY:.*]] = arith.shrui %[[LEFT]]
// CHECK: %[[IN:.*]] = arith.andi %[[LEFTBY]]
// CHECK: "t.use"(%[[TEST]], %[[FIELD]], %[[OTHER]], %[[SIGNED]], %[[LESS]], %[[IN]])
nv_tileaa.func @fields() {
  %x = "t.any"() : () -> tensor<64xi32>
  %1 = arith.constant dense<1> : tensor<64xi32>
  %0 = arith.constant dense<0> : tensor<64xi32>
  %2 = arith.constant dense<2> : tensor<64xi32>
  %5 = arith.constant dense<5> : tensor<64xi32>
  %8 = arith.constant dense<8> : tensor<64xi32>
  %28 = arith.constant dense<28> : tensor<64xi32>
  %31 = arith.constant dense<31> : tensor<64xi32>
  %63 = arith.constant dense<63> : tensor<64xi32>
  // ((x & 63) * 8 >> 5) & 1 == 0 tests bit 2 of x.
  %first = arith.andi %x, %63 : tensor<64xi32>
  %times = arith.muli %first, %8 : tensor<64xi32>
  %by = arith.shrsi %times, %5 : tensor<64xi32>
  %bit = arith.andi %by, %1 : tensor<64xi32>
  %test = arith.cmpi eq, %bit, %0 : tensor<64xi32>
  // The field is used: a comparison of it, not of x.
  %by2 = arith.shrsi %first, %2 : tensor<64xi32>
  %field = arith.andi %by2, %1 : tensor<64xi32>
  %other = arith.cmpi ne, %field, %0 : tensor<64xi32>
  // Bits 28 to 32, of 32.
  %sign = arith.shrsi %x, %28 : tensor<64xi32>
  %signed = arith.andi %sign, %31 : tensor<64xi32>
  // Bits 2 to 6, of which bit 6 is masked.
  %by3 = arith.shrui %first, %2 : tensor<64xi32>
  %less = arith.andi %by3, %31 : tensor<64xi32>
  // Bits 2 to 6 of 8 * x, of which bit 2 is 0.
  %left = arith.muli %x, %8 : tensor<64xi32>
  %by4 = arith.shrui %left, %2 : tensor<64xi32>
  %in = arith.andi %by4, %31 : tensor<64xi32>
  "t.use"(%test, %field, %other, %signed, %less, %in) : (tensor<64xi1>, tensor<64xi32>, tensor<64xi1>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) -> ()
  nv_tileaa.return
}

// A choice by a condition within a choice by the same is known.
// CHECK-LABEL: @choice_of_choice
// CHECK-NEXT: %[[A:.*]] = arith.select %c, %x, %z : i1, f32
// CHECK-NEXT: %[[B:.*]] = arith.select %d, %x, %z : i1, f32
// CHECK-NEXT: %[[C:.*]] = arith.select %c, %[[B]], %y : i1, f32
// CHECK-NEXT: "t.use"(%[[A]], %[[C]])
nv_tileaa.func @choice_of_choice(%c: i1, %d: i1, %x: f32, %y: f32, %z: f32) {
  %inner = arith.select %c, %y, %z : i1, f32
  %a = arith.select %c, %x, %inner : i1, f32
  %b = arith.select %d, %x, %z : i1, f32
  %other = arith.select %c, %b, %y : i1, f32
  "t.use"(%a, %other) : (f32, f32) -> ()
  nv_tileaa.return
}
