// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%p: !nv_tileaa.ptr<i32>) {
  %one = arith.constant 1 : i32
  %old, %t = nv_tileaa.atomic_rmw add %p, %one {ordering = "relaxed", scope = "device"} : !nv_tileaa.ptr<i32>, i32 -> i32, !nv_tileaa.mem_token
  nv_tileaa.return
}
