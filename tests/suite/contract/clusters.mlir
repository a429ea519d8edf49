// RUN: tile-opt %s --convert-cuda-tile-to-tileaa --verify-diagnostics

// expected-warning @below {{hint 'tt.cluster_size' is not followed: a tile block is one CTA}}
module attributes {tt.cluster_size = [2, 1, 1]} {
  cuda_tile.module @m {
    entry @k() {
      return
    }
  }
}
