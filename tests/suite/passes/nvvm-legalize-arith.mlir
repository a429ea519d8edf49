// RUN: tile-opt %s --split-input-file --nvvm-legalize-arith --gpu-name=sm_80 | FileCheck %s --check-prefixes=CHECK,OLD
// RUN: tile-opt %s --split-input-file --nvvm-legalize-arith --gpu-name=sm_90 | FileCheck %s --check-prefixes=CHECK,NEW

// Where bf16 is not added atomically, the sum is swapped for what it was computed from. The swap has the ordering; where the predicate does not hold, nothing is accessed.
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
