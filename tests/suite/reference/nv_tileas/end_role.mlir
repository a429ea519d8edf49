// RUN: tile-opt %s --verify-roundtrip

#rows = #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">
#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">

nv_tileas.func @example(%x: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<32x4xf32, #shared>
  nv_tileas.warp_specialize {
    role "load" warps(1) regs(40) {
      %a = nv_tileas.splat %x : f32 -> tensor<32x4xf32, #rows>
      nv_tileas.local_store %a, %m : tensor<32x4xf32, #rows>, !nv_tileas.buffer<32x4xf32, #shared>
      // What "compute" reads is there when both have come here.
      nv_tileas.barrier id 1 warps 2
    }
    role "compute" warps(1) regs(232) {
      nv_tileas.barrier id 1 warps 2
      %b = nv_tileas.local_load %m : !nv_tileas.buffer<32x4xf32, #shared> -> tensor<32x4xf32, #rows>
    }
  }
  nv_tileas.return
}
