// RUN: tile-opt %s --verify-roundtrip

// Read, but never printed: pow is the name that versions up to 13.3 used for fpowf.
entry @example(%x: tile<f32>) {
  %r = pow %x, %x : tile<f32>
  return
}
