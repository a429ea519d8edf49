// K is an operand of both MMAs. The first one is the last reader of nothing, and signals its accumulator.
// RUN: tile-opt %s --gpu-name=sm_100 --lower-to=loops-scheduled --remarks -o - 2>&1 | FileCheck --check-prefix=ROLES %s
// RUN: tile-run --gpu-name=sm_100 --exact --diff-engines=interp,tileas,ptx --entry=both --grid=2 --arg=f16[16384]=random --arg=f16[20480]=random --arg=f16[20480]=random --arg=f32[16384]=random --arg=f32[16384] --arg=i32:5 %s
// RUN: tile-run --gpu-name=sm_100 --engine=ptx --sync-check --entry=both --grid=2 --arg=f16[16384]=random --arg=f16[20480]=random --arg=f16[20480]=random --arg=f32[16384]=random --arg=f32[16384] --arg=i32:5 %s | FileCheck --check-prefix=SYNC %s
// RUN(long): tile-run --gpu-name=sm_100 --exact --diff-engines=interp,tileas,ptx --adversarial --seed=1 --entry=both --grid=2 --arg=f16[16384]=random --arg=f16[20480]=random --arg=f16[20480]=random --arg=f32[16384]=random --arg=f32[16384] --arg=i32:5 %s
// RUN(long): tile-run --gpu-name=sm_100 --exact --diff-engines=interp,tileas,ptx --adversarial --seed=2 --entry=both --grid=2 --arg=f16[16384]=random --arg=f16[20480]=random --arg=f16[20480]=random --arg=f32[16384]=random --arg=f32[16384] --arg=i32:5 %s

// ROLES: warp-specialized: {{[48]}} consumer warps, 1 producer warp, 1 MMA warp, {{.*}}1 handed back and forth
// SYNC: nothing found, for all schedules
cuda_tile.module @m {
  entry @both(%pq: tile<ptr<f16>>, %pk: tile<ptr<f16>>, %pv: tile<ptr<f16>>, %pi: tile<ptr<f32>>, %out: tile<ptr<f32>>, %blocks: tile<i32>) {
    %q0 = assume div_by<16>, %pq : tile<ptr<f16>>
    %k0 = assume div_by<16>, %pk : tile<ptr<f16>>
    %v0 = assume div_by<16>, %pv : tile<ptr<f16>>
    %i0 = assume div_by<16>, %pi : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %nos = constant <f32: 0.0> : tile<128x64xf32>
    %vq = make_tensor_view %q0, shape = [256, 64], strides = [64, 1] : tensor_view<256x64xf16, strides=[64,1]>
    %vk = make_tensor_view %k0, shape = [320, 64], strides = [64, 1] : tensor_view<320x64xf16, strides=[64,1]>
    %vv = make_tensor_view %v0, shape = [320, 64], strides = [64, 1] : tensor_view<320x64xf16, strides=[64,1]>
    %vi = make_tensor_view %i0, shape = [256, 64], strides = [64, 1] : tensor_view<256x64xf32, strides=[64,1]>
    %vo = make_tensor_view %out, shape = [256, 64], strides = [64, 1] : tensor_view<256x64xf32, strides=[64,1]>
    %tq = make_partition_view %vq : partition_view<tile=(128x64), tensor_view<256x64xf16, strides=[64,1]>>
    %tk = make_partition_view %vk : partition_view<tile=(64x64), tensor_view<320x64xf16, strides=[64,1]>, dim_map=[1, 0]>
    %tv = make_partition_view %vv : partition_view<tile=(64x64), tensor_view<320x64xf16, strides=[64,1]>>
    %ti = make_partition_view %vi : partition_view<tile=(128x64), tensor_view<256x64xf32, strides=[64,1]>>
    %to = make_partition_view %vo : partition_view<tile=(128x64), tensor_view<256x64xf32, strides=[64,1]>>
    %q, %t0 = load_view_tko weak %tq[%x, %zero] : partition_view<tile=(128x64), tensor_view<256x64xf16, strides=[64,1]>>, tile<i32> -> tile<128x64xf16>, token
    %first, %t1 = load_view_tko weak %ti[%x, %zero] : partition_view<tile=(128x64), tensor_view<256x64xf32, strides=[64,1]>>, tile<i32> -> tile<128x64xf32>, token
    %half = constant <f32: 0.5> : tile<128x64xf32>
    %r = for %i in (%zero to %blocks, step %one) : tile<i32> iter_values(%acc = %first) -> (tile<128x64xf32>) {
      %k, %t2 = load_view_tko weak %tk[%zero, %i] : partition_view<tile=(64x64), tensor_view<320x64xf16, strides=[64,1]>, dim_map=[1, 0]>, tile<i32> -> tile<64x64xf16>, token
      %s = mmaf %q, %k, %nos : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
      %p = mulf %s, %half : tile<128x64xf32>
      %h = ftof %p : tile<128x64xf32> -> tile<128x64xf16>
      %o1 = mulf %acc, %half : tile<128x64xf32>
      %o0 = addf %o1, %s : tile<128x64xf32>
      %c = permute %k [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
      %o = mmaf %h, %c, %o0 : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
      continue %o : tile<128x64xf32>
    }
    %t = store_view_tko weak %r, %to[%x, %zero] : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<256x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
