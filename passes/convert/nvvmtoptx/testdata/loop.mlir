// sm_80
nvvm.func @sum(%x: !nvvm.ptr<1>, %y: !nvvm.ptr<1>, %n: i32, %flag: i1) attributes {nvvm.reqntid = array<i32: 128>, nvvm.shared_bytes = 512 : i32, nvvm.param_aligns = array<i64: 16, 16, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %four = arith.constant 4 : i64
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  cf.br ^head(%c0, %z, %one : i32, f32, f32)
^head(%i: i32, %a: f32, %b: f32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit(%a : f32)
^body:
  %wide = arith.extsi %i : i32 to i64
  %off = arith.muli %wide, %four : i64
  %p = nvvm.ptradd %x, %off : !nvvm.ptr<1>, i64
  %in = arith.cmpi ult, %tid, %n : i32
  %v = nvvm.ld %p + 16 if %in else %z : !nvvm.ptr<1> -> f32
  %s = arith.addf %a, %v : f32
  %next = arith.addi %i, %c1 : i32
  cf.br ^head(%next, %b, %s : i32, f32, f32)
^exit(%r: f32):
  %sh = nvvm.shared_base : !nvvm.ptr<3>
  nvvm.st %sh + 4, %r : !nvvm.ptr<3>, f32
  nvvm.barrier
  %o = nvvm.shfl.sync bfly %r, %c1 : f32
  nvvm.st %y, %o if %flag : !nvvm.ptr<1>, f32
  nvvm.return
}
