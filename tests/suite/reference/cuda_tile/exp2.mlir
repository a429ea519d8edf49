// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <f32: [-1.5, 0.0, 2.25, 4.0]> : tile<4xf32>
  %r = exp2 %x : tile<4xf32>
  %s = exp2 %x flush_to_zero : tile<4xf32>
  return
}
