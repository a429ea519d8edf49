// sm_80
// A load extends what it loads if all that reads it does so to 32 bits: not %e, which is read both ways, nor %g, of
// which something else is there where %p does not hold, nor %h, which becomes a float.
nvvm.func @extend(%x: !nvvm.ptr<1>, %p: i1) attributes {nvvm.reqntid = array<i32: 32>} {
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %a = nvvm.ld %x : !nvvm.ptr<1> -> i8
  %a1 = arith.extui %a : i8 to i32
  %b = nvvm.ld %x + 1 if %p else %zero : !nvvm.ptr<1> -> i8
  %b1 = arith.extsi %b : i8 to i32
  %c = nvvm.ld %x + 2 : !nvvm.ptr<1> -> i16
  %c1 = arith.extsi %c : i16 to i32
  %c2 = arith.extsi %c : i16 to i32
  %e = nvvm.ld %x + 4 : !nvvm.ptr<1> -> i8
  %e1 = arith.extui %e : i8 to i32
  %e2 = arith.extsi %e : i8 to i32
  %g = nvvm.ld %x + 5 if %p else %one : !nvvm.ptr<1> -> i8
  %g1 = arith.extui %g : i8 to i32
  %h = nvvm.ld %x + 6 : !nvvm.ptr<1> -> i8
  %h1 = arith.uitofp %h : i8 to f32
  nvvm.st %x + 32, %a1, %b1, %c1, %c2 : !nvvm.ptr<1>, i32, i32, i32, i32
  nvvm.st %x + 48, %e1, %e2, %g1 , %g1 : !nvvm.ptr<1>, i32, i32, i32, i32
  nvvm.st %x + 64, %h1 : !nvvm.ptr<1>, f32
  nvvm.return
}
