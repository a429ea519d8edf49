// Scales of weights change in each iteration. The threads that convert weights read them one iteration ahead, so they do
// not wait for memory, and an MMA warp gains time.
// RUN: tile-opt %s --gpu-name=sm_100 --lower-to=loops-scheduled --remarks -o - 2>&1 | FileCheck --check-prefix=ROLES %s
// RUN: tile-run --gpu-name=sm_100 --diff-engines=interp,ptx --entry=scaled --grid=2 --array=f16[256x320]=random \
// RUN:   --array=i8[320x128]=random --array=f16[5x128]=random --array=f32[256x128] %s
// RUN(long): tile-run --gpu-name=sm_100 --diff-engines=interp,ptx --adversarial --seed=1 --entry=scaled --grid=2 \
// RUN(long):   --array=f16[256x320]=random --array=i8[320x128]=random --array=f16[5x128]=random --array=f32[256x128] %s

// ROLES: warp-specialized: {{[48]}} consumer warps, 1 producer warp, 1 MMA warp
cuda_tile.module @kernels {
  entry @scaled(%a: tile<ptr<f16>>, %am: tile<i32>, %an: tile<i32>, %as: tile<i32>, %as1: tile<i32>,
      %w: tile<ptr<i8>>, %wm: tile<i32>, %wn: tile<i32>, %ws: tile<i32>, %ws1: tile<i32>,
      %s: tile<ptr<f16>>, %sm: tile<i32>, %sn: tile<i32>, %ss: tile<i32>, %ss1: tile<i32>,
      %o: tile<ptr<f32>>, %om: tile<i32>, %on: tile<i32>, %os: tile<i32>, %os1: tile<i32>) {
    %t = make_token : token
    %a16 = assume div_by<16>, %a : tile<ptr<f16>>
    %w16 = assume div_by<16>, %w : tile<ptr<i8>>
    %o16 = assume div_by<16>, %o : tile<ptr<f32>>
    %as8 = assume div_by<8>, %as : tile<i32>
    %ws16 = assume div_by<16>, %ws : tile<i32>
    %os4 = assume div_by<4>, %os : tile<i32>
    %av = make_tensor_view %a16, shape = [%am, %an], strides = [%as8, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %wv = make_tensor_view %w16, shape = [%wm, %wn], strides = [%ws16, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?,1]>
    %ov = make_tensor_view %o16, shape = [%om, %on], strides = [%os4, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %sv = make_tensor_view %s, shape = [%sm, %sn], strides = [%ss, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %sp = make_partition_view %sv : partition_view<tile=(1x128), tensor_view<?x?xf16, strides=[?,1]>>
    %ap = make_partition_view %av : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %wp = make_partition_view %wv : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>
    %op = make_partition_view %ov : partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c64 = constant <i32: 64> : tile<i32>
    %steps = divi %an, %c64 signed rounding<positive_inf> : tile<i32>
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %sum = for %k in (%c0 to %steps, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<128x128xf32>) {
      %ta, %ka = load_view_tko weak %ap[%x, %k] token = %t : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %tw, %kw = load_view_tko weak %wp[%k, %c0] token = %t : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> tile<64x128xi8>, token
      %h = itof %tw signed : tile<64x128xi8> -> tile<64x128xf16>
      %ts, %ks = load_view_tko weak %sp[%k, %c0] token = %t : partition_view<tile=(1x128), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<1x128xf16>, token
      %each = broadcast %ts : tile<1x128xf16> -> tile<64x128xf16>
      %hs = mulf %h, %each : tile<64x128xf16>
      %next = mmaf %ta, %hs, %acc : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %next : tile<128x128xf32>
    }
    %done = store_view_tko weak %sum, %op[%x, %c0] token = %t : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
