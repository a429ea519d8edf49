// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.global @table = dense<[1, 2, 3, 4]> : tensor<4xi32>
nv_tileaa.global @flags = dense<0> : tensor<8xi8> {alignment = 128 : i64, constant}
