// sm_80
// One instruction where several operations stand: comparisons with what they are combined with, two conversions to
// halves, and extensions of parameters.
nvvm.func @pairs(%p: !nvvm.ptr<1>, %n: i32, %row: i32, %f: f32, %g: f32) attributes {nvvm.reqntid = array<i32: 128, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %wide = arith.extsi %n : i32 to i64
  %at = nvvm.ptradd %p, %wide : !nvvm.ptr<1>, i64
  %inside = arith.cmpi ult, %tid, %n : i32
  %rows = arith.cmpi slt, %row, %n : i32
  %mask = arith.andi %inside, %rows : i1
  %less = arith.cmpf olt, %f, %g : f32
  %either = arith.ori %mask, %less : i1
  %h = arith.ftof %f : f32 to f16
  %k = arith.ftof %g : f32 to f16
  nvvm.st %at, %h, %k if %either : !nvvm.ptr<1>, f16, f16
  %alone = arith.ftof %f : f32 to bf16
  %other = arith.ftof %g : f32 to bf16
  %w = nvvm.pack %alone, %other : bf16, bf16 -> i32
  nvvm.st %at, %w : !nvvm.ptr<1>, i32
  %c7 = arith.constant 7 : i64
  %lo, %hi = nvvm.unpack %c7 : i64 -> i32, i32
  %c9 = arith.constant 9 : i32
  %long = nvvm.pack %hi, %c9 : i32, i32 -> i64
  nvvm.st %at, %lo : !nvvm.ptr<1>, i32
  nvvm.st %at, %long : !nvvm.ptr<1>, i64
  nvvm.st %at, %alone : !nvvm.ptr<1>, bf16
  nvvm.return
}
