// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%n: i32) {
  %two = arith.constant 2 : i32
  %limit = arith.constant 100 : i32
  // Doubles until the value is at least 100.
  %r = scf.loop iter_args(%x = %n) -> (i32) : i32 {
    %done = arith.cmpi sge, %x, %limit : i32
    scf.if %done {
      scf.break %x : i32
    }
    %next = arith.muli %x, %two : i32
    scf.continue %next : i32
  }
  nv_tileaa.return
}
