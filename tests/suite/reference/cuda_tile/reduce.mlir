// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <f32: 1.0> : tile<4x8xf32>
  // The sum of each row.
  %r = reduce %x dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
  (%acc: tile<f32>, %elem: tile<f32>) {
    %s = addf %acc, %elem : tile<f32>
    yield %s : tile<f32>
  }
  return
}
