// RUN: tile-opt %s --split-input-file --convert-cuda-tile-to-tileaa --gpu-name=sm_90 --verify-diagnostics

// Each entry that cannot be converted is named, in their order. The others are converted all the same, but no entry is replaced.
cuda_tile.module @m {
  entry @a() {
    // expected-error@+1 {{'cuda_tile.alloca' op is not lowered to nv_tileaa yet with an alignment of 256 bytes}}
    %b = alloca num_elem = 4, alignment = 256 : tile<ptr<i8>>
    return
  }
  entry @b() {
    return
  }
  entry @c(%x: tile<i1>) {
    if %x {
      // expected-error@+1 {{'cuda_tile.alloca' op of 33554432 elements of 1 bytes is more than any target has}}
      %b = alloca num_elem = 33554432, alignment = 16 : tile<ptr<i8>>
    }
    return
  }
}

// -----

// The verifier of text takes pointers as parameters; no operation does.
// expected-error @below {{'cuda_tile.entry' op type '!cuda_tile.ptr<f16>' has no counterpart in nv_tileaa}}
entry @k(%p: !cuda_tile.ptr<f16>) {
  return
}
