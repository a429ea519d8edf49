// RUN: tile-opt %s --test-print-integer-ranges | FileCheck %s --check-prefix=RANGE
// RUN: tile-opt %s --test-print-divisibility | FileCheck %s --check-prefix=DIV

nvvm.func @k(%p: !nvvm.ptr<1>) attributes {nvvm.reqntid = array<i32: 128>} {
  // RANGE: // %tid: [0, 127]
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  // RANGE: // %lane: [0, 31]
  %lane = nvvm.read.ptx.sreg.laneid : i32
  // RANGE: // %x: [0, 2147483646]
  %x = nvvm.read.ptx.sreg.ctaid.x : i32
  // RANGE: // %y: [0, 65534]
  %y = nvvm.read.ptx.sreg.ctaid.y : i32
  // RANGE: // %n: [1, 65535]
  %n = nvvm.read.ptx.sreg.nctaid.z : i32
  %c5 = arith.constant 5 : i32
  // RANGE: // %warp: [0, 3]
  %warp = arith.shrui %tid, %c5 : i32
  %c4 = arith.constant 4 : i32
  // RANGE: // %some: any
  // DIV: // %some: div 16
  %some = arith.shli %x, %c4 : i32
  // DIV: // %wide: div 16
  %wide = arith.extui %some : i32 to i64
  %c8 = arith.constant 8 : i64
  // DIV: // %bytes: div 8
  %bytes = arith.addi %wide, %c8 : i64
  // DIV: // %q: div 1
  %q = nvvm.ptradd %p, %bytes : !nvvm.ptr<1>, i64
  // DIV: // %s: div 1
  %s = nvvm.shared_base : !nvvm.ptr<3>
  %c128 = arith.constant 128 : i32
  // RANGE: // %always: -1
  %always = arith.cmpi ult, %tid, %c128 : i32
  cf.cond_br %always, ^bb1(%tid : i32), ^bb2
^bb1(%a: i32):
  // RANGE: // %b: [4, 131]
  %b = arith.addi %a, %c4 : i32
  nvvm.return
^bb2:
  // RANGE: // %never: never computed
  %never = arith.addi %c4, %c4 : i32
  nvvm.return
}

// A counter that goes on only to a larger number is never below its start, even if the sum can wrap around.
nvvm.func @grows(%g: i32, %n: i32) attributes {nvvm.reqntid = array<i32: 128>} {
  %from = nvvm.read.ptx.sreg.ctaid.x : i32
  %c3 = arith.constant 3 : i32
  cf.br ^head(%from, %from : i32, i32)
^head(%i: i32, %other: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit
^body:
  // RANGE: // %third: [0, 2]
  %third = arith.remsi %i, %c3 : i32
  // RANGE: // %any: [-2, 2]
  %any = arith.remsi %other, %c3 : i32
  %next = arith.addi %i, %g : i32
  %grown = arith.cmpi slt, %i, %next : i32
  %back = arith.addi %other, %g : i32
  cf.cond_br %grown, ^head(%next, %back : i32, i32), ^exit
^exit:
  nvvm.return
}
