// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%x: f32) {
  %a = nv_tileas.splat %x : f32 -> tensor<4x8xf32>
  // The sum of each row.
  %sum = nv_tileas.reduce (%a) {dim = 1 : i64} : (tensor<4x8xf32>) -> tensor<4xf32> (%acc: f32, %elem: f32) {
    %s = arith.addf %acc, %elem : f32
    nv_tileas.yield %s : f32
  }
  nv_tileas.return
}
