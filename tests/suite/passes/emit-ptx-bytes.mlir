// RUN: tile-opt %s --emit-ptx --gpu-name=sm_90 --print-artifact=ptx | FileCheck %s

// Bytes of a word are converted where they are in it: I2F reads a byte of a register.
// CHECK-LABEL: .visible .entry floats(
// CHECK: ld.global.b32 [[WORD:%r[0-9]+]]
// CHECK-NEXT: bfe.s32 [[A:%r[0-9]+]], [[WORD]], 0, 8;
// CHECK-NEXT: cvt.rn.f32.s32 {{.*}}, [[A]];
// CHECK-NEXT: bfe.s32 [[B:%r[0-9]+]], [[WORD]], 8, 8;
// CHECK: bfe.s32 {{.*}}, [[WORD]], 24, 8;
// CHECK-NOT: prmt
// CHECK: ret;
nvvm.func @floats(%p: !nvvm.ptr<1>) {
  %b:4 = nvvm.ld %p : !nvvm.ptr<1> -> i8, i8, i8, i8
  %w = arith.sitofp %b#0 : i8 to f32
  %x = arith.sitofp %b#1 : i8 to f32
  %y = arith.sitofp %b#2 : i8 to f32
  %z = arith.sitofp %b#3 : i8 to f32
  nvvm.st %p, %w, %x, %y, %z : !nvvm.ptr<1>, f32, f32, f32, f32
  nvvm.return
}

// CHECK-LABEL: .visible .entry numbers(
// CHECK: ld.global.b32 [[WORD:%r[0-9]+]]
// CHECK-NEXT: bfe.u32 {{.*}}, [[WORD]], 0, 8;
// CHECK-NEXT: bfe.u32 {{.*}}, [[WORD]], 8, 8;
// CHECK: ret;
nvvm.func @numbers(%p: !nvvm.ptr<1>) {
  %b:4 = nvvm.ld %p : !nvvm.ptr<1> -> i8, i8, i8, i8
  %w = arith.extui %b#0 : i8 to i32
  %x = arith.extui %b#1 : i8 to i32
  %y = arith.extui %b#2 : i8 to i32
  %z = arith.extui %b#3 : i8 to i32
  nvvm.st %p, %w, %x, %y, %z : !nvvm.ptr<1>, i32, i32, i32, i32
  nvvm.return
}

// A byte that is stored too, or a number of another kind, is a byte of its own. An operation without results is no
// conversion.
// CHECK-LABEL: .visible .entry mixed(
// CHECK-NOT: bfe
// CHECK: ret;
nvvm.func @mixed(%p: !nvvm.ptr<1>) {
  %b:4 = nvvm.ld %p : !nvvm.ptr<1> -> i8, i8, i8, i8
  nvvm.st %p + 8, %b#0 : !nvvm.ptr<1>, i8
  %x = arith.sitofp %b#1 : i8 to f32
  %y = arith.uitofp %b#2 : i8 to f32
  %z = arith.sitofp %b#3 : i8 to f32
  nvvm.st %p, %x, %y, %z, %z : !nvvm.ptr<1>, f32, f32, f32, f32
  nvvm.return
}
