// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%p: !nvvm.ptr<1>, %n: i32) attributes {nvvm.reqntid = array<i32: 128>, nvvm.minctasm = 2 : i32} {
  nvvm.return
}
