// RUN: tile-opt %S/../../docs/testdata/attention.mlir --lower-to=synchronised --gpu-name=sm_80 | FileCheck %s
// RUN: tile-opt %S/../../docs/testdata/attention-two-slots.mlir --lower-to=synchronised --gpu-name=sm_80 | FileCheck %s --check-prefix=TOGETHER
// RUN: tile-opt %S/../../docs/testdata/attention.mlir --lower-to=loops-scheduled --gpu-name=sm_80 --remarks 2>&1 | FileCheck %s --check-prefix=REMARK

// Staggered copies: one stage for each operand, and in an iteration a wait and a barrier for each, before the copy that refills what was read.
// REMARK: loop pipelined (version for tiles inside of bounds): {{.*}}, staggered copies: each starts when its stage has been read
// CHECK: %[[K:.*]] = nv_tileas.alloc_shared at {{[0-9]+}} : !nv_tileas.buffer<128x64xf16
// CHECK: %[[V:.*]] = nv_tileas.alloc_shared at {{[0-9]+}} : !nv_tileas.buffer<64x128xf16
// The first K is copied in front of the loop, if there is one.
// CHECK: nv_tileas.copy_async %[[K]], {{.*}} if %
// CHECK: nv_tileas.commit_group
// CHECK: scf.for
// CHECK-NEXT: nv_tileas.wait_group 0
// CHECK-NOT: nv_tileas.local_load
// CHECK: nv_tileas.barrier
// CHECK: nv_tileas.copy_async %[[V]], %pv
// CHECK: nv_tileas.commit_group
// CHECK-NOT: nv_tileas.barrier
// CHECK-COUNT-8: nv_tileas.dot
// CHECK-NOT: nv_tileas.dot
// CHECK: nv_tileas.wait_group 0
// CHECK-NOT: nv_tileas.local_load
// CHECK: nv_tileas.barrier
// CHECK: nv_tileas.copy_async %[[K]], {{.*}} if %
// CHECK: nv_tileas.commit_group
// CHECK-NOT: nv_tileas.barrier
// CHECK-COUNT-4: nv_tileas.dot
// CHECK-NOT: nv_tileas.{{dot|barrier|wait_group}}
// CHECK: scf.continue
// CHECK: nv_tileas.wait_group 0

// Where two slots cost no tile block on the SM there is one wait and one barrier for both.
// TOGETHER: alloc_shared at {{[0-9]+}} : !nv_tileas.buffer<2 x [128x64xf16]
// TOGETHER: alloc_shared at {{[0-9]+}} : !nv_tileas.buffer<2 x [64x128xf16]
// TOGETHER: scf.for
// TOGETHER: nv_tileas.wait_group 0
// TOGETHER-NOT: local_load
// TOGETHER: nv_tileas.barrier
// TOGETHER-NOT: nv_tileas.{{wait_group|barrier}}
// TOGETHER: scf.continue
