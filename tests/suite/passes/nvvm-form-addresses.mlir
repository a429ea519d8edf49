// RUN: tile-opt %s --nvvm-form-addresses | FileCheck %s

// The size of an element goes into the row, which has room for it: 2 * %row is at most 2 * (2^24 - 2) in a kernel of
// Tile IR. The column is added first.
// CHECK-LABEL: nvvm.func @view
// CHECK: %bytes = arith.muli %column.64
// CHECK: [[TWICE:%[0-9]+]] = arith.shli %row, {{%[0-9]+}} overflow<no_signed_wrap> : i32
// CHECK: [[X:%[0-9]+]] = arith.extsi [[TWICE]]
// CHECK: [[Y:%[0-9]+]] = arith.extsi %stride
// CHECK: [[R:%[0-9]+]] = arith.muli [[X]], [[Y]]
// CHECK: [[P:%[0-9]+]] = nvvm.ptradd %p, %bytes
// CHECK: [[Q:%[0-9]+]] = nvvm.ptradd [[P]], [[R]]
// CHECK: nvvm.ld [[Q]]
// CHECK: [[Z:%[0-9]+]] = arith.extsi %other
// CHECK: [[S:%[0-9]+]] = arith.muli [[X]], [[Z]] : i64
// CHECK: [[U:%[0-9]+]] = nvvm.ptradd %q, %bytes
// CHECK: [[V:%[0-9]+]] = nvvm.ptradd [[U]], [[S]]
// CHECK: nvvm.st [[V]]
nvvm.func @view(%p: !nvvm.ptr<1>, %q: !nvvm.ptr<1>, %stride: i32, %other: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nvvm.reqntid = array<i32: 128>} {
  %c2 = arith.constant 2 : i64
  %row = nvvm.read.ptx.sreg.ctaid.x : i32
  %row.64 = arith.extui %row : i32 to i64
  %column = nvvm.read.ptx.sreg.tid.x : i32
  %column.64 = arith.extui %column : i32 to i64
  %bytes = arith.muli %column.64, %c2 : i64
  %s = arith.extsi %stride : i32 to i64
  %s2 = arith.muli %s, %c2 : i64
  %d = arith.muli %row.64, %s2 : i64
  %a = nvvm.ptradd %p, %d : !nvvm.ptr<1>, i64
  %b = nvvm.ptradd %a, %bytes : !nvvm.ptr<1>, i64
  %v = nvvm.ld %b : !nvvm.ptr<1> -> i16
  %t = arith.extsi %other : i32 to i64
  %t2 = arith.muli %t, %c2 : i64
  %e = arith.muli %row.64, %t2 : i64
  %f = nvvm.ptradd %q, %e : !nvvm.ptr<1>, i64
  %g = nvvm.ptradd %f, %bytes : !nvvm.ptr<1>, i64
  nvvm.st %g, %v : !nvvm.ptr<1>, i16
  nvvm.return
}

// A sum that is scaled becomes one whose terms are.
// CHECK-LABEL: nvvm.func @gather
// CHECK: [[C:%[0-9]+]] = arith.muli {{%[0-9]+}}, {{%[0-9]+}} : i64
// CHECK: arith.shli %row, {{%[0-9]+}} overflow<no_signed_wrap> : i32
// CHECK: [[P:%[0-9]+]] = nvvm.ptradd %p, [[C]]
// CHECK-NEXT: nvvm.ptradd [[P]]
// CHECK-NOT: arith.addi
nvvm.func @gather(%p: !nvvm.ptr<1>, %stride: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nvvm.reqntid = array<i32: 128>} {
  %c2 = arith.constant 2 : i64
  %row = nvvm.read.ptx.sreg.ctaid.x : i32
  %row.64 = arith.extsi %row : i32 to i64
  %column = nvvm.read.ptx.sreg.tid.x : i32
  %column.64 = arith.extui %column : i32 to i64
  %s = arith.extsi %stride : i32 to i64
  %d = arith.muli %row.64, %s : i64
  %sum = arith.addi %d, %column.64 : i64
  %bytes = arith.shli %sum, %c2 : i64
  %a = nvvm.ptradd %p, %bytes : !nvvm.ptr<1>, i64
  %v = nvvm.ld %a : !nvvm.ptr<1> -> i32
  nvvm.st %a, %v : !nvvm.ptr<1>, i32
  nvvm.return
}

