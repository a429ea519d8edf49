// RUN: tile-opt %s --verify-roundtrip

#part = #nv_tileas.layout<"{shape = [1, 64], register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32]], block = []}">
#all = #nv_tileas.layout<"{shape = [2, 64], register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32]], block = []}">

// Each thread has what the same thread of each CTA has.
nv_tileas.func @example(%x: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2, num_ctas = 2>} {
  %part = nv_tileas.splat %x : f32 -> tensor<1x64xf32, #part>
  %all = nv_tileas.all_gather %part dim 0 : tensor<1x64xf32, #part> -> tensor<2x64xf32, #all>
  nv_tileas.return
}
