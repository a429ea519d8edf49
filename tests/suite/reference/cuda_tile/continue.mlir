// RUN: tile-opt %s --verify-roundtrip

entry @example(%n: tile<i32>, %c: tile<i1>) {
  %one = constant <i32: 1> : tile<i32>
  %r = for %i in (%one to %n, step %one) : tile<i32> iter_values(%x = %n) -> (tile<i32>) {
    if %c {
      // Begins the next iteration from inside an if.
      continue %x : tile<i32>
    }
    %y = muli %x, %i : tile<i32>
    continue %y : tile<i32>
  }
  return
}
