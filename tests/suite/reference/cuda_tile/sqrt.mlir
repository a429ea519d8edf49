// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <f32: [0.5, 1.0, 2.25, 4.0]> : tile<4xf32>
  %r = sqrt %x : tile<4xf32>
  %s = sqrt %x rounding<approx> flush_to_zero : tile<4xf32>
  return
}
