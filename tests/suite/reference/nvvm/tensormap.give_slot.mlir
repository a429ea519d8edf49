// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%bits: !nvvm.ptr<1>, %slot: i32, %first: i1) {
  // The thread that took the slot gives it back.
  nvvm.tensormap.give_slot %bits, %slot if %first : !nvvm.ptr<1>, i32
  nvvm.return
}
