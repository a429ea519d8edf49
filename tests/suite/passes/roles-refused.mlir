// RUN: tile-opt %s --split-input-file --convert-tileas-to-nvvm --gpu-name=sm_90 --verify-diagnostics

// Lowering does not know roles yet, and says so.
nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  // expected-error@+1 {{'nv_tileas.warp_specialize' op is not lowered to nvvm yet}}
  nv_tileas.warp_specialize {
    role "a" warps(1) {
    }
    role "b" warps(1) {
    }
  }
  nv_tileas.return
}
