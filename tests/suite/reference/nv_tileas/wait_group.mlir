// RUN: tile-opt %s --verify-roundtrip

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">

nv_tileas.func @example(%p: !nv_tileas.ptr<f32>, %o: i64, %n: i64) {
  %one = arith.constant 1 : i64
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<32x4xf32, #shared>
  %t = nv_tileas.copy_async %m, %p[%o, %o] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.buffer<32x4xf32, #shared>, !nv_tileas.ptr<f32>
  %g = nv_tileas.commit_group : !nv_tileas.group
  nv_tileas.wait_group 0 for %g : !nv_tileas.group
  nv_tileas.return
}
