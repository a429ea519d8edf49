// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 12>} {
  nv_tileas.warp_specialize {
    role "load" warps(4) regs(40) {
      // "compute" goes on when this role has come here; this role does not wait for it.
      nv_tileas.barrier_arrive id 1 warps 12
    }
    role "compute" warps(8) {
      nv_tileas.barrier id 1 warps 12
    }
  }
  nv_tileas.return
}
