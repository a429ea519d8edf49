// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <i32: [-7, 0, 1, 100]> : tile<4xi32>
  %n = constant <i32: 3> : tile<4xi32>
  %r = shli %x, %n : tile<4xi32>
  %s = shli %x, %n overflow<no_signed_wrap> : tile<4xi32>
  return
}
