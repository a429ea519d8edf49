// RUN: tile-opt %s --verify-roundtrip

entry @example(%c: tile<i1>, %x: tile<i32>) {
  if %c {
    assert %c, "only here" : tile<i1>
  }
  %r = if %c -> (tile<i32>) {
    yield %x : tile<i32>
  } else {
    %minus = negi %x : tile<i32>
    yield %minus : tile<i32>
  }
  return
}
