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
