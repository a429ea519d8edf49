// RUN: tile-opt %s --verify-roundtrip

nvvm.global @table = dense<[1, 2, 3, 4]> : tensor<4xi32>

nvvm.func @example() {
  %p = nvvm.addressof @table : !nvvm.ptr<1>
  %x = nvvm.ld %p : !nvvm.ptr<1> -> i32
  nvvm.return
}
