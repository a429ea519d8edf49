// RUN: tile-opt %s --lower-to=ptx -O0 --gpu-name=sm_120 | FileCheck %s

// cvt rounds two f32 to bytes at once, the lower one second. A store of four bytes takes two of them, one of two bytes
// one. A byte without its neighbour comes alone.
// CHECK-LABEL: .visible .entry bytes(
// CHECK: cvt.rn.satfinite.e4m3x2.f32 [[LOW:%rs[0-9]+]], [[B:%f[0-9]+]], [[A:%f[0-9]+]];
// CHECK: cvt.rn.satfinite.e4m3x2.f32 [[HIGH:%rs[0-9]+]], [[D:%f[0-9]+]], [[C:%f[0-9]+]];
// CHECK: mov.b32 [[WORD:%r[0-9]+]], {[[LOW2:%rs[0-9]+]], [[HIGH2:%rs[0-9]+]]};
// CHECK: st.global.b32 {{.*}}, [[WORD]];
// CHECK: cvt.rn.satfinite.e5m2x2.f32 [[PAIR:%rs[0-9]+]], [[B]], [[A]];
// CHECK: st.global.b16 {{.*}}, [[PAIR]];
// CHECK: cvt.rn.satfinite.e4m3x2.f32 {{%rs[0-9]+}}, 0f00000000, [[A]];
nvvm.func @bytes(%p: !nvvm.ptr<1>) {
  %a, %b, %c, %d = nvvm.ld %p : !nvvm.ptr<1> -> f32, f32, f32, f32
  %0 = arith.ftof %a : f32 to f8E4M3FN
  %1 = arith.ftof %b : f32 to f8E4M3FN
  %2 = arith.ftof %c : f32 to f8E4M3FN
  %3 = arith.ftof %d : f32 to f8E4M3FN
  nvvm.st %p, %0, %1, %2, %3 : !nvvm.ptr<1>, f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E4M3FN
  %4 = arith.ftof %a : f32 to f8E5M2
  %5 = arith.ftof %b : f32 to f8E5M2
  nvvm.st %p + 16, %4, %5 : !nvvm.ptr<1>, f8E5M2, f8E5M2
  %6 = arith.ftof %a : f32 to f8E4M3FN
  nvvm.st %p + 32, %6 : !nvvm.ptr<1>, f8E4M3FN
  nvvm.return
}

// Halves of bytes come from registers of 8 bits, which only mov takes: four to a word, or one to a register of 16 bits.
// CHECK-LABEL: .visible .entry halves(
// CHECK-COUNT-4: cvt.rn.satfinite.e2m1x2.f32 %b
// CHECK: mov.b32 {{%r[0-9]+}}, {%b1, %b2, %b3, %b4};
// CHECK: cvt.rn.satfinite.e2m1x2.f32 %b5,
// CHECK: mov.b16 [[TWICE:%rs[0-9]+]], {%b5, %b5};
// CHECK: and.b16 [[BYTE:%rs[0-9]+]], [[TWICE]], 255;
// CHECK: st.global.u8 {{.*}}, [[BYTE]];
nvvm.func @halves(%p: !nvvm.ptr<1>) {
  %a, %b, %c, %d = nvvm.ld %p : !nvvm.ptr<1> -> f32, f32, f32, f32
  %0 = nvvm.cvt.e2m1x2 %a, %b
  %1 = nvvm.cvt.e2m1x2 %c, %d
  %2 = nvvm.cvt.e2m1x2 %b, %c
  %3 = nvvm.cvt.e2m1x2 %d, %a
  nvvm.st %p, %0, %1, %2, %3 : !nvvm.ptr<1>, i8, i8, i8, i8
  %4 = nvvm.cvt.e2m1x2 %a, %d
  nvvm.st %p + 32, %4 : !nvvm.ptr<1>, i8
  nvvm.return
}
