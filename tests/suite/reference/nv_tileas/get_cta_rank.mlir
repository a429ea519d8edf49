// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_ctas = 2>} {
  %rank = nv_tileas.get_cta_rank : i32
  nv_tileas.return
}
