// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%p: !nv_tileas.ptr<i32>) {
  %one = arith.constant 1 : i32
  %old, %t = nv_tileas.atomic_rmw add %p, %one {ordering = "relaxed", scope = "device"} : !nv_tileas.ptr<i32>, i32 -> i32, !nv_tileas.mem_token
  nv_tileas.return
}
