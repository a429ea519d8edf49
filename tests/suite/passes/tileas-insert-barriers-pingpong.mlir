// RUN: not tile-opt %s --tileas-allocate-shared --tileas-insert-barriers 2>&1 | FileCheck %s

// Only one group of warps of a ping-pong is between pingpong_wait and the next pingpong_signal, so a CTA barrier there would never be complete. A wait at the end of an iteration holds at the beginning of the next one.
// CHECK: error: 'nv_tileas.local_load' op needs a barrier, but only one group of warps of a ping-pong is here, and the others wait for it
// CHECK: note: where the group begins
#rows = #nv_tileas.layout<"{shape = [32, 8], register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 1], [0, 2], [0, 4]], block = []}">
#columns = #nv_tileas.layout<"{shape = [32, 8], register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]], block = []}">
#shared = #nv_tileas.shared<"{shape = [32, 8], offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
nv_tileas.func @k(%n: i32, %x: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<32x8xi32, #shared>
  nv_tileas.warp_specialize {
    role "compute" warps(8) {
      %s = nv_tileas.splat %x : i32 -> tensor<32x8xi32, #rows>
      nv_tileas.local_store %s, %m : tensor<32x8xi32, #rows>, !nv_tileas.buffer<32x8xi32, #shared>
      nv_tileas.pingpong_signal id 1 groups 2 {open}
      nv_tileas.pingpong_wait id 1 groups 2
      scf.for %i = %z to %n step %one : i32 {
        %l = nv_tileas.local_load %m : !nv_tileas.buffer<32x8xi32, #shared> -> tensor<32x8xi32, #columns>
        nv_tileas.local_store %s, %m : tensor<32x8xi32, #rows>, !nv_tileas.buffer<32x8xi32, #shared>
        nv_tileas.pingpong_signal id 1 groups 2
        nv_tileas.pingpong_wait id 1 groups 2
        scf.continue
      }
      nv_tileas.pingpong_signal id 1 groups 2
      nv_tileas.pingpong_wait id 1 groups 2 {close}
    }
  }
  nv_tileas.return
}
