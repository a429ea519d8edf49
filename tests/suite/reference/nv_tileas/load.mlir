// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%p: !nv_tileas.ptr<f32>, %n: i32) {
  // p[0] to p[7], with zeros from p[n] on.
  %same = nv_tileas.splat %p : !nv_tileas.ptr<f32> -> tensor<8x!nv_tileas.ptr<f32>>
  %i = nv_tileas.make_range : tensor<8xi32>
  %q = nv_tileas.addptr %same, %i : tensor<8x!nv_tileas.ptr<f32>>, tensor<8xi32>
  %limit = nv_tileas.splat %n : i32 -> tensor<8xi32>
  %m = arith.cmpi slt, %i, %limit : tensor<8xi32>
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %x, %t = nv_tileas.load %q mask %m : tensor<8xi1> other %zero : tensor<8xf32> : tensor<8x!nv_tileas.ptr<f32>> -> tensor<8xf32>, !nv_tileas.mem_token
  %y, %u = nv_tileas.load %p token %t : !nv_tileas.mem_token {ordering = "acquire", scope = "device"} : !nv_tileas.ptr<f32> -> f32, !nv_tileas.mem_token
  nv_tileas.return
}
