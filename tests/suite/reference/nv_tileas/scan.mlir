// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example() {
  %a = nv_tileas.make_range : tensor<8xi32>
  // [0, 1, 3, 6, 10, 15, 21, 28]
  %sums = nv_tileas.scan (%a) {dim = 0 : i64} : (tensor<8xi32>) -> tensor<8xi32> (%acc: i32, %elem: i32) {
    %s = arith.addi %acc, %elem : i32
    nv_tileas.yield %s : i32
  }
  %back = nv_tileas.scan (%a) {dim = 0 : i64, reverse} : (tensor<8xi32>) -> tensor<8xi32> (%acc: i32, %elem: i32) {
    %s = arith.addi %acc, %elem : i32
    nv_tileas.yield %s : i32
  }
  nv_tileas.return
}
