// RUN: tile-opt %s --lower-to=ptx -O0 --gpu-name=sm_80 | FileCheck %s

// A division of 1 is a reciprocal, exact or with flushed numbers. The approximate one that keeps subnormal numbers is a
// division still, and so is one of another number.
nvvm.func @divisions(%p: !nvvm.ptr<1>, %x: f32, %y: f32) {
  %one = arith.constant 1.000000e+00 : f32
  // CHECK: rcp.rn.f32
  %a = arith.divf %one, %x : f32
  nvvm.st %p, %a : !nvvm.ptr<1>, f32
  // CHECK: rcp.approx.ftz.f32
  %b = arith.divf %one, %x rounding<approx> ftz : f32
  nvvm.st %p, %b : !nvvm.ptr<1>, f32
  // CHECK: div.approx.f32
  %c = arith.divf %one, %x rounding<approx> : f32
  nvvm.st %p, %c : !nvvm.ptr<1>, f32
  // CHECK: div.approx.ftz.f32
  %d = arith.divf %y, %x rounding<approx> ftz : f32
  nvvm.st %p, %d : !nvvm.ptr<1>, f32
  nvvm.return
}
