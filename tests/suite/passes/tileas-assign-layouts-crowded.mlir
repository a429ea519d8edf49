// RUN: tile-opt %s --lower-to=loops-scheduled --gpu-name=sm_120 --remarks -o - 2>&1 | FileCheck %s

// Gradients of keys and values: K and V are A of MMAs in a loop that does not change them. With all warps along the columns, each would hold all rows of both, 256 registers. Twice as many loads of B cost less.
// CHECK-COUNT-4: MMA uses mma.sync m16n8k16, warp tiling 2 x 4
entry @gradients(%pq: tile<ptr<f16>>, %pk: tile<ptr<f16>>, %pv: tile<ptr<f16>>, %pg: tile<ptr<f16>>, %po: tile<ptr<f32>>, %pl: tile<ptr<f32>>, %pd: tile<ptr<f32>>, %n: tile<i32>) {
  %c0 = constant <i32: 0> : tile<i32>
  %c1 = constant <i32: 1> : tile<i32>
  %count = iota : tile<64xi32>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %zero = constant <f32: 0.0> : tile<64x128xf32>
  %q16 = assume div_by<16>, %pq : tile<ptr<f16>>
  %qv = make_tensor_view %q16, shape = [4096, 128], strides = [128, 1] : tensor_view<4096x128xf16, strides=[128,1]>
  %qp = make_partition_view %qv : partition_view<tile=(64x128), tensor_view<4096x128xf16, strides=[128,1]>>
  %k16 = assume div_by<16>, %pk : tile<ptr<f16>>
  %kv = make_tensor_view %k16, shape = [4096, 128], strides = [128, 1] : tensor_view<4096x128xf16, strides=[128,1]>
  %kp = make_partition_view %kv : partition_view<tile=(64x128), tensor_view<4096x128xf16, strides=[128,1]>>
  %v16 = assume div_by<16>, %pv : tile<ptr<f16>>
  %vv = make_tensor_view %v16, shape = [4096, 128], strides = [128, 1] : tensor_view<4096x128xf16, strides=[128,1]>
  %vp = make_partition_view %vv : partition_view<tile=(64x128), tensor_view<4096x128xf16, strides=[128,1]>>
  %g16 = assume div_by<16>, %pg : tile<ptr<f16>>
  %gv = make_tensor_view %g16, shape = [4096, 128], strides = [128, 1] : tensor_view<4096x128xf16, strides=[128,1]>
  %gp = make_partition_view %gv : partition_view<tile=(64x128), tensor_view<4096x128xf16, strides=[128,1]>>
  %ov = make_tensor_view %po, shape = [8192, 128], strides = [128, 1] : tensor_view<8192x128xf32, strides=[128,1]>
  %op = make_partition_view %ov : partition_view<tile=(64x128), tensor_view<8192x128xf32, strides=[128,1]>>
  %lv = make_tensor_view %pl, shape = [4096], strides = [1] : tensor_view<4096xf32, strides=[1]>
  %lp = make_partition_view %lv : partition_view<tile=(64), tensor_view<4096xf32, strides=[1]>>
  %dlv = make_tensor_view %pd, shape = [4096], strides = [1] : tensor_view<4096xf32, strides=[1]>
  %dlp = make_partition_view %dlv : partition_view<tile=(64), tensor_view<4096xf32, strides=[1]>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %k, %tk = load_view_tko weak %kp[%x, %c0] : partition_view<tile=(64x128), tensor_view<4096x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
  %v, %tv = load_view_tko weak %vp[%x, %c0] : partition_view<tile=(64x128), tensor_view<4096x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
  %r:2 = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%dk = %zero, %dv = %zero) -> (tile<64x128xf32>, tile<64x128xf32>) {
    %q, %tq = load_view_tko weak %qp[%i, %c0] : partition_view<tile=(64x128), tensor_view<4096x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
    %g, %tg = load_view_tko weak %gp[%i, %c0] : partition_view<tile=(64x128), tensor_view<4096x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
    %qt = permute %q [1, 0] : tile<64x128xf16> -> tile<128x64xf16>
    %gt = permute %g [1, 0] : tile<64x128xf16> -> tile<128x64xf16>
    %s = mmaf %k, %qt, %none : tile<64x128xf16>, tile<128x64xf16>, tile<64x64xf32>
    %l, %tl = load_view_tko weak %lp[%i] : partition_view<tile=(64), tensor_view<4096xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %d, %td = load_view_tko weak %dlp[%i] : partition_view<tile=(64), tensor_view<4096xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %l1 = reshape %l : tile<64xf32> -> tile<1x64xf32>
    %l2 = broadcast %l1 : tile<1x64xf32> -> tile<64x64xf32>
    %d1 = reshape %d : tile<64xf32> -> tile<1x64xf32>
    %d2 = broadcast %d1 : tile<1x64xf32> -> tile<64x64xf32>
    %less = subf %s, %l2 : tile<64x64xf32>
    %e = exp2 %less : tile<64x64xf32>
    %m1 = reshape %count : tile<64xi32> -> tile<1x64xi32>
    %m2 = broadcast %m1 : tile<1x64xi32> -> tile<64x64xi32>
    %m3 = reshape %count : tile<64xi32> -> tile<64x1xi32>
    %m4 = broadcast %m3 : tile<64x1xi32> -> tile<64x64xi32>
    %m5 = cmpi greater_than_or_equal %m2, %m4, signed : tile<64x64xi32> -> tile<64x64xi1>
    %e2 = select %m5, %e, %none : tile<64x64xi1>, tile<64x64xf32>
    %ph = ftof %e2 : tile<64x64xf32> -> tile<64x64xf16>
    %dv2 = mmaf %ph, %g, %dv : tile<64x64xf16>, tile<64x128xf16>, tile<64x128xf32>
    %dp = mmaf %v, %gt, %none : tile<64x128xf16>, tile<128x64xf16>, tile<64x64xf32>
    %dd = subf %dp, %d2 : tile<64x64xf32>
    %ds = mulf %e2, %dd : tile<64x64xf32>
    %dh = ftof %ds : tile<64x64xf32> -> tile<64x64xf16>
    %dk2 = mmaf %dh, %q, %dk : tile<64x64xf16>, tile<64x128xf16>, tile<64x128xf32>
    continue %dk2, %dv2 : tile<64x128xf32>, tile<64x128xf32>
  }
  %at = muli %x, %c1 : tile<i32>
  %c64 = constant <i32: 64> : tile<i32>
  %i2 = addi %x, %c64 : tile<i32>
  %s1 = store_view_tko weak %r#0, %op[%at, %c0] : tile<64x128xf32>, partition_view<tile=(64x128), tensor_view<8192x128xf32, strides=[128,1]>>, tile<i32> -> token
  %s2 = store_view_tko weak %r#1, %op[%i2, %c0] : tile<64x128xf32>, partition_view<tile=(64x128), tensor_view<8192x128xf32, strides=[128,1]>>, tile<i32> -> token
  return
}
