// RUN: tile-opt %s --nvvm-expand-math --gpu-name=sm_90 | FileCheck %s
// RUN: tile-opt %s --nvvm-expand-math=accuracy=exact --gpu-name=sm_90 | FileCheck %s --check-prefix=EXACT
// RUN: tile-opt %s --nvvm-expand-math --gpu-name=sm_90 --pass-statistics --pass-statistics-display=list -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATS

// STATS: 9 functions-expanded

// An exponential is a reduction of its argument, the instruction for powers of two, and a correction.
// CHECK-LABEL: nvvm.func @exponential
// CHECK-NOT: arith.exp
// CHECK: nvvm.ex2
// CHECK-NOT: cf.cond_br
// CHECK: nvvm.return
nvvm.func @exponential(%p: !nvvm.ptr<1>, %x: f32) {
  %a = arith.exp %x : f32
  nvvm.st %p, %a : !nvvm.ptr<1>, f32
  nvvm.return
}

// Two bytes are computed in four, and rounded once.
// CHECK-LABEL: nvvm.func @narrow
// CHECK: arith.ftof %{{.*}} : f16 to f32
// CHECK: nvvm.ex2
// CHECK: arith.ftof %{{.*}} : f32 to f16
// CHECK-NOT: arith.ftof
// CHECK: nvvm.return
nvvm.func @narrow(%p: !nvvm.ptr<1>, %x: f16) {
  %a = arith.exp2 %x : f16
  nvvm.st %p, %a : !nvvm.ptr<1>, f16
  nvvm.return
}

// What may be approximate is one instruction.
// CHECK-LABEL: nvvm.func @approximate
// CHECK-NEXT: %[[T:.*]] = nvvm.tanh.approx %x
// CHECK-NEXT: nvvm.st %p, %[[T]]
nvvm.func @approximate(%p: !nvvm.ptr<1>, %x: f32) {
  %a = arith.tanh %x {rounding = "approx"} : f32
  nvvm.st %p, %a : !nvvm.ptr<1>, f32
  nvvm.return
}

// A remainder takes as many steps as its quotient has digits: a loop.
// CHECK-LABEL: nvvm.func @remainder
// CHECK-NOT: arith.remf
// CHECK: cf.cond_br
nvvm.func @remainder(%p: !nvvm.ptr<1>, %x: f32, %y: f32) {
  %a = arith.remf %x, %y : f32
  nvvm.st %p, %a : !nvvm.ptr<1>, f32
  nvvm.return
}

// There is no exponential of f64 in the machine: arithmetic alone.
// CHECK-LABEL: nvvm.func @double
// CHECK-NOT: arith.exp
// CHECK-NOT: nvvm.ex2
// CHECK: arith.fma {{.*}} : f64
// CHECK: nvvm.return
nvvm.func @double(%p: !nvvm.ptr<1>, %x: f64) {
  %a = arith.exp %x : f64
  nvvm.st %p, %a : !nvvm.ptr<1>, f64
  nvvm.return
}

// The machine divides, takes roots and multiplies with one rounding itself; remainders of integers are not its business.
// CHECK-LABEL: nvvm.func @unchanged
nvvm.func @unchanged(%p: !nvvm.ptr<1>, %x: f32, %y: f32, %i: i32) {
  %a = arith.divf %x, %y : f32
  %b = arith.sqrt %a : f32
  %c = arith.fma %a, %b, %y : f32
  %d = arith.floor %c : f32
  %e = arith.remsi %i, %i : i32
  nvvm.st %p, %d : !nvvm.ptr<1>, f32
  nvvm.st %p, %e : !nvvm.ptr<1>, i32
  nvvm.return
}

// Within CUDA's bounds, a logarithm has no reciprocal.
// CHECK-LABEL: nvvm.func @logarithm
// CHECK-NOT: nvvm.rcp
// CHECK: nvvm.return
// EXACT-LABEL: nvvm.func @logarithm
// EXACT: nvvm.rcp
nvvm.func @logarithm(%p: !nvvm.ptr<1>, %x: f32) {
  %a = arith.log %x : f32
  nvvm.st %p, %a : !nvvm.ptr<1>, f32
  nvvm.return
}

// A division by a power of two is a multiplication. Another one stays.
// CHECK-LABEL: nvvm.func @quotients
// CHECK: %[[FACTOR:.*]] = arith.constant 3.906250e-03 : f32
// CHECK: arith.mulf %x, %[[FACTOR]] : f32
// CHECK: arith.divf
nvvm.func @quotients(%p: !nvvm.ptr<1>, %x: f32) {
  %power = arith.constant 256.0 : f32
  %a = arith.divf %x, %power : f32
  nvvm.st %p, %a : !nvvm.ptr<1>, f32
  %other = arith.constant 100.0 : f32
  %b = arith.divf %x, %other : f32
  nvvm.st %p, %b : !nvvm.ptr<1>, f32
  nvvm.return
}

// The greater of something and a normal number is not subnormal, and the logarithm does not scale it. Of the greater of
// something and 0 nothing is known.
// RUN: tile-opt %s --nvvm-expand-math | FileCheck %s --check-prefix=NORMAL
// NORMAL-LABEL: nvvm.func @clamped_log
// NORMAL: arith.maxnumf
// NORMAL-NOT: arith.cmpf
// NORMAL-LABEL: nvvm.func @positive_log
// NORMAL: arith.cmpf olt
nvvm.func @clamped_log(%p: !nvvm.ptr<1>, %x: f32) {
  %least = arith.constant 1.0e-10 : f32
  %y = arith.maxnumf %x, %least : f32
  %l = arith.log %y : f32
  nvvm.st %p, %l : !nvvm.ptr<1>, f32
  nvvm.return
}
nvvm.func @positive_log(%p: !nvvm.ptr<1>, %x: f32) {
  %least = arith.constant 0.0 : f32
  %y = arith.maxnumf %x, %least : f32
  %l = arith.log %y : f32
  nvvm.st %p, %l : !nvvm.ptr<1>, f32
  nvvm.return
}
