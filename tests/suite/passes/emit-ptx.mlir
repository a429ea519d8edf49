// RUN: tile-opt %s --lower-to=ptx -O0 --gpu-name=sm_90 | FileCheck %s
// RUN: tile-opt %s --nvvm-expand-math --nvvm-legalize-arith --emit-ptx --gpu-name=sm_90 | FileCheck %s --check-prefix=IR

// What the function says of its launch becomes directives; registers and shared memory are declared once.
// CHECK: .shared .align 128 .b8 launched_shared[2048];
// CHECK-LABEL: .visible .entry launched(
// CHECK: .reqntid 128, 1, 1
// CHECK-NEXT: .minnctapersm 2
// CHECK: st.global.f32
// CHECK: ret;

// The IR stays as it is: PTX is an artifact.
// IR-LABEL: nvvm.func @launched
// IR: nvvm.st
nvvm.func @launched(%p: !nvvm.ptr<1>, %x: f32) attributes {nvvm.reqntid = array<i32: 128>, nvvm.minctasm = 2 : i32, nvvm.shared_bytes = 2048 : i32} {
  nvvm.st %p, %x : !nvvm.ptr<1>, f32
  nvvm.return
}

// Constant distances join the access; values side by side are one instruction; a predicate guards it.
// CHECK-LABEL: .visible .entry accesses(
// CHECK: ld.global.v4.b32 {%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}}, [%{{rd[0-9]+}}+16];
// CHECK: @%p{{[0-9]+}} st.global.v2.b32 [%{{rd[0-9]+}}+8], {
// CHECK-NOT: add.s64
nvvm.func @accesses(%p: !nvvm.ptr<1>, %c: i1) {
  %a, %b, %d, %e = nvvm.ld %p + 16 : !nvvm.ptr<1> -> i32, i32, i32, i32
  %f = arith.addi %a, %d : i32
  %g = arith.addi %b, %e : i32
  nvvm.st %p + 8, %f, %g if %c : !nvvm.ptr<1>, i32, i32
  nvvm.return
}

// Arguments of blocks are moves before the branch; a loop whose argument is exchanged needs a third register.
// CHECK-LABEL: .visible .entry exchanged(
// CHECK: sub.s32
// CHECK-NEXT: mov.b32
// CHECK-NEXT: mov.b32 [[T:%r[0-9]+]], [[A:%r[0-9]+]];
// CHECK-NEXT: mov.b32 [[A]], [[B:%r[0-9]+]];
// CHECK-NEXT: mov.b32 [[B]], [[T]];
// CHECK-NEXT: bra
nvvm.func @exchanged(%p: !nvvm.ptr<1>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%zero, %one, %n : i32, i32, i32)
^head(%a: i32, %b: i32, %left: i32):
  %more = arith.cmpi ne, %left, %zero : i32
  cf.cond_br %more, ^body, ^end
^body:
  %less = arith.subi %left, %one : i32
  cf.br ^head(%b, %a, %less : i32, i32, i32)
^end:
  nvvm.st %p, %a : !nvvm.ptr<1>, i32
  nvvm.return
}

// Without shared memory none is declared, without line information no line is named, and a barrier is all of its block.
// CHECK-NOT: .shared
// CHECK-LABEL: .visible .entry plain()
// CHECK-NOT: .loc
// CHECK: bar.sync 0;
// CHECK-NEXT: ret;
nvvm.func @plain() attributes {nvvm.reqntid = array<i32: 32>} {
  nvvm.barrier
  nvvm.return
}

// An extended operand and a constant of its width: one instruction extends and multiplies. Not where the constant is of more bits or of the wrong sign, or the other operand no constant.
// CHECK-LABEL: .visible .entry products(
// CHECK: mul.wide.s32 %{{rd[0-9]+}}, %{{r[0-9]+}}, -16;
// CHECK: mul.wide.u32 %{{rd[0-9]+}}, %{{r[0-9]+}}, 4294967295;
// CHECK: mul.lo.s64 %{{rd[0-9]+}}, %{{rd[0-9]+}}, 4294967295;
// CHECK: mul.lo.s64 %{{rd[0-9]+}}, %{{rd[0-9]+}}, -16;
// CHECK: mul.lo.s64 %{{rd[0-9]+}}, %{{rd[0-9]+}}, %{{rd[0-9]+}};
// CHECK: mul.lo.s64 %{{rd[0-9]+}}, %{{rd[0-9]+}}, -16;
// CHECK: ret;
nvvm.func @products(%p: !nvvm.ptr<1>, %n: i32, %h: i16) {
  %c = arith.constant -16 : i64
  %d = arith.constant 4294967295 : i64
  %s = arith.extsi %n : i32 to i64
  %u = arith.extui %n : i32 to i64
  %short = arith.extsi %h : i16 to i64
  %1 = arith.muli %s, %c : i64
  %2 = arith.muli %u, %d : i64
  %3 = arith.muli %s, %d : i64
  %4 = arith.muli %u, %c : i64
  %5 = arith.muli %s, %u : i64
  %6 = arith.muli %short, %c : i64
  nvvm.st %p, %1, %2 : !nvvm.ptr<1>, i64, i64
  nvvm.st %p + 16, %3, %4 : !nvvm.ptr<1>, i64, i64
  nvvm.st %p + 32, %5, %6 : !nvvm.ptr<1>, i64, i64
  nvvm.return
}
