// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <i32: [-7, 0, 1, 100]> : tile<4xi32>
  %r = trunci %x : tile<4xi32> -> tile<4xi8>
  %s = trunci %x overflow<no_signed_wrap> : tile<4xi32> -> tile<4xi8>
  return
}
