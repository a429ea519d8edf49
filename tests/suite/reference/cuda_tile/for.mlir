// RUN: tile-opt %s --verify-roundtrip

entry @example(%n: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  // Without loop-carried values the continue at the end may be left out.
  for %i in (%zero to %n, step %one) : tile<i32> {
  }
  // 0 + 1 + ... + (n - 1)
  %sum = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%s = %zero) -> (tile<i32>) {
    %next = addi %s, %i : tile<i32>
    continue %next : tile<i32>
  }
  return
}
