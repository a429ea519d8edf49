// RUN: tile-opt %S/../codegen/attention.mlir --lower-to=local-conversions --gpu-name=sm_100 --warp-roles=none "--before=tileas-schedule-loops:tileas-schedule-loops{at-once=2},tileas-pipeline-loops" | FileCheck %s

// The accumulator is scaled in the iteration after that of the exponentials. The scales of rows cross, of one element
// each, and not their broadcast to all columns, which took a register for each. P crosses as it is: 64 columns.
// CHECK: scf.for {{.*}} -> (i32, i32, i32, tensor<64x64xf32, {{#[a-z0-9]+}}>, tensor<64x1xf32, {{#[a-z0-9]+}}>, tensor<64x1xf32, {{#[a-z0-9]+}}>, tensor<64x1xf32, {{#[a-z0-9]+}}>, !nv_tileas.buffer
// CHECK: %[[WIDE:.*]] = nv_tileas.broadcast %{{.*}} : tensor<64x1xf32, {{#[a-z0-9]+}}> -> tensor<64x64xf32
// CHECK: nv_tileas.tmem_scale %[[WIDE]]
// CHECK: scf.continue
