// RUN: tile-opt %s --verify-roundtrip

// Only the generic form exists, and no released version of the bytecode has the operation.
cuda_tile.module @kernels {
  entry @example(%x: tile<i32>) {
    %r = "cuda_tile.preview$call"(%x) <{callee = @f, const_args = []}> : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
    return
  }
}
