// RUN: tile-opt %s --allow-unregistered-dialect | FileCheck %s

// Entries and globals that stand in no module get one; what else stands there does not, so it can use values from around it.

// CHECK: module {
// CHECK-NEXT: %[[A:.+]] = "test.a"() : () -> !cuda_tile.tile<f32>
// CHECK-NEXT: cuda_tile.absf %[[A]]
// CHECK-NEXT: cuda_tile.module @kernels {
// CHECK-NEXT: global @g
// CHECK-NEXT: entry @k() {
// CHECK: }
// CHECK-NEXT: }
%a = "test.a"() : () -> !cuda_tile.tile<f32>
%b = cuda_tile.absf %a : !cuda_tile.tile<f32>
cuda_tile.global @g <f32: 1.0> : !cuda_tile.tile<1xf32>
cuda_tile.entry @k() {
  return
}
