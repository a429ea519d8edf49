// RUN: tile-opt %s --lower-to=ptx --gpu-name=sm_100 | FileCheck %s

// The instruction with 8 columns has 64 rows, so 128 rows are two of it for each step of K: 8 columns apart in half of
// the lanes.
// CHECK-LABEL: .entry eight
// CHECK-COUNT-8: tcgen05.mma
// CHECK-NOT: tcgen05.mma
// CHECK-LABEL: .entry sixteen
// CHECK-COUNT-4: tcgen05.mma
// CHECK-NOT: tcgen05.mma
cuda_tile.module @m {
  entry @eight(%p: tile<ptr<bf16>>, %q: tile<ptr<f32>>) {
    %t = make_token : token
    %i = constant <i32: 0> : tile<i32>
    %z = constant <f32: 0.0> : tile<128x8xf32>
    %v = make_tensor_view %p, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xbf16, strides=[64,1]>
    %w = make_tensor_view %p, shape = [64, 8], strides = [8, 1] : tensor_view<64x8xbf16, strides=[8,1]>
    %o = make_tensor_view %q, shape = [128, 8], strides = [8, 1] : tensor_view<128x8xf32, strides=[8,1]>
    %pv = make_partition_view %v : partition_view<tile=(128x64), tensor_view<128x64xbf16, strides=[64,1]>>
    %pw = make_partition_view %w : partition_view<tile=(64x8), tensor_view<64x8xbf16, strides=[8,1]>>
    %po = make_partition_view %o : partition_view<tile=(128x8), tensor_view<128x8xf32, strides=[8,1]>>
    %a, %ta = load_view_tko weak %pv[%i, %i] : partition_view<tile=(128x64), tensor_view<128x64xbf16, strides=[64,1]>>, tile<i32> -> tile<128x64xbf16>, token
    %b, %tb = load_view_tko weak %pw[%i, %i] : partition_view<tile=(64x8), tensor_view<64x8xbf16, strides=[8,1]>>, tile<i32> -> tile<64x8xbf16>, token
    %d = mmaf %a, %b, %z : tile<128x64xbf16>, tile<64x8xbf16>, tile<128x8xf32>
    %s = store_view_tko weak %d, %po[%i, %i] token = %t : tile<128x8xf32>, partition_view<tile=(128x8), tensor_view<128x8xf32, strides=[8,1]>>, tile<i32> -> token
    return
  }
  entry @sixteen(%p: tile<ptr<bf16>>, %q: tile<ptr<f32>>) {
    %t = make_token : token
    %i = constant <i32: 0> : tile<i32>
    %z = constant <f32: 0.0> : tile<128x16xf32>
    %v = make_tensor_view %p, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xbf16, strides=[64,1]>
    %w = make_tensor_view %p, shape = [64, 16], strides = [16, 1] : tensor_view<64x16xbf16, strides=[16,1]>
    %o = make_tensor_view %q, shape = [128, 16], strides = [16, 1] : tensor_view<128x16xf32, strides=[16,1]>
    %pv = make_partition_view %v : partition_view<tile=(128x64), tensor_view<128x64xbf16, strides=[64,1]>>
    %pw = make_partition_view %w : partition_view<tile=(64x16), tensor_view<64x16xbf16, strides=[16,1]>>
    %po = make_partition_view %o : partition_view<tile=(128x16), tensor_view<128x16xf32, strides=[16,1]>>
    %a, %ta = load_view_tko weak %pv[%i, %i] : partition_view<tile=(128x64), tensor_view<128x64xbf16, strides=[64,1]>>, tile<i32> -> tile<128x64xbf16>, token
    %b, %tb = load_view_tko weak %pw[%i, %i] : partition_view<tile=(64x16), tensor_view<64x16xbf16, strides=[16,1]>>, tile<i32> -> tile<64x16xbf16>, token
    %d = mmaf %a, %b, %z : tile<128x64xbf16>, tile<64x16xbf16>, tile<128x16xf32>
    %s = store_view_tko weak %d, %po[%i, %i] token = %t : tile<128x16xf32>, partition_view<tile=(128x16), tensor_view<128x16xf32, strides=[16,1]>>, tile<i32> -> token
    return
  }
}
