// RUN: tile-opt %s --split-input-file --nvvm-legalize-arith --gpu-name=sm_80 | FileCheck %s --check-prefixes=CHECK,OLD
// RUN: tile-opt %s --split-input-file --nvvm-legalize-arith --gpu-name=sm_90 | FileCheck %s --check-prefixes=CHECK,NEW

// If bf16 is not added atomically, a compare-and-swap stores the sum. The swap has the ordering; where the predicate does not hold, nothing is accessed.
// CHECK-LABEL: nvvm.func @sum
// NEW: nvvm.atom add
// NEW-NOT: nvvm.atom.cas
// OLD: %[[FIRST:.*]] = nvvm.ld %{{.*}} + 4 if %{{.*}} else %{{.*}} {ordering = "relaxed", scope = "gpu"} : {{.*}} -> i16
// OLD: cf.br ^[[HEAD:bb[0-9]+]](%[[FIRST]]
// OLD: ^[[HEAD]](%[[OLD:.*]]: i16, %[[PENDING:.*]]: i1):
// OLD: cf.cond_br %[[PENDING]], ^[[BODY:bb[0-9]+]], ^{{.*}}
// OLD: ^[[BODY]]:
// OLD: arith.fma
// OLD: %[[FOUND:.*]] = nvvm.atom.cas %{{.*}} + 4, %{{.*}}, %[[OLD]] {ordering = "acq_rel", scope = "gpu"}
// OLD: %[[MORE:.*]] = arith.cmpi ne, %[[FOUND]], %[[OLD]]
// OLD: cf.br ^[[HEAD]](%[[FOUND]], %[[MORE]]
nvvm.func @sum(%p: !nvvm.ptr<1>, %x: bf16, %c: i1) {
  %r = nvvm.atom add %p + 4, %x if %c {ordering = "acq_rel", scope = "gpu"} : !nvvm.ptr<1>, bf16
  nvvm.st %p, %r : !nvvm.ptr<1>, bf16
  nvvm.return
}

// -----

// No target rounds to 8-bit floats in a direction.
// CHECK-LABEL: nvvm.func @directed
// CHECK: arith.addf %{{.*}}, %{{.*}} rounding<zero> : f32
// CHECK-NOT: arith.ftof
nvvm.func @directed(%p: !nvvm.ptr<1>, %x: f32) {
  %r = arith.ftof %x rounding<zero> : f32 to f8E4M3FN
  nvvm.st %p, %r : !nvvm.ptr<1>, f8E4M3FN
  nvvm.return
}

// -----

// Bytes are computed in 16 bits, with the extension that the operation asks for.
// CHECK-LABEL: nvvm.func @bytes
// CHECK: %[[A:.*]] = arith.extui %x : i8 to i16
// CHECK: %[[B:.*]] = arith.extui %y : i8 to i16
// CHECK: %[[S:.*]] = arith.addi %[[A]], %[[B]] : i16
// CHECK: arith.trunci %[[S]] : i16 to i8
// CHECK: %[[C:.*]] = arith.extsi %x : i8 to i16
// CHECK: %[[D:.*]] = arith.extsi %y : i8 to i16
// CHECK: arith.divsi %[[C]], %[[D]] : i16
nvvm.func @bytes(%p: !nvvm.ptr<1>, %x: i8, %y: i8) {
  %a = arith.addi %x, %y : i8
  %b = arith.divsi %x, %y : i8
  nvvm.st %p, %a : !nvvm.ptr<1>, i8
  nvvm.st %p, %b : !nvvm.ptr<1>, i8
  nvvm.return
}

// -----

// The low bits of a sum follow from low bits: what is added next takes all 16, and only what needs a byte is masked.
// CHECK-LABEL: nvvm.func @chain
// CHECK: %[[S:.*]] = arith.addi
// CHECK-NEXT: %[[Z:.*]] = arith.extui %z : i8 to i16
// CHECK-NEXT: %[[T:.*]] = arith.addi %[[S]], %[[Z]] : i16
// CHECK-NEXT: %[[B:.*]] = arith.trunci %[[T]] : i16 to i8
// CHECK: arith.extsi %[[B]] : i8 to i16
nvvm.func @chain(%p: !nvvm.ptr<1>, %x: i8, %y: i8, %z: i8) {
  %a = arith.addi %x, %y : i8
  %b = arith.addi %a, %z : i8
  %c = arith.divsi %b, %z : i8
  nvvm.st %p, %c : !nvvm.ptr<1>, i8
  nvvm.return
}

// -----

// An addition of bf16 is a multiply-add with 1, if there is only that; its conversion to 8 bits is integer arithmetic.
// CHECK-LABEL: nvvm.func @since_sm_90
// OLD: arith.fma %x, %{{.*}}, %x : bf16
// OLD-NOT: arith.ftof
// NEW: arith.addf %x, %x : bf16
// NEW: arith.ftof %y : f32 to f8E4M3FN
nvvm.func @since_sm_90(%p: !nvvm.ptr<1>, %x: bf16, %y: f32) {
  %a = arith.addf %x, %x : bf16
  %b = arith.ftof %y : f32 to f8E4M3FN
  nvvm.st %p, %a : !nvvm.ptr<1>, bf16
  nvvm.st %p, %b : !nvvm.ptr<1>, f8E4M3FN
  nvvm.return
}

// -----

// What every target has stays, in its own width.
// CHECK-LABEL: nvvm.func @unchanged
// CHECK-NEXT: arith.addf %h, %h : f16
// CHECK-NEXT: arith.maxnumf %b, %b : bf16
// CHECK-NEXT: arith.addi %i, %i : i16
// CHECK-NEXT: arith.mulhui %j, %j : i64
// CHECK-NEXT: arith.divsi %j, %j : i64
// CHECK-NEXT: nvvm.atom add
nvvm.func @unchanged(%p: !nvvm.ptr<1>, %h: f16, %b: bf16, %i: i16, %j: i64, %c: i1) {
  %k = arith.addf %h, %h : f16
  %l = arith.maxnumf %b, %b : bf16
  %m = arith.addi %i, %i : i16
  %n = arith.mulhui %j, %j : i64
  %o = arith.divsi %j, %j : i64
  %r = nvvm.atom add %p, %h if %c {ordering = "relaxed", scope = "gpu"} : !nvvm.ptr<1>, f16
  nvvm.st %p, %k : !nvvm.ptr<1>, f16
  nvvm.st %p, %l : !nvvm.ptr<1>, bf16
  nvvm.st %p, %m : !nvvm.ptr<1>, i16
  nvvm.st %p, %n : !nvvm.ptr<1>, i64
  nvvm.st %p, %o : !nvvm.ptr<1>, i64
  nvvm.return
}
