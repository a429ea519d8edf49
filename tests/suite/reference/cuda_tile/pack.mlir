// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <f4E2M1FN: 1.0> : tile<16xf4E2M1FN>
  %r = pack %x : tile<16xf4E2M1FN> -> tile<8xi8>
  return
}
