// RUN: tile-opt %s --split-input-file --convert-cuda-tile-to-tileaa --gpu-name=sm_100 --verify-diagnostics
// RUN: tile-opt %s --split-input-file --convert-cuda-tile-to-tileaa --gpu-name=sm_100 | FileCheck %s

// Every hint is followed, or a warning names it.
cuda_tile.module @m {
  // CHECK: @k({{.*}}#nv_tileaa.kernel_spec<num_warps = 8, cluster = 2, occupancy = 2>
  entry @k(%p: tile<ptr<f32>>) optimization_hints=<sm_100 = {num_cta_in_cga = 2, occupancy = 2, num_worker_warps_per_cta = 8}> {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(32), tensor_view<64xf32, strides=[1]>>
    %i = constant <i32: 0> : tile<i32>
    %t, %a = load_view_tko weak %w[%i] optimization_hints = <sm_100 = {latency = 3, allow_tma = true}> : partition_view<tile=(32), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<32xf32>, token
    %b = store_view_tko weak %t, %w[%i] optimization_hints = <sm_100 = {latency = 2, allow_tma = true}> : tile<32xf32>, partition_view<tile=(32), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
    return
  }
  // Hints that ask for what happens anyway, and those for other targets, say nothing.
  // CHECK: @l(
  // CHECK-NOT: kernel_spec
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
module attributes {tt.num_stages = 3 : i32, tt.is_persistent, tt.num_ctas = 2 : i32} {
}

// -----

module attributes {tt.is_persistent = false, tt.num_stages = 1 : i32} {
}

// -----

// Values that mean nothing on the target, unknown hints and misspelt attributes are not followed, and said once each.
// expected-warning @below {{attribute 'tt.num_warp' is not followed: no such attribute is known (did you mean 'tt.num_warps'}}
// expected-warning @below {{hint 'tt.num_ctas' = 3 is not followed: CTAs share a tile block only if their number is a power of two}}
module attributes {tt.num_warp = 4 : i32, tt.num_ctas = 3 : i32, other.num_warps = 4 : i32} {
  // expected-warning @below {{attribute 'nv_tileaa.occupansy' is not followed: no such attribute is known (did you mean 'nv_tileaa.occupancy'}}
  cuda_tile.module @m attributes {nv_tileaa.occupansy = 2 : i32, other.occupancy = 2 : i32} {
    // expected-warning @below {{hint 'num_worker_warps_per_cta' = 64 of kernel 'k' is not followed: expected power-of-two ≤ 32 for sm_100}}
    // expected-warning @below {{hint 'num_cta_in_cga' = 3 of kernel 'k' is not followed: expected power-of-two ≤ 16 for sm_100}}
    // expected-warning @below {{hint 'occupancy' = true of kernel 'k' is not followed: integer value expected for sm_100}}
    // expected-warning @below {{hint 'occupancies' = 2 of kernel 'k' is not followed: 'cuda_tile.entry' has no such hint (did you mean 'occupancy'?)}}
    // expected-warning @below {{attribute 'nvvm.maxnregs' is not followed: no such attribute is known (did you mean 'nvvm.maxnreg'}}
    entry @k(%p: tile<ptr<f32>>) optimization_hints=<sm_100 = {num_cta_in_cga = 3, occupancy = true, occupancies = 2}, default = {num_worker_warps_per_cta = 64, occupancy = 4}, sm_90 = {frob = 1}> {
      %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
      %w = make_partition_view %v : partition_view<tile=(32), tensor_view<64xf32, strides=[1]>>
      %i = constant <i32: 0> : tile<i32>
      // expected-warning @below {{hint 'latency' = 11 of kernel 'k' is not followed: integer value in the range [1, 10] is expected for sm_100}}
      %t, %a = load_view_tko weak %w[%i] optimization_hints = <sm_100 = {latency = 11}> : partition_view<tile=(32), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<32xf32>, token
      %u, %b = load_view_tko weak %w[%i] optimization_hints = <sm_100 = {latency = 11}> : partition_view<tile=(32), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<32xf32>, token
      return
    } {nvvm.maxnregs = 32 : i32}
  }
}
