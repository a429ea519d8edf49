// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%part: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_ctas = 4>} {
  // The sums of four CTAs, which each of them adds up in the same order.
  %one = nv_tileaa.splat %part : f32 -> tensor<1xf32>
  %all = nv_tileaa.all_gather %one dim 0 : tensor<1xf32> -> tensor<4xf32>
  %sum = nv_tileaa.reduce (%all) {dim = 0 : i64} : (tensor<4xf32>) -> f32 (%acc: f32, %elem: f32) {
    %t = arith.addf %acc, %elem : f32
    nv_tileaa.yield %t : f32
  }
  nv_tileaa.return
}