// Four times any row may have more than 32 bits: elements are counted, and scaled once.
// CHECK-LABEL: nvvm.func @elements
// CHECK: [[R:%[0-9]+]] = arith.muli {{%[0-9]+}}, {{%[0-9]+}} : i64
// CHECK: [[E:%[0-9]+]] = arith.addi {{%[0-9]+}}, [[R]] : i64
// CHECK: [[B:%[0-9]+]] = arith.muli [[E]], {{%[0-9]+}} : i64
// CHECK: nvvm.ptradd %p, [[B]]
nvvm.func @elements(%p: !nvvm.ptr<1>, %row: i32, %stride: i32) attributes {nvvm.reqntid = array<i32: 128>} {
  %c4 = arith.constant 4 : i64
  %row.64 = arith.extsi %row : i32 to i64
  %column = nvvm.read.ptx.sreg.tid.x : i32
  %column.64 = arith.extui %column : i32 to i64
  %bytes = arith.muli %column.64, %c4 : i64
  %s = arith.extsi %stride : i32 to i64
  %s4 = arith.muli %s, %c4 : i64
  %d = arith.muli %row.64, %s4 : i64
  %a = nvvm.ptradd %p, %d : !nvvm.ptr<1>, i64
  %b = nvvm.ptradd %a, %bytes : !nvvm.ptr<1>, i64
  %v = nvvm.ld %b : !nvvm.ptr<1> -> i32
  nvvm.st %b, %v : !nvvm.ptr<1>, i32
  nvvm.return
}

// One number is one instruction already. Elements are counted here, and the row has no room. Signs that differ are no
// product of the machine.
// CHECK-LABEL: nvvm.func @unchanged
nvvm.func @unchanged(%p: !nvvm.ptr<1>, %row: i32, %stride: i32, %n: i32) attributes {nvvm.reqntid = array<i32: 128>} {
  %c4 = arith.constant 4 : i64
  %row.64 = arith.extsi %row : i32 to i64
  %column = nvvm.read.ptx.sreg.tid.x : i32
  %column.64 = arith.extui %column : i32 to i64
  %bytes = arith.muli %column.64, %c4 : i64
  %one = nvvm.ptradd %p, %bytes : !nvvm.ptr<1>, i64
  %v = nvvm.ld %one : !nvvm.ptr<1> -> i32
  %s = arith.extsi %stride : i32 to i64
  %d = arith.muli %row.64, %s : i64
  %sum = arith.addi %d, %column.64 : i64
  %offset = arith.muli %sum, %c4 : i64
  %two = nvvm.ptradd %p, %offset : !nvvm.ptr<1>, i64
  nvvm.st %two, %v : !nvvm.ptr<1>, i32
  %u = arith.extui %n : i32 to i64
  %mixed = arith.muli %u, %row.64 : i64
  %three = nvvm.ptradd %p, %mixed : !nvvm.ptr<1>, i64
  nvvm.st %three, %v : !nvvm.ptr<1>, i32
  nvvm.return
}

// What does not change in the loop stays apart from what does.
// CHECK-LABEL: nvvm.func @unchanged_loop
nvvm.func @unchanged_loop(%p: !nvvm.ptr<1>, %stride: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nvvm.reqntid = array<i32: 128>} {
  %c4 = arith.constant 4 : i64
  %zero = arith.constant 0 : i32
  %s = arith.extsi %stride : i32 to i64
  %column = nvvm.read.ptx.sreg.tid.x : i32
  %column.64 = arith.extui %column : i32 to i64
  cf.br ^loop(%zero : i32)
^loop(%i: i32):
  %i.64 = arith.extsi %i : i32 to i64
  %d = arith.muli %i.64, %s : i64
  %sum = arith.addi %d, %column.64 : i64
  %bytes = arith.muli %sum, %c4 : i64
  %a = nvvm.ptradd %p, %bytes : !nvvm.ptr<1>, i64
  %v = nvvm.ld %a : !nvvm.ptr<1> -> i32
  %again = arith.cmpi ne, %v, %zero : i32
  cf.cond_br %again, ^loop(%v : i32), ^end
^end:
  nvvm.return
}
