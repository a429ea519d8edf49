// RUN: tile-opt %s --verify-roundtrip

// Arguments are scalars and pointers; the host passes them at launch.
entry @copy(%src: tile<ptr<f32>>, %dst: tile<ptr<f32>>) {
  %x, %loaded = load_ptr_tko weak %src : tile<ptr<f32>> -> tile<f32>, token
  %stored = store_ptr_tko weak %dst, %x : tile<ptr<f32>>, tile<f32> -> token
  return
}

entry @tuned() optimization_hints=<default = {num_cta_in_cga = 1}, sm_100 = {num_cta_in_cga = 2, occupancy = 2}> {
  return
}
