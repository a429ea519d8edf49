// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
  // [1, 3, 6, 10]
  %r = scan %x dim=0 reverse=false identities=[0 : i32] : tile<4xi32> -> tile<4xi32>
  (%acc: tile<i32>, %elem: tile<i32>) {
    %s = addi %acc, %elem : tile<i32>
    yield %s : tile<i32>
  }
  return
}
