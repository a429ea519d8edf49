// RUN: tile-opt %s --verify-roundtrip

entry @example(%n: tile<i32>, %c: tile<i1>) {
  %r = loop : tile<i32> {
    break %n : tile<i32>
  }
  loop {
    if %c {
      break
    }
  }
  return
}
