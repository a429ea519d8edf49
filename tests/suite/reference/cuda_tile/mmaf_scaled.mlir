// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  // One scale for 32 elements along K.
  %a = constant <f8E4M3FN: 1.0> : tile<16x64xf8E4M3FN>
  %b = constant <f8E4M3FN: 1.0> : tile<64x8xf8E4M3FN>
  %c = constant <f32: 0.0> : tile<16x8xf32>
  %as = constant <f8E8M0FNU: 2.0> : tile<16x2xf8E8M0FNU>
  %bs = constant <f8E8M0FNU: 0.5> : tile<2x8xf8E8M0FNU>
  %r = mmaf_scaled %a, %b, %c, %as, %bs : tile<16x64xf8E4M3FN>, tile<64x8xf8E4M3FN>, tile<16x8xf32>, tile<16x2xf8E8M0FNU>, tile<2x8xf8E8M0FNU>
  return
}
