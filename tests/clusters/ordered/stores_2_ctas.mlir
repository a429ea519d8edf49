// RUN: tile-run --gpu-name=sm_100 --warp-roles=always --entry=k --grid=1 --diff-engines=interp,tileas,ptx --adversarial --seed=1 \
// RUN:   --arg=f16[98304]=random --arg=f16[12288]=random --arg=f32[16384]=0 --arg=i32:3 %s
// RUN: tile-run --gpu-name=sm_90 --warp-roles=always --entry=k --grid=1 --diff-engines=interp,tileas,ptx --adversarial --seed=2 \
// RUN:   --arg=f16[98304]=random --arg=f16[12288]=random --arg=f32[16384]=0 --arg=i32:3 %s
// RUN: not tile-run --gpu-name=sm_90 --warp-roles=always --entry=k --grid=1 --engine=ptx --sync-check \
// RUN:   --arg=f16[98304]=random --arg=f16[12288]=random --arg=f32[16384]=0 --arg=i32:3 %s 2>&1 | FileCheck --check-prefix=SYNC %s
// RUN(long): tile-run --gpu-name=sm_100 --warp-roles=none --entry=k --grid=1 --diff-engines=interp,tileas,ptx --adversarial --seed=3 \
// RUN(long):   --arg=f16[98304]=random --arg=f16[12288]=random --arg=f32[16384]=0 --arg=i32:3 %s
// RUN: tile-opt %s --lower-to=nvvm --warp-roles=always --gpu-name=sm_90 --print-after=tileas-lower-pipes -o /dev/null 2>&1 | FileCheck %s

// Each tile is stored 64 rows further down than the last, through pointers: the upper half of a tile, which one CTA has, comes
// where the lower half of the last one was, which the other CTA had. So both wait for each other before they store. Loads
// and stores have roles of their own, and only the warps that store meet. No arrival may count for the phase before. (That multicast copies are
// released without order is known: docs/async-model.md.)
// SYNC-NOT: arrival
// SYNC: findings, for all schedules of this launch
// CHECK: nv_tileas.cluster_barrier{{$}}
// CHECK: nv_tileas.warp_specialize
// CHECK: nv_tileas.cluster_barrier at %{{[0-9]+}}, %[[PARITY:.*]] : !nv_tileas.buffer<
// CHECK: arith.xori %[[PARITY]]
cuda_tile.module @m {
  cuda_tile.entry @k(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %n: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 2}> {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %token = make_token : token
    %a0 = assume div_by<16>, %a : tile<ptr<f16>>
    %b0 = assume div_by<16>, %b : tile<ptr<f16>>
    %va = make_tensor_view %a0, shape = [512, 192], strides = [192, 1] : tensor_view<512x192xf16, strides=[192,1]>
    %vb = make_tensor_view %b0, shape = [192, 64], strides = [64, 1] : tensor_view<192x64xf16, strides=[64,1]>
    %pa = make_partition_view %va : partition_view<tile=(128x64), tensor_view<512x192xf16, strides=[192,1]>>
    %pb = make_partition_view %vb : partition_view<tile=(64x64), tensor_view<192x64xf16, strides=[64,1]>>
    %none = constant <f32: 0.0> : tile<128x64xf32>
    %rows = iota : tile<128xi32>
    %row = reshape %rows : tile<128xi32> -> tile<128x1xi32>
    %columns = iota : tile<64xi32>
    %column0 = reshape %columns : tile<64xi32> -> tile<1x64xi32>
    %column = broadcast %column0 : tile<1x64xi32> -> tile<128x64xi32>
    %width = constant <i32: 64> : tile<128x1xi32>
    %half = constant <i32: 64> : tile<i32>
    %c0 = reshape %c : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %base = broadcast %c0 : tile<1x1xptr<f32>> -> tile<128x64xptr<f32>>
    %last = for %k in (%zero to %n, step %one) : tile<i32> iter_values(%before = %token) -> (token) {
      %s = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<128x64xf32>) {
        %p, %t1 = load_view_tko weak %pa[%k, %i] : partition_view<tile=(128x64), tensor_view<512x192xf16, strides=[192,1]>>, tile<i32> -> tile<128x64xf16>, token
        %q, %t2 = load_view_tko weak %pb[%i, %zero] : partition_view<tile=(64x64), tensor_view<192x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
        %r = mmaf %p, %q, %acc : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
        continue %r : tile<128x64xf32>
      }
      %further = muli %k, %half : tile<i32>
      %further0 = reshape %further : tile<i32> -> tile<1x1xi32>
      %further1 = broadcast %further0 : tile<1x1xi32> -> tile<128x1xi32>
      %at = addi %row, %further1 : tile<128x1xi32>
      %begin = muli %at, %width : tile<128x1xi32>
      %begins = broadcast %begin : tile<128x1xi32> -> tile<128x64xi32>
      %place = addi %begins, %column : tile<128x64xi32>
      %ptrs = offset %base, %place : tile<128x64xptr<f32>>, tile<128x64xi32> -> tile<128x64xptr<f32>>
      %after = store_ptr_tko weak %ptrs, %s token=%before : tile<128x64xptr<f32>>, tile<128x64xf32> -> token
      continue %after : token
    }
    return
  }
}
