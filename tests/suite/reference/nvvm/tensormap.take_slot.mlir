// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%bits: !nvvm.ptr<1>) {
  // One of 512, by 16 words of bits. An SM holds two CTAs.
  %slot = nvvm.tensormap.take_slot %bits of 512 with 2 per sm : !nvvm.ptr<1> -> i32
  nvvm.tensormap.give_slot %bits, %slot : !nvvm.ptr<1>, i32
  nvvm.return
}
