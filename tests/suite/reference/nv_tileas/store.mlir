// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%p: !nv_tileas.ptr<f32>, %n: i32) {
  // p[0] to p[7], but nothing from p[n] on.
  %same = nv_tileas.splat %p : !nv_tileas.ptr<f32> -> tensor<8x!nv_tileas.ptr<f32>>
  %i = nv_tileas.make_range : tensor<8xi32>
  %q = nv_tileas.addptr %same, %i : tensor<8x!nv_tileas.ptr<f32>>, tensor<8xi32>
  %limit = nv_tileas.splat %n : i32 -> tensor<8xi32>
  %m = arith.cmpi slt, %i, %limit : tensor<8xi32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %t = nv_tileas.store %q, %one mask %m : tensor<8xi1> : tensor<8x!nv_tileas.ptr<f32>>, tensor<8xf32> -> !nv_tileas.mem_token
  nv_tileas.return
}
