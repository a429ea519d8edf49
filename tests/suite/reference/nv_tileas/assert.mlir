// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%n: i32) {
  %zero = arith.constant 0 : i32
  %c = arith.cmpi sgt, %n, %zero : i32
  nv_tileas.assert %c, "n must be positive" : i1
  nv_tileas.return
}
