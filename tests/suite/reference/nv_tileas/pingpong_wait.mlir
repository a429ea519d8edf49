// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 12>} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  nv_tileas.warp_specialize {
    role "compute" warps(8) regs(240) {
      nv_tileas.pingpong_signal id 1 groups 2 {open}
      scf.for %i = %z to %n step %one : i32 {
        // Warps 0 to 3 go on; warps 4 to 7 wait until these have passed the turn.
        nv_tileas.pingpong_wait id 1 groups 2
        nv_tileas.pingpong_signal id 1 groups 2
        scf.continue
      }
      nv_tileas.pingpong_wait id 1 groups 2 {close}
    }
    role "load" warps(4) regs(24) {
    }
  }
  nv_tileas.return
}
