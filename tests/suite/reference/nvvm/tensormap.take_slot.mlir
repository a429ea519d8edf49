// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%bits: !nvvm.ptr<1>) {
  // One of 512, by 16 words of bits.
  %slot = nvvm.tensormap.take_slot %bits of 512 : !nvvm.ptr<1> -> i32
  nvvm.tensormap.give_slot %bits, %slot : !nvvm.ptr<1>, i32
  nvvm.return
}
