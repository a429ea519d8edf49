// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%p: !nv_tileas.ptr<i32>) {
  // Takes a lock: 1 where memory holds 0.
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %old, %t = nv_tileas.atomic_cas %p, %zero : i32, %one {ordering = "acquire", scope = "device"} : !nv_tileas.ptr<i32>, i32 -> i32, !nv_tileas.mem_token
  nv_tileas.return
}
