// RUN: tile-opt %s --verify-roundtrip

global @table alignment = 64 <f32: [1.0, 0.5, 0.25, 0.125]> : tile<4xf32>

entry @example() {
  %p = get_global @table : tile<ptr<f32>>
  return
}
