// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %r = iota : tile<8xi32>
  return
}
