// RUN: tile-opt %s --verify-roundtrip

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">

nv_tileas.func @example(%p: !nv_tileas.ptr<f32>, %holds: i1) {
  %ptrs = nv_tileas.splat %p : !nv_tileas.ptr<f32> -> tensor<32x4x!nv_tileas.ptr<f32>>
  %mask = nv_tileas.splat %holds : i1 -> tensor<32x4xi1>
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<32x4xf32, #shared>
  %t = nv_tileas.gather_async %m, %ptrs mask %mask : tensor<32x4xi1> : !nv_tileas.buffer<32x4xf32, #shared>, tensor<32x4x!nv_tileas.ptr<f32>> -> !nv_tileas.mem_token
  %g = nv_tileas.commit_group : !nv_tileas.group
  nv_tileas.wait_group 0 for %g : !nv_tileas.group
  nv_tileas.return
}
