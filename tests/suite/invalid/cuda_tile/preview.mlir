// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What the operations of the chapter Preview reject.

entry @k(%arg: tile<i32>) {
  // expected-error@+1 {{'cuda_tile.preview$call' op attribute 'callee' failed to satisfy constraint: flat symbol reference attribute, but got "f"}}
  %0 = "cuda_tile.preview$call"(%arg) <{callee = "f", const_args = []}> : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
  return
}

// -----

entry @k(%arg: tile<i32>) {
  // expected-error@+1 {{'cuda_tile.preview$call' op requires attribute 'const_args'}}
  %0 = "cuda_tile.preview$call"(%arg) <{callee = @f}> : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
  return
}
