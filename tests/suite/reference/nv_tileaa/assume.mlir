// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%p: !nv_tileaa.ptr<f32>, %n: i32) {
  %q = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<f32>
  %m = nv_tileaa.assume %n div_by<4> lower<0> upper<4096> : i32
  nv_tileaa.return
}
