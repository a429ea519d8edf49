// RUN: tile-opt %s --lower-to=ptx --gpu-name=sm_90 --remarks -o - 2>&1 | FileCheck %s
// RUN: tile-opt %s --lower-to=ptx --gpu-name=sm_100 --remarks -o - 2>&1 | FileCheck %s --check-prefix=WARP

// Two products with the same left operand, as of a gate and what it weighs: all three operands of an iteration come in one stage, with one wait. Each MMA of an MMA warp releases what it is the last to read, so two stages come there.
// CHECK: warp-specialized: 4 consumer warps, 1 producer warp, pipe of {{[0-9]+}} x 24576 bytes{{$}}
// WARP: warp-specialized: 4 consumer warps, 1 producer warp, 1 MMA warp, pipe of {{[0-9]+}} x 16384 bytes, pipe of {{[0-9]+}} x 8192 bytes, pipe of 1 accumulators
entry @gated(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pg: tile<ptr<f16>>, %pc: tile<ptr<f32>>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %steps = constant <i32: 32> : tile<i32>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %a16 = assume div_by<16>, %pa : tile<ptr<f16>>
  %b16 = assume div_by<16>, %pb : tile<ptr<f16>>
  %g16 = assume div_by<16>, %pg : tile<ptr<f16>>
  %va = make_tensor_view %a16, shape = [4096, 2048], strides = [2048, 1] : tensor_view<4096x2048xf16, strides=[2048,1]>
  %vb = make_tensor_view %b16, shape = [2048, 4096], strides = [4096, 1] : tensor_view<2048x4096xf16, strides=[4096,1]>
  %vg = make_tensor_view %g16, shape = [2048, 4096], strides = [4096, 1] : tensor_view<2048x4096xf16, strides=[4096,1]>
  %vc = make_tensor_view %pc, shape = [4096, 4096], strides = [4096, 1] : tensor_view<4096x4096xf32, strides=[4096,1]>
  %wa = make_partition_view %va : partition_view<tile=(64x64), tensor_view<4096x2048xf16, strides=[2048,1]>>
  %wb = make_partition_view %vb : partition_view<tile=(64x64), tensor_view<2048x4096xf16, strides=[4096,1]>>
  %wg = make_partition_view %vg : partition_view<tile=(64x64), tensor_view<2048x4096xf16, strides=[4096,1]>>
  %wc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<4096x4096xf32, strides=[4096,1]>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %s:2 = for %k in (%zero to %steps, step %one) : tile<i32> iter_values(%u = %none, %g = %none) -> (tile<64x64xf32>, tile<64x64xf32>) {
    %a, %ka = load_view_tko weak %wa[%x, %k] : partition_view<tile=(64x64), tensor_view<4096x2048xf16, strides=[2048,1]>>, tile<i32> -> tile<64x64xf16>, token
    %b, %kb = load_view_tko weak %wb[%k, %y] : partition_view<tile=(64x64), tensor_view<2048x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<64x64xf16>, token
    %u2 = mmaf %a, %b, %u : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    %w, %kw = load_view_tko weak %wg[%k, %y] : partition_view<tile=(64x64), tensor_view<2048x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<64x64xf16>, token
    %g2 = mmaf %a, %w, %g : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    continue %u2, %g2 : tile<64x64xf32>, tile<64x64xf32>
  }
  %r = mulf %s#0, %s#1 : tile<64x64xf32>
  %k2 = store_view_tko weak %r, %wc[%x, %y] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<4096x4096xf32, strides=[4096,1]>>, tile<i32> -> token
  return
}
