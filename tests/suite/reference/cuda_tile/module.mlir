// RUN: tile-opt %s --verify-roundtrip

// A file that holds bare entries and globals means a module named kernels around them.
cuda_tile.module @kernels {
  global @table <f32: [1.0, 2.0]> : tile<2xf32>
  entry @example() {
    return
  }
}
