// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // 0 + 1 + ... + (n - 1)
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %zero) -> (i32) : i32 {
    %next = arith.addi %s, %i : i32
    scf.continue %next : i32
  }
  scf.for unsigned %i = %zero to %n step %one : i32 {
    scf.continue
  }
  nv_tileaa.return
}
