// The module names the target, so that the command line need not.
// RUN: tile-opt %s --lower-to=ptx | FileCheck %s
// RUN: tile-opt %s --lower-to=ptx --gpu-name=sm_100 | FileCheck %s
// RUN: tile-opt %s --lower-to=tileas | FileCheck %s --check-prefix=TILEAS
// RUN: tile-opt %s --lower-to=nvvm | FileCheck %s --check-prefix=NVVM
// RUN: not tile-opt %s --lower-to=ptx --gpu-name=sm_90 2>&1 | FileCheck %s --check-prefix=CONFLICT

// CONFLICT: tile-opt: error: the module is for 'sm_100' (nv_tileaa.compute_capability = 100 : i32), but --gpu-name is 'sm_90'

module attributes {nv_tileaa.compute_capability = 100 : i32, tt.num_warps = 8 : i32, tt.num_stages = 3 : i32} {
  cuda_tile.module @m {
    // CHECK: .target sm_100
    // CHECK: .entry plain(
    // CHECK: .reqntid 256, 1, 1
    // CHECK-NEXT: .minnctapersm 1
    // CHECK-NEXT: {
    // TILEAS: nv_tileas.func @plain() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_stages = 3>,
    entry @plain() {
      return
    }
    // CHECK: .entry limited(
    // CHECK: .reqntid 256, 1, 1
    // CHECK-NEXT: .minnctapersm 3
    // CHECK-NEXT: .maxnreg 64
    // CHECK-NEXT: .maxclusterrank 4
    // CHECK-NEXT: {
    // TILEAS: nv_tileas.func @limited() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, occupancy = 2, num_stages = 3>, {{.*}}nvvm.maxclusterrank = 4 : i32, nvvm.maxnreg = 64 : i32, nvvm.minctasm = 3 : i32
    entry @limited() {
      return
    } {nvvm.maxnreg = 64 : i32, nvvm.minctasm = 3 : i32, nvvm.maxclusterrank = 4 : i32, nv_tileaa.occupancy = 2 : i32}
    // CHECK: .entry occupied(
    // CHECK: .minnctapersm 1
    // CHECK-NEXT: .maxnreg 128
    entry @occupied() {
      return
    } {nv_tileaa.occupancy = 2 : i32}
    // CHECK: .entry clusters(
    // CHECK: .reqnctapercluster 1, 1, 1
    // CHECK-NEXT: .blocksareclusters
    entry @clusters() {
      return
    } {nvvm.blocksareclusters}
    // What a front end says for itself stands on the kernel at every level, and has no place in PTX.
    // TILEAS: nv_tileas.func @foreign() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_stages = 3>, myfrontend.note = "kept", {{.*}}nvvm.reqntid = array<i32: 32>, nvvm.unknown, plain = 7 : i32
    // NVVM: nvvm.func @foreign() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_stages = 3>, nvvm.reqntid = array<i32: 256>, nvvm.minctasm = 1 : i32, myfrontend.note = "kept", nvvm.unknown, plain = 7 : i32, tilewright
    // But for a name that has another meaning where it comes to.
    // CHECK: .entry foreign()
    // CHECK-NEXT: .reqntid 256, 1, 1
    // CHECK-NEXT: .minnctapersm 1
    // CHECK-NEXT: {
    entry @foreign() {
      return
    } {myfrontend.note = "kept", nvvm.unknown, nvvm.reqntid = array<i32: 32>, num_warps = 16 : i32, plain = 7 : i32}
    // The hint of an entry for the target wins over the module.
    // CHECK: .entry hinted(
    // CHECK: .reqntid 128, 1, 1
    entry @hinted() optimization_hints=<sm_100 = {num_worker_warps_per_cta = 4}> {
      return
    }
  }
}
