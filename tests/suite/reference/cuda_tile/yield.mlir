// RUN: tile-opt %s --verify-roundtrip

entry @example(%c: tile<i1>, %x: tile<f32>, %y: tile<f32>) {
  %r:2 = if %c -> (tile<f32>, tile<f32>) {
    yield %x, %y : tile<f32>, tile<f32>
  } else {
    yield %y, %x : tile<f32>, tile<f32>
  }
  return
}
