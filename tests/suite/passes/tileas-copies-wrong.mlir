// RUN: tile-opt %s --tileas-materialize-copies --gpu-name=sm_80 --verify-diagnostics

// A plan that does not hold is an error of who carries it out.
#rows = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}">
nv_tileas.func @none(%p: !nv_tileas.ptr<f16>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // expected-error@+1 {{'nv_tileas.tiled_load' op is planned as cp.async, which cannot represent it: it feeds no MMA}}
  %a, %t = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>, nv_tileas.transfer = "cp.async"} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #rows>
  %u = nv_tileas.tiled_store %a, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf16, #rows>, !nv_tileas.ptr<f16>
  nv_tileas.return
}
