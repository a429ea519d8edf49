// RUN: tile-opt %s | tile-opt - | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt - | FileCheck %s

// Every operation of cf, with every optional clause, in both forms.

// CHECK-LABEL: nvvm.func @branches(%c: i1, %x: i32, %y: f32) {
nvvm.func @branches(%c: i1, %x: i32, %y: f32) {
  // CHECK: cf.cond_br %c, ^bb1, ^bb2(%x, %y : i32, f32)
  cf.cond_br %c, ^bb1, ^bb2(%x, %y : i32, f32)
// CHECK: ^bb1:  // pred: ^bb0
^bb1:
  // CHECK: cf.br ^bb3
  cf.br ^bb3
// CHECK: ^bb2(%a: i32, %b: f32):  // 3 preds
^bb2(%a: i32, %b: f32):
  // CHECK: cf.cond_br %c, ^bb2(%a, %b : i32, f32), ^bb4(%a : i32) {note = "kept"}
  cf.cond_br %c, ^bb2(%a, %b : i32, f32), ^bb4(%a : i32) {note = "kept"}
// CHECK: ^bb3:  // pred: ^bb1
^bb3:
  // CHECK: cf.br ^bb2(%x, %y : i32, f32) {note = "kept"}
  cf.br ^bb2(%x, %y : i32, f32) {note = "kept"}
// CHECK: ^bb4(%d: i32):  // pred: ^bb2
^bb4(%d: i32):
  // CHECK: nvvm.return
  nvvm.return
}
