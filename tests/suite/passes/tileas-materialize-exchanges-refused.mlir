// RUN: tile-opt %s --split-input-file --gpu-name=sm_90 --tileas-materialize-exchanges --verify-diagnostics

// Roles do not meet, and what all CTAs do together stands in none.
nv_tileas.func @role() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2, num_ctas = 2>} {
  nv_tileas.warp_specialize {
    role "one" warps(1) {
      // expected-error@+1 {{'nv_tileas.cluster_sync' op stands in role "one", and all warps of all CTAs meet there}}
      %t = nv_tileas.cluster_sync -> !nv_tileas.mem_token
    }
    role "other" warps(1) {
    }
  }
  nv_tileas.return
}
