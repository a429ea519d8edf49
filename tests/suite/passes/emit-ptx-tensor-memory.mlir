// RUN: tile-opt %s --lower-to=ptx -O0 --gpu-name=sm_100 | FileCheck %s

// One word everywhere goes in instructions of few columns, whose operands are consecutive registers; other values in as few as there can be.
// CHECK-LABEL: .visible .entry stores(
// CHECK: tcgen05.st.sync.aligned.32x32b.x16.b32
// CHECK: tcgen05.st.sync.aligned.32x32b.x8.b32
// CHECK-NEXT: tcgen05.wait::st.sync.aligned;
// CHECK: tcgen05.st.sync.aligned.16x32bx2.x2.b32 [%r{{[0-9]+}}+4], 2, {%r{{[0-9]+}}, %r{{[0-9]+}}};
nvvm.func @stores(%t: i32, %x: i32, %y: i32) {
  nvvm.tcgen05.st %t, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x : i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32
  nvvm.tcgen05.st %t + 4 split 2, %x, %y : i32, i32, i32
  nvvm.return
}

// What the CTAs of a pair do together.
// CHECK-LABEL: .visible .entry two_ctas(
// CHECK: tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32
// CHECK-NEXT: tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;
// CHECK: tcgen05.mma.cta_group::2.kind::f16
// CHECK: tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%r{{[0-9]+}}], %rs{{[0-9]+}};
// CHECK: tcgen05.dealloc.cta_group::2.sync.aligned.b32
nvvm.func @two_ctas(%a: i64, %b: i64, %descriptor: i32, %t: i32, %n: i32) {
  %add = arith.constant true
  %s = arith.constant 0 : i32
  %p = nvvm.inttoptr %s : i32 -> !nvvm.ptr<3>
  %both = arith.trunci %n : i32 to i16
  nvvm.tcgen05.alloc %p, 32 {two_ctas} : !nvvm.ptr<3>
  nvvm.tcgen05.mma "f16" %t, %a, %b, %descriptor if %add {two_ctas} : i64
  nvvm.tcgen05.commit %p to %both {two_ctas} : !nvvm.ptr<3>
  nvvm.tcgen05.dealloc %t, 32 {two_ctas} : i32
  nvvm.return
}
