// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%n: i32) {
  %zero = arith.constant 0 : i32
  %c = arith.cmpi sgt, %n, %zero : i32
  nv_tileaa.assert %c, "n must be positive" : i1
  nv_tileaa.return
}
