// A loop has two accumulators that multiply the same tile, as gated linear units do. On sm_100 the kernel looked at
// being given a role that starts products and was not, but kept half of that: it did not compile.
//
// RUN: tile-run %s --grid=1 --diff-engines=interp,ptx --gpu-name=sm_80,sm_90,sm_100,sm_120 --adversarial --seed=1 \
// RUN:   --arg=bf16[64x448]=random --arg=bf16[448x64]=random --arg=bf16[448x64]=random --arg=i32:7 --arg=bf16[64x64]
// RUN: tile-run %s --grid=1 --diff-engines=interp,ptx --gpu-name=sm_90,sm_100 -O2 \
// RUN:   --arg=bf16[64x448]=random --arg=bf16[448x64]=random --arg=bf16[448x64]=random --arg=i32:1 --arg=bf16[64x64]
// RUN: tile-run %s --grid=1 --diff-engines=interp,tileas,ptx --gpu-name=sm_100 --warp-roles=always \
// RUN:   --arg=bf16[64x448]=random --arg=bf16[448x64]=random --arg=bf16[448x64]=random --arg=i32:0 --arg=bf16[64x64]

cuda_tile.module @m {
  entry @k(%x: tile<ptr<bf16>>, %g: tile<ptr<bf16>>, %u: tile<ptr<bf16>>, %n: tile<i32>, %out: tile<ptr<bf16>>) {
    %t = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %xa = assume div_by<16>, %x : tile<ptr<bf16>>
    %ga = assume div_by<16>, %g : tile<ptr<bf16>>
    %ua = assume div_by<16>, %u : tile<ptr<bf16>>
    %xv = make_tensor_view %xa, shape = [64, 448], strides = [448, 1] : tensor_view<64x448xbf16, strides=[448,1]>
    %xp = make_partition_view %xv : partition_view<tile=(64x64), tensor_view<64x448xbf16, strides=[448,1]>>
    %gv = make_tensor_view %ga, shape = [448, 64], strides = [64, 1] : tensor_view<448x64xbf16, strides=[64,1]>
    %gp = make_partition_view %gv : partition_view<tile=(64x64), tensor_view<448x64xbf16, strides=[64,1]>>
    %uv = make_tensor_view %ua, shape = [448, 64], strides = [64, 1] : tensor_view<448x64xbf16, strides=[64,1]>
    %up = make_partition_view %uv : partition_view<tile=(64x64), tensor_view<448x64xbf16, strides=[64,1]>>
    %ov = make_tensor_view %out, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xbf16, strides=[64,1]>
    %op = make_partition_view %ov : partition_view<tile=(64x64), tensor_view<64x64xbf16, strides=[64,1]>>
    %zero = constant <f32: 0.0> : tile<64x64xf32>
    %sum:2 = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%gate = %zero, %up_ = %zero) -> (tile<64x64xf32>, tile<64x64xf32>) {
      %a, %ta = load_view_tko weak %xp[%c0, %i] token = %t : partition_view<tile=(64x64), tensor_view<64x448xbf16, strides=[448,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %b, %tb = load_view_tko weak %gp[%i, %c0] token = %t : partition_view<tile=(64x64), tensor_view<448x64xbf16, strides=[64,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %c, %tc = load_view_tko weak %up[%i, %c0] token = %t : partition_view<tile=(64x64), tensor_view<448x64xbf16, strides=[64,1]>>, tile<i32> -> tile<64x64xbf16>, token
      %next = mmaf %a, %b, %gate : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      %other = mmaf %a, %c, %up_ : tile<64x64xbf16>, tile<64x64xbf16>, tile<64x64xf32>
      continue %next, %other : tile<64x64xf32>, tile<64x64xf32>
    }
    %h = mulf %sum#0, %sum#1 : tile<64x64xf32>
    %r = ftof %h : tile<64x64xf32> -> tile<64x64xbf16>
    %s = store_view_tko weak %r, %op[%c0, %c0] token = %t : tile<64x64xbf16>, partition_view<tile=(64x64), tensor_view<64x64xbf16, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
