// RUN: tile-opt %s --split-input-file --convert-cuda-tile-to-tileaa --gpu-name=sm_100 --verify-diagnostics

// Every hint is followed, or a warning names it: once for each kernel.
cuda_tile.module @m {
  // expected-warning @below {{hint 'num_cta_in_cga' = 2 of kernel 'k' is not followed: a tile block is one CTA}}
  entry @k(%p: tile<ptr<f32>>) optimization_hints=<sm_100 = {num_cta_in_cga = 2, occupancy = 2, num_worker_warps_per_cta = 8}> {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(32), tensor_view<64xf32, strides=[1]>>
    %i = constant <i32: 0> : tile<i32>
    %t, %a = load_view_tko weak %w[%i] optimization_hints = <sm_100 = {latency = 3, allow_tma = true}> : partition_view<tile=(32), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<32xf32>, token
    %b = store_view_tko weak %t, %w[%i] optimization_hints = <sm_100 = {latency = 2, allow_tma = true}> : tile<32xf32>, partition_view<tile=(32), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
    return
  }
  // Hints that ask for what happens anyway, and those for other targets, say nothing.
  entry @l(%p: tile<ptr<f32>>) optimization_hints=<sm_100 = {num_cta_in_cga = 1}, sm_90 = {num_cta_in_cga = 4}> {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(32), tensor_view<64xf32, strides=[1]>>
    %i = constant <i32: 0> : tile<i32>
    %t, %a = load_view_tko weak %w[%i] optimization_hints = <sm_100 = {allow_tma = false}> : partition_view<tile=(32), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<32xf32>, token
    return
  }
}

// -----

// expected-warning @below {{hint 'tt.is_persistent' is not followed: each tile block is launched for itself}}
// expected-warning @below {{hint 'tt.num_ctas' = 2 is not followed: a tile block is one CTA}}
module attributes {tt.num_stages = 3 : i32, tt.is_persistent, tt.num_ctas = 2 : i32} {
}

// -----

// expected-warning @below {{hint 'tt.cluster_dim' is not followed: a tile block is one CTA}}
module attributes {tt.cluster_dim = array<i32: 2, 1, 1>, tt.is_persistent = false, tt.num_stages = 1 : i32} {
}
