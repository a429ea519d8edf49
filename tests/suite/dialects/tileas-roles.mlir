// RUN: tile-opt %s --verify-roundtrip | FileCheck %s

#rows = #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">
#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">

// Roles with and without registers, barriers of all warps and of some, and an arrival that does not wait. The end of a role is not written.
// CHECK-LABEL: nv_tileas.func @roles
// CHECK: nv_tileas.barrier
// CHECK: nv_tileas.warp_specialize {
// CHECK-NEXT: role "load" warps(1) regs(40) {
// CHECK: nv_tileas.barrier_arrive id 1 warps 2
// CHECK: role "compute" warps(1) {
// CHECK: nv_tileas.barrier id 1 warps 2
nv_tileas.func @roles(%x: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<32x4xf32, #shared>
  nv_tileas.barrier
  nv_tileas.warp_specialize {
    role "load" warps(1) regs(40) {
      %a = nv_tileas.splat %x : f32 -> tensor<32x4xf32, #rows>
      nv_tileas.local_store %a, %m : tensor<32x4xf32, #rows>, !nv_tileas.buffer<32x4xf32, #shared>
      nv_tileas.barrier_arrive id 1 warps 2
      nv_tileas.end_role
    }
    role "compute" warps(1) {
      nv_tileas.barrier id 1 warps 2
      %b = nv_tileas.local_load %m : !nv_tileas.buffer<32x4xf32, #shared> -> tensor<32x4xf32, #rows>
    }
  }
  nv_tileas.return
}

// CHECK-LABEL: nv_tileas.func @no_registers
// CHECK: role "a" warps(1) {
// CHECK: role "b" warps(1) {
nv_tileas.func @no_registers() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  nv_tileas.warp_specialize {
    role "a" warps(1) {
    }
    role "b" warps(1) {
    }
  }
  nv_tileas.return
}

// Groups of a role's warps that take turns.
// CHECK-LABEL: nv_tileas.func @turns
// CHECK: nv_tileas.pingpong_signal id 1 groups 2 {open}
// CHECK-NEXT: nv_tileas.pingpong_wait id 1 groups 2{{$}}
// CHECK-NEXT: nv_tileas.pingpong_signal id 1 groups 2{{$}}
// CHECK-NEXT: nv_tileas.pingpong_wait id 1 groups 2 {close}
nv_tileas.func @turns() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  nv_tileas.warp_specialize {
    role "a" warps(4) {
      nv_tileas.pingpong_signal id 1 groups 2 {open}
      nv_tileas.pingpong_wait id 1 groups 2
      nv_tileas.pingpong_signal id 1 groups 2
      nv_tileas.pingpong_wait id 1 groups 2 {close}
    }
  }
  nv_tileas.return
}
