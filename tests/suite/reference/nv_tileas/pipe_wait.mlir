// RUN: tile-opt %s --verify-roundtrip

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
#layout = #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">
!one = !nv_tileas.buffer<32x4xf32, #shared>
!two = !nv_tileas.buffer<2 x [32x4xf32], #shared>
!pipe = !nv_tileas.pipe<threads -> threads, !two>

nv_tileas.func @example(%p: !nv_tileas.ptr<f32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %buffer = nv_tileas.alloc_shared : !two
  %pipe = nv_tileas.pipe_create %buffer : !two -> !pipe
  nv_tileas.warp_specialize {
    role "fill" warps(1) {
      %ones = arith.constant dense<1.0> : tensor<32x4xf32> as tensor<32x4xf32, #layout>
      scf.for %i = %zero to %n step %one : i32 {
        %stage = nv_tileas.pipe_acquire %pipe : !pipe
        nv_tileas.local_store %ones, %stage : tensor<32x4xf32, #layout>, !one
        nv_tileas.pipe_commit %pipe : !pipe
        scf.continue
      }
    }
    role "read" warps(1) {
      scf.for %i = %zero to %n step %one : i32 {
        // Waits until the stage of this iteration has been committed.
        %stage = nv_tileas.pipe_wait %pipe : !pipe
        %tile = nv_tileas.local_load %stage : !one -> tensor<32x4xf32, #layout>
        nv_tileas.pipe_release %pipe : !pipe
        scf.continue
      }
    }
  }
  nv_tileas.return
}
