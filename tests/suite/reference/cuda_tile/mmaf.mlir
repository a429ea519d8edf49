// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %a = constant <f16: 1.0> : tile<16x32xf16>
  %b = constant <f16: 0.5> : tile<32x8xf16>
  %c = constant <f32: 0.0> : tile<16x8xf32>
  %r = mmaf %a, %b, %c : tile<16x32xf16>, tile<32x8xf16>, tile<16x8xf32>
  return
}
