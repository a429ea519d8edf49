// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%x: f32) {
  %a = nv_tileaa.splat %x : f32 -> tensor<4x8xf32>
  %max = nv_tileaa.reduce (%a) {dim = 1 : i64} : (tensor<4x8xf32>) -> tensor<4xf32> (%acc: f32, %elem: f32) {
    %m = arith.maxnumf %acc, %elem : f32
    nv_tileaa.yield %m : f32
  }
  nv_tileaa.return
}
