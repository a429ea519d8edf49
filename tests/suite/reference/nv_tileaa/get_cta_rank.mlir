// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_ctas = 2>} {
  %rank = nv_tileaa.get_cta_rank : i32
  nv_tileaa.return
}
