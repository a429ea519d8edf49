// RUN: tile-opt %s --lower-to=ptx --gpu-name=sm_90 | FileCheck %s
// RUN: tile-opt %s --lower-to=ptx --gpu-name=sm_80 | FileCheck %s --check-prefix=OLD

// Bytes of a word become f16 two at a time: below 0x64 they are 1024 more. Signed ones are unsigned first.
// CHECK-LABEL: .visible .entry bytes(
// CHECK: xor.b32 [[WORD:%r[0-9]+]], %{{.*}}, -2139062144;
// CHECK: prmt.b32 {{.*}}, [[WORD]], 1684300900, 16704;
// CHECK: sub.rn.f16
// CHECK: prmt.b32 {{.*}}, [[WORD]], 1684300900, 17218;
// CHECK: sub.rn.f16
// CHECK-NOT: cvt
nvvm.func @bytes(%p: !nvvm.ptr<1>) {
  %b:4 = nvvm.ld %p : !nvvm.ptr<1> -> i8, i8, i8, i8
  %w = arith.sitofp %b#0 : i8 to f16
  %x = arith.sitofp %b#1 : i8 to f16
  %y = arith.sitofp %b#2 : i8 to f16
  %z = arith.sitofp %b#3 : i8 to f16
  nvvm.st %p, %w, %x, %y, %z : !nvvm.ptr<1>, f16, f16, f16, f16
  nvvm.return
}

// Two kinds of numbers are not converted together.
// CHECK-LABEL: .visible .entry mixed_bytes(
// CHECK-NOT: prmt
// CHECK: cvt.rn.f16.u8
// CHECK: ret;
nvvm.func @mixed_bytes(%p: !nvvm.ptr<1>) {
  %b:4 = nvvm.ld %p : !nvvm.ptr<1> -> i8, i8, i8, i8
  %w = arith.sitofp %b#0 : i8 to f16
  %x = arith.uitofp %b#1 : i8 to f16
  %y = arith.sitofp %b#2 : i8 to f16
  %z = arith.sitofp %b#3 : i8 to f16
  nvvm.st %p, %w, %x, %y, %z : !nvvm.ptr<1>, f16, f16, f16, f16
  nvvm.return
}

// Two weights of four bits in a byte: each word is masked, and the upper ones shifted, as a whole. A bf16 has 7 bits below
// 128, which is enough for them.
// CHECK-LABEL: .visible .entry nibbles(
// CHECK: ld.global.b32 [[WORD:%r[0-9]+]]
// CHECK: and.b32 [[LOW:%r[0-9]+]], [[WORD]], 252645135;
// CHECK: shr.u32 [[MOVED:%r[0-9]+]], [[WORD]], 4;
// CHECK: and.b32 [[HIGH:%r[0-9]+]], [[MOVED]], 252645135;
// CHECK: prmt.b32 {{.*}}, [[LOW]], 1684300900, 16704;
// CHECK: prmt.b32 {{.*}}, [[LOW]], 1684300900, 17218;
// CHECK: prmt.b32 {{.*}}, [[HIGH]], 1128481603, 16704;
// CHECK: sub.rn.bf16
// CHECK-NOT: cvt
// CHECK: ret;
// OLD-LABEL: .visible .entry nibbles(
// OLD: prmt.b32 {{.*}}, 1128481603, 16704;
// OLD: fma.rn.bf16
// OLD-NOT: cvt
// OLD: ret;
nvvm.func @nibbles(%p: !nvvm.ptr<1>) {
  %m = arith.constant 15 : i8
  %k = arith.constant 4 : i8
  %b:4 = nvvm.ld %p : !nvvm.ptr<1> -> i8, i8, i8, i8
  %b0 = arith.andi %b#0, %m : i8
  %b1 = arith.andi %b#1, %m : i8
  %b2 = arith.andi %b#2, %m : i8
  %b3 = arith.andi %b#3, %m : i8
  %c0 = arith.shrui %b#0, %k : i8
  %c1 = arith.shrui %b#1, %k : i8
  %c2 = arith.shrui %b#2, %k : i8
  %c3 = arith.shrui %b#3, %k : i8
  %d0 = arith.uitofp %b0 : i8 to f16
  %d1 = arith.uitofp %b1 : i8 to f16
  %d2 = arith.uitofp %b2 : i8 to f16
  %d3 = arith.uitofp %b3 : i8 to f16
  %e0 = arith.uitofp %c0 : i8 to bf16
  %e1 = arith.uitofp %c1 : i8 to bf16
  %e2 = arith.uitofp %c2 : i8 to bf16
  %e3 = arith.uitofp %c3 : i8 to bf16
  nvvm.st %p, %d0, %d1, %d2, %d3 : !nvvm.ptr<1>, f16, f16, f16, f16
  nvvm.st %p + 8, %e0, %e1, %e2, %e3 : !nvvm.ptr<1>, bf16, bf16, bf16, bf16
  nvvm.return
}

