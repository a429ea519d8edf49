// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: nvvm.func @products(
nvvm.func @products(%a: i64, %b: i64, %w: i32, %x: f32) {
  // CHECK: nvvm.wgmma.fence
  nvvm.wgmma.fence
  // CHECK: %d:4 = nvvm.wgmma.mma_async from %a by %b {shape = "m64n8k16", a_type = "f16", b_type = "f16", d_type = "f32", trans_a, trans_b} -> f32, f32, f32, f32
  %d:4 = nvvm.wgmma.mma_async from %a by %b {shape = "m64n8k16", a_type = "f16", b_type = "f16", d_type = "f32", trans_a, trans_b} -> f32, f32, f32, f32
  // CHECK: %e:4 = nvvm.wgmma.mma_async registers %w, %w, %w, %w : i32, i32, i32, i32 by %b add %d#0, %d#1, %d#2, %d#3 : f32, f32, f32, f32 {shape = {{.*}}} -> f32, f32, f32, f32
  %e:4 = nvvm.wgmma.mma_async registers %w, %w, %w, %w : i32, i32, i32, i32 by %b add %d#0, %d#1, %d#2, %d#3 : f32, f32, f32, f32 {shape = "m64n8k16", a_type = "f16", b_type = "f16", d_type = "f32"} -> f32, f32, f32, f32
  // CHECK: nvvm.wgmma.commit_group
  nvvm.wgmma.commit_group
  // CHECK: nvvm.wgmma.wait_group 1{{$}}
  nvvm.wgmma.wait_group 1
  // CHECK: nvvm.wgmma.wait_group 0 for %e#0, %e#1 : f32, f32
  %r:2 = nvvm.wgmma.wait_group 0 for %e#0, %e#1 : f32, f32
  nvvm.return
}
