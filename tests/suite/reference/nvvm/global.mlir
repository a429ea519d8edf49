// RUN: tile-opt %s --verify-roundtrip

nvvm.global @table = dense<[1, 2, 3, 4]> : tensor<4xi32>
nvvm.global @aligned = dense<0.0> : tensor<4xf32> {alignment = 128 : i64}
