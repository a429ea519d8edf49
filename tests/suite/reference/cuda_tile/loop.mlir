// RUN: tile-opt %s --verify-roundtrip

entry @example(%n: tile<i32>) {
  %two = constant <i32: 2> : tile<i32>
  // Doubles until the value is at least 100. Types after the colon are those of the carried values, then of the results.
  %r = loop iter_values(%x = %n) : tile<i32> -> tile<i32> {
    %limit = constant <i32: 100> : tile<i32>
    %done = cmpi greater_than_or_equal %x, %limit, signed : tile<i32> -> tile<i1>
    if %done {
      break %x : tile<i32>
    }
    %next = muli %x, %two : tile<i32>
    continue %next : tile<i32>
  }
  return
}
