// Threads read a state that MMAs add to (linear attention), and store operand A of a chain to TMEM.
// RUN: tile-opt %s --gpu-name=sm_100 --lower-to=loops-scheduled --remarks -o - 2>&1 | FileCheck --check-prefix=ROLES %s
// RUN: tile-run --gpu-name=sm_100 --exact --diff-engines=interp,tileas,ptx --grid=1 --arg=f16[20480]=random --arg=f16[20480]=random --arg=f16[20480]=random --arg=f32[4096]=random --arg=f32[20480] --arg=f32[8192] --arg=i32:5 %s
// RUN: tile-run --gpu-name=sm_100 --engine=ptx --sync-check --grid=1 --arg=f16[20480]=random --arg=f16[20480]=random --arg=f16[20480]=random --arg=f32[4096]=random --arg=f32[20480] --arg=f32[8192] --arg=i32:5 %s | FileCheck --check-prefix=SYNC %s
// RUN(long): tile-run --gpu-name=sm_100 --exact --diff-engines=interp,tileas,ptx --adversarial --seed=1 --grid=1 --arg=f16[20480]=random --arg=f16[20480]=random --arg=f16[20480]=random --arg=f32[4096]=random --arg=f32[20480] --arg=f32[8192] --arg=i32:5 %s
// RUN(long): tile-run --gpu-name=sm_100 --exact --diff-engines=interp,tileas,ptx --adversarial --seed=2 --grid=1 --arg=f16[20480]=random --arg=f16[20480]=random --arg=f16[20480]=random --arg=f32[4096]=random --arg=f32[20480] --arg=f32[8192] --arg=i32:5 %s

// ROLES: warp-specialized: 4 consumer warps, 1 producer warp, 1 MMA warp, {{.*}}2 handed back and forth
// SYNC: nothing found, for all schedules
cuda_tile.module @m {
  entry @k(%pq: tile<ptr<f16>>, %pk: tile<ptr<f16>>, %pv: tile<ptr<f16>>, %pi: tile<ptr<f32>>, %po: tile<ptr<f32>>, %ps: tile<ptr<f32>>, %blocks: tile<i32>) {
    %q0 = assume div_by<16>, %pq : tile<ptr<f16>>
    %k0 = assume div_by<16>, %pk : tile<ptr<f16>>
    %v0 = assume div_by<16>, %pv : tile<ptr<f16>>
    %i0 = assume div_by<16>, %pi : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %none = constant <f32: 0.0> : tile<64x64xf32>
    %vq = make_tensor_view %q0, shape = [320, 64], strides = [64, 1] : tensor_view<320x64xf16, strides=[64,1]>
    %vk = make_tensor_view %k0, shape = [320, 64], strides = [64, 1] : tensor_view<320x64xf16, strides=[64,1]>
    %vv = make_tensor_view %v0, shape = [320, 64], strides = [64, 1] : tensor_view<320x64xf16, strides=[64,1]>
    %vi = make_tensor_view %i0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %vo = make_tensor_view %po, shape = [320, 64], strides = [64, 1] : tensor_view<320x64xf32, strides=[64,1]>
    %vs = make_tensor_view %ps, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf32, strides=[64,1]>
    %tq = make_partition_view %vq : partition_view<tile=(64x64), tensor_view<320x64xf16, strides=[64,1]>>
    %tk = make_partition_view %vk : partition_view<tile=(64x64), tensor_view<320x64xf16, strides=[64,1]>>
    %tv = make_partition_view %vv : partition_view<tile=(64x64), tensor_view<320x64xf16, strides=[64,1]>>
    %ti = make_partition_view %vi : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %to = make_partition_view %vo : partition_view<tile=(64x64), tensor_view<320x64xf32, strides=[64,1]>>
    %ts = make_partition_view %vs : partition_view<tile=(64x64), tensor_view<128x64xf32, strides=[64,1]>>
    %first, %t0 = load_view_tko weak %ti[%zero, %zero] : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x64xf32>, token
    %r = for %i in (%zero to %blocks, step %one) : tile<i32> iter_values(%state = %first) -> (tile<64x64xf32>) {
      %q, %t1 = load_view_tko weak %tq[%i, %zero] : partition_view<tile=(64x64), tensor_view<320x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %k, %t2 = load_view_tko weak %tk[%i, %zero] : partition_view<tile=(64x64), tensor_view<320x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %v, %t3 = load_view_tko weak %tv[%i, %zero] : partition_view<tile=(64x64), tensor_view<320x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %kt = permute %k [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
      %s = mmaf %q, %kt, %none : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %p = ftof %s : tile<64x64xf32> -> tile<64x64xf16>
      %inner = mmaf %p, %v, %none : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %h = ftof %state : tile<64x64xf32> -> tile<64x64xf16>
      %o = mmaf %q, %h, %inner : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %t4 = store_view_tko weak %o, %to[%i, %zero] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<320x64xf32, strides=[64,1]>>, tile<i32> -> token
      %next = mmaf %kt, %v, %state : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %next : tile<64x64xf32>
    }
    %t5 = store_view_tko weak %r, %ts[%x, %zero] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<128x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
