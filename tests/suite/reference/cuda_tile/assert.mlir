// RUN: tile-opt %s --verify-roundtrip

entry @example(%n: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %c = cmpi greater_than %n, %zero, signed : tile<i32> -> tile<i1>
  assert %c, "n must be positive" : tile<i1>
  return
}
