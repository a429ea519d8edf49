// RUN: tile-opt %s --verify-roundtrip

entry @example(%p: tile<ptr<f32>>) {
  // What the load reads, the kernels before may have written.
  %t = gdc_wait_tko -> token
  %x, %u = load_ptr_tko weak %p token=%t : tile<ptr<f32>> -> tile<f32>, token
  return
}
