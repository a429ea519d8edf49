// RUN: tile-opt %s --canonicalize --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: @bits
// CHECK-SAME: (%[[I:.*]]: i32, %[[H:.*]]: f16, %[[G:.*]]: f16, %[[P:.*]]: !nvvm.ptr<1>)
// CHECK-NEXT: %[[LO:.*]], %[[HI:.*]] = nvvm.unpack %[[I]]
// CHECK-NEXT: %[[SWAPPED:.*]] = nvvm.pack %[[HI]], %[[LO]]
// CHECK-NEXT: "t.use"(%[[I]], %[[H]], %[[G]], %[[SWAPPED]], %[[P]])
nvvm.func @bits(%i: i32, %h: f16, %g: f16, %p: !nvvm.ptr<1>) {
  %lo, %hi = nvvm.unpack %i : i32 -> f16, f16
  %same = nvvm.pack %lo, %hi : f16, f16 -> i32
  %both = nvvm.pack %h, %g : f16, f16 -> i32
  %h0, %g0 = nvvm.unpack %both : i32 -> f16, f16
  %swapped = nvvm.pack %hi, %lo : f16, f16 -> i32
  %zero = arith.constant 0 : i64
  %q = nvvm.ptradd %p, %zero : !nvvm.ptr<1>, i64
  "t.use"(%same, %h0, %g0, %swapped, %q) : (i32, f16, f16, i32, !nvvm.ptr<1>) -> ()
  nvvm.return
}
