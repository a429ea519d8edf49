// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <i32: [-7, 0, 1, 100]> : tile<4xi32>
  %r = itof %x signed : tile<4xi32> -> tile<4xf32>
  %s = itof %x unsigned : tile<4xi32> -> tile<4xf16>
  return
}
