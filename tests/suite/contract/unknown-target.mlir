// RUN: not tile-opt %s --lower-to=ptx 2>&1 | FileCheck %s
// RUN: tile-opt %s | FileCheck %s --check-prefix=KEPT

// CHECK: tile-opt: error: the module is for 'sm_75' (nv_tileaa.compute_capability = 75 : i32), which is no known architecture; there is sm_80, sm_86
// KEPT: nv_tileaa.compute_capability = 75 : i32
module attributes {nv_tileaa.compute_capability = 75 : i32} {
}