// A bf16 has no place for 8 bits below 128.
// CHECK-LABEL: .visible .entry too_long(
// CHECK-NOT: 1128481603
// CHECK: ret;
nvvm.func @too_long(%p: !nvvm.ptr<1>) {
  %b:4 = nvvm.ld %p : !nvvm.ptr<1> -> i8, i8, i8, i8
  %w = arith.uitofp %b#0 : i8 to bf16
  %x = arith.uitofp %b#1 : i8 to bf16
  %y = arith.uitofp %b#2 : i8 to bf16
  %z = arith.uitofp %b#3 : i8 to bf16
  nvvm.st %p, %w, %x, %y, %z : !nvvm.ptr<1>, bf16, bf16, bf16, bf16
  nvvm.return
}

// Of signed bytes the upper bit is placed apart: 0x43 with the lower bits is 128 + v, with the upper one 128 + 128 * s.
// CHECK-LABEL: .visible .entry signed_bytes(
// CHECK: prmt.b32 [[PLACED:%r[0-9]+]], %{{.*}}, 1128481603, 16704;
// CHECK-DAG: and.b32 {{.*}}, [[PLACED]], 1132413823;
// CHECK-DAG: and.b32 {{.*}}, [[PLACED]], 1132479360;
// CHECK: sub.rn.bf16
// CHECK-NOT: cvt
// CHECK: ret;
// OLD-LABEL: .visible .entry signed_bytes(
// OLD: fma.rn.bf16
// OLD-NOT: cvt
// OLD: ret;
nvvm.func @signed_bytes(%p: !nvvm.ptr<1>) {
  %b:4 = nvvm.ld %p : !nvvm.ptr<1> -> i8, i8, i8, i8
  %w = arith.sitofp %b#0 : i8 to bf16
  %x = arith.sitofp %b#1 : i8 to bf16
  %y = arith.sitofp %b#2 : i8 to bf16
  %z = arith.sitofp %b#3 : i8 to bf16
  nvvm.st %p, %w, %x, %y, %z : !nvvm.ptr<1>, bf16, bf16, bf16, bf16
  nvvm.return
}

// A loop carries the word that it loads ahead.
// CHECK-LABEL: .visible .entry ahead(
// CHECK: ld.global.b32
// CHECK: $L
// CHECK: xor.b32 [[WORD:%r[0-9]+]], %{{.*}}, -2139062144;
// CHECK: prmt.b32 {{.*}}, [[WORD]], 1684300900, 16704;
// CHECK-NOT: prmt.b32 {{.*}}, {{%r[0-9]+}}, {{%r[0-9]+}}
// CHECK-NOT: cvt
// CHECK: bra
// CHECK: ret;
nvvm.func @ahead(%p: !nvvm.ptr<1>, %n: i32) {
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i64
  %b:4 = nvvm.ld %p : !nvvm.ptr<1> -> i8, i8, i8, i8
  cf.br ^bb1(%n, %p, %b#0, %b#1, %b#2, %b#3 : i32, !nvvm.ptr<1>, i8, i8, i8, i8)
^bb1(%i: i32, %q: !nvvm.ptr<1>, %b0: i8, %b1: i8, %b2: i8, %b3: i8):
  %next = nvvm.ptradd %q, %four : !nvvm.ptr<1>, i64
  %a:4 = nvvm.ld %next : !nvvm.ptr<1> -> i8, i8, i8, i8
  %w = arith.sitofp %b0 : i8 to f16
  %x = arith.sitofp %b1 : i8 to f16
  %y = arith.sitofp %b2 : i8 to f16
  %z = arith.sitofp %b3 : i8 to f16
  nvvm.st %p, %w, %x, %y, %z : !nvvm.ptr<1>, f16, f16, f16, f16
  %j = arith.subi %i, %one : i32
  %more = arith.cmpi ne, %j, %one : i32
  cf.cond_br %more, ^bb1(%j, %next, %a#0, %a#1, %a#2, %a#3 : i32, !nvvm.ptr<1>, i8, i8, i8, i8), ^bb2
^bb2:
  nvvm.return
}
