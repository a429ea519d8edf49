// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%one: i1) {
  %x = arith.constant dense<[-7, 0, 1, 100]> : tensor<4xi32>
  %y = arith.constant dense<[3, 2, -1, 8]> : tensor<4xi32>
  %c = arith.cmpi slt, %x, %y : tensor<4xi32>
  %r = arith.select %c, %x, %y : tensor<4xi1>, tensor<4xi32>
  // One condition for all elements.
  %s = arith.select %one, %x, %y : i1, tensor<4xi32>
  nv_tileaa.return
}
