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
// The head of the loop is written again at its end.
// CHECK-NEXT: setp.ne.u32 [[P:%p[0-9]+]]
// CHECK-NEXT: @[[P]] bra
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

// Multiplications to 64 bits, and with an addend, which may be an address.
// CHECK-LABEL: .visible .entry products(
// CHECK: mul.wide.s32 [[A:%rd[0-9]+]], %{{r[0-9]+}}, -16;
// CHECK: mul.wide.u32 [[B:%rd[0-9]+]], %{{r[0-9]+}}, %{{r[0-9]+}};
// CHECK: mad.lo.s64 [[Q:%rd[0-9]+]], [[A]], [[B]], %{{rd[0-9]+}};
// CHECK: mad.lo.s32 [[S:%r[0-9]+]], %{{r[0-9]+}}, %{{r[0-9]+}}, 7;
// CHECK: st.global.b32 {{\[}}[[Q]]], [[S]];
nvvm.func @products(%p: !nvvm.ptr<1>, %n: i32) {
  %c = arith.constant -16 : i32
  %d = arith.constant 7 : i32
  %a = nvvm.mul.wide %n, %c
  %b = nvvm.mul.wide unsigned %n, %n
  %q = nvvm.mad.lo %a, %b, %p : i64, i64, !nvvm.ptr<1>
  %s = nvvm.mad.lo %n, %n, %d : i32, i32, i32
  nvvm.st %q, %s : !nvvm.ptr<1>, i32
  nvvm.return
}

// Floats of 8 bits become f16 two at a time.
// CHECK-LABEL: .visible .entry float_bytes(
// CHECK: cvt.rn.f16x2.e4m3x2
// CHECK: cvt.rn.f16x2.e4m3x2
// CHECK-NOT: cvt
nvvm.func @float_bytes(%p: !nvvm.ptr<1>) {
  %b:4 = nvvm.ld %p : !nvvm.ptr<1> -> f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E4M3FN
  %w = arith.ftof %b#0 : f8E4M3FN to f16
  %x = arith.ftof %b#1 : f8E4M3FN to f16
  %y = arith.ftof %b#2 : f8E4M3FN to f16
  %z = arith.ftof %b#3 : f8E4M3FN to f16
  nvvm.st %p, %w, %x, %y, %z : !nvvm.ptr<1>, f16, f16, f16, f16
  nvvm.return
}
// Signs of halves change two at a time, but not if one of the halves is read by something else.
// CHECK-LABEL: .visible .entry signs(
// CHECK: neg.f16x2
// CHECK: abs.bf16x2
// CHECK: neg.f16 
// CHECK: neg.f16 
// CHECK: ret;
nvvm.func @signs(%p: !nvvm.ptr<1>) {
  %a:2 = nvvm.ld %p : !nvvm.ptr<1> -> f16, f16
  %b:2 = nvvm.ld %p + 4 : !nvvm.ptr<1> -> bf16, bf16
  %c:2 = nvvm.ld %p + 8 : !nvvm.ptr<1> -> f16, f16
  %a0 = arith.negf %a#0 : f16
  %a1 = arith.negf %a#1 : f16
  nvvm.st %p, %a0, %a1 : !nvvm.ptr<1>, f16, f16
  %b0 = arith.absf %b#0 : bf16
  %b1 = arith.absf %b#1 : bf16
  nvvm.st %p + 4, %b0, %b1 : !nvvm.ptr<1>, bf16, bf16
  %c0 = arith.negf %c#0 : f16
  %c1 = arith.negf %c#1 : f16
  %d = arith.addf %c0, %c1 : f16
  nvvm.st %p + 8, %c0, %c1 : !nvvm.ptr<1>, f16, f16
  nvvm.st %p + 12, %d : !nvvm.ptr<1>, f16
  nvvm.return
}
// So do integers of 16 bits, and nothing beside a constant.
// CHECK-LABEL: .visible .entry halves(
// CHECK: max.s16x2
// CHECK: and.b32
// CHECK: add.s16x2
// CHECK: neg.f16 
// CHECK: ret;
nvvm.func @halves(%p: !nvvm.ptr<1>) {
  %seven = arith.constant 7 : i16
  %zero = arith.constant 0.0 : f16
  %a:2 = nvvm.ld %p : !nvvm.ptr<1> -> i16, i16
  %b:2 = nvvm.ld %p + 4 : !nvvm.ptr<1> -> i16, i16
  %x = nvvm.ld %p + 8 : !nvvm.ptr<1> -> f16
  %a0 = arith.maxsi %a#0, %b#0 : i16
  %a1 = arith.maxsi %a#1, %b#1 : i16
  nvvm.st %p, %a0, %a1 : !nvvm.ptr<1>, i16, i16
  %b0 = arith.andi %b#0, %seven : i16
  %b1 = arith.andi %b#1, %seven : i16
  nvvm.st %p + 4, %b0, %b1 : !nvvm.ptr<1>, i16, i16
  %c0 = arith.addi %a#0, %b#0 : i16
  %c1 = arith.addi %a#1, %b#1 : i16
  nvvm.st %p + 12, %c0, %c1 : !nvvm.ptr<1>, i16, i16
  %y = arith.negf %x : f16
  nvvm.st %p + 8, %y, %zero : !nvvm.ptr<1>, f16, f16
  nvvm.return
}
// Additions side by side are one instruction; halves are two in a word.
// CHECK-LABEL: .visible .entry additions(
// CHECK: @%p{{[0-9]+}} red.release.gpu.global.add.v2.f32 [%{{rd[0-9]+}}+8], {
// CHECK: red.relaxed.sys.global.add.noftz.f16x2 [%{{rd[0-9]+}}], %r
// CHECK: red.relaxed.gpu.global.add.noftz.v2.bf16x2 [%{{rd[0-9]+}}], {
nvvm.func @additions(%p: !nvvm.ptr<1>, %f: f32, %h: f16, %b: bf16, %c: i1) {
  nvvm.red %p + 8, %f, %f if %c {ordering = "release", scope = "gpu"} : !nvvm.ptr<1>, f32, f32
  nvvm.red %p, %h, %h {scope = "sys"} : !nvvm.ptr<1>, f16, f16
  nvvm.red %p, %b, %b, %b, %b {scope = "gpu"} : !nvvm.ptr<1>, bf16, bf16, bf16, bf16
  nvvm.return
}
