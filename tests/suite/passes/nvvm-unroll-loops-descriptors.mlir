// RUN: tile-opt %s --nvvm-unroll-loops | FileCheck %s

// Seven iterations of four MMAs take 112 registers for descriptors. The threads of the first role have all that they were
// launched with. The second one gave back all but 32, and 78 uniform registers hold the rest of no more than 27 MMAs.
// CHECK-LABEL: nvvm.func @launched
// CHECK-COUNT-28: nvvm.tcgen05.mma
// CHECK-NOT: cf.cond_br
// CHECK-LABEL: nvvm.func @unchanged_gave_back
// CHECK-COUNT-4: nvvm.tcgen05.mma
// CHECK-NOT: nvvm.tcgen05.mma
// CHECK-LABEL: nvvm.func @gave_back_some
// CHECK-COUNT-28: nvvm.tcgen05.mma
// CHECK-NOT: cf.cond_br
nvvm.func @launched(%t: i32, %a: i64, %b: i64, %d: i32, %add: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = arith.constant 7 : i32
  cf.br ^head(%zero : i32)
^head(%i: i32):
  %more = arith.cmpi slt, %i, %last : i32
  cf.cond_br %more, ^body, ^end
^body:
  nvvm.tcgen05.mma "f16" %t, %a, %b, %d if %add : i64
  nvvm.tcgen05.mma "f16" %t, %b, %b, %d if %add : i64
  nvvm.tcgen05.mma "f16" %t, %a, %a, %d if %add : i64
  nvvm.tcgen05.mma "f16" %t, %b, %a, %d if %add : i64
  %j = arith.addi %i, %one : i32
  cf.br ^head(%j : i32)
^end:
  nvvm.return
}

nvvm.func @unchanged_gave_back(%t: i32, %a: i64, %b: i64, %d: i32, %add: i1) {
  nvvm.setmaxnreg 32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = arith.constant 7 : i32
  cf.br ^head(%zero : i32)
^head(%i: i32):
  %more = arith.cmpi slt, %i, %last : i32
  cf.cond_br %more, ^body, ^end
^body:
  nvvm.tcgen05.mma "f16" %t, %a, %b, %d if %add : i64
  nvvm.tcgen05.mma "f16" %t, %b, %b, %d if %add : i64
  nvvm.tcgen05.mma "f16" %t, %a, %a, %d if %add : i64
  nvvm.tcgen05.mma "f16" %t, %b, %a, %d if %add : i64
  %j = arith.addi %i, %one : i32
  cf.br ^head(%j : i32)
^end:
  nvvm.return
}

nvvm.func @gave_back_some(%t: i32, %a: i64, %b: i64, %d: i32, %add: i1) {
  nvvm.setmaxnreg 40
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = arith.constant 7 : i32
  cf.br ^head(%zero : i32)
^head(%i: i32):
  %more = arith.cmpi slt, %i, %last : i32
  cf.cond_br %more, ^body, ^end
^body:
  nvvm.tcgen05.mma "f16" %t, %a, %b, %d if %add : i64
  nvvm.tcgen05.mma "f16" %t, %b, %b, %d if %add : i64
  nvvm.tcgen05.mma "f16" %t, %a, %a, %d if %add : i64
  nvvm.tcgen05.mma "f16" %t, %b, %a, %d if %add : i64
  %j = arith.addi %i, %one : i32
  cf.br ^head(%j : i32)
^end:
  nvvm.return
}
