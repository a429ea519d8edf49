// RUN: tile-opt %s --verify-roundtrip

#part = #nv_tileas.layout<"{shape = [1, 64], register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32]], block = []}">
#shared = #nv_tileas.shared<"{shape = [1, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]}">

nv_tileas.func @example(%x: f32, %cta: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2, num_ctas = 2>} {
  %a = nv_tileas.splat %x : f32 -> tensor<1x64xf32, #part>
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<1x64xf32, #shared>
  nv_tileas.local_store %a, %m : tensor<1x64xf32, #part>, !nv_tileas.buffer<1x64xf32, #shared>
  nv_tileas.cluster_barrier
  %b = nv_tileas.remote_load %m of %cta : !nv_tileas.buffer<1x64xf32, #shared> -> tensor<1x64xf32, #part>
  // Others still read what this one has stored.
  nv_tileas.cluster_barrier
  nv_tileas.return
}
