// Two scores of 64x64 share values of 64x128. Their sums, scores and probabilities take 202 registers of 128 threads, and
// the reshape keeps them from being split. MMAs read operands from memory, so four warps hold the rest. Eight would
// exchange maxima between halves of a row.
//
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_90 -O3 --log=debug 2>&1 | FileCheck %s

// CHECK: DBG tried component=tileaa-plan-kernel {{.*}} variant="as it is"
// CHECK: DBG tried component=tileaa-plan-kernel {{.*}} variant="4 warps"
// CHECK: nv_tileas.func @differential
// CHECK-SAME: num_warps = 4
cuda_tile.module @m {
entry @differential(%a0: tile<ptr<f16>>, %a1: tile<ptr<f16>>, %a2: tile<ptr<f16>>, %a3: tile<ptr<f32>>) {
  %qp = assume div_by<16>, %a0 : tile<ptr<f16>>
  %kp = assume div_by<16>, %a1 : tile<ptr<f16>>
  %vp = assume div_by<16>, %a2 : tile<ptr<f16>>
  %op = assume div_by<16>, %a3 : tile<ptr<f32>>
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %steps = constant <i32: 32> : tile<i32>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %empty = constant <f32: 0.0> : tile<64x128xf32>
  %least = constant <f32: -1.0e30> : tile<64x1xf32>
  %nothing = constant <f32: 0.0> : tile<64x1xf32>
  %width = constant <i32: 64> : tile<i32>
  %never = constant <f32: -1.0e30> : tile<64x64xf32>
  %each = iota : tile<64xi32>
  %row = reshape %each : tile<64xi32> -> tile<64x1xi32>
  %rows = broadcast %row : tile<64x1xi32> -> tile<64x64xi32>
  %start = make_token : token
  %qt = make_tensor_view %qp, shape = [2048, 128], strides = [128, 1] : tensor_view<2048x128xf16, strides=[128,1]>
  %kt = make_tensor_view %kp, shape = [128, 2048], strides = [2048, 1] : tensor_view<128x2048xf16, strides=[2048,1]>
  %vt = make_tensor_view %vp, shape = [2048, 128], strides = [128, 1] : tensor_view<2048x128xf16, strides=[128,1]>
  %ot = make_tensor_view %op, shape = [8192, 64], strides = [64, 1] : tensor_view<8192x64xf32, strides=[64,1]>
  %qv = make_partition_view %qt : partition_view<tile=(64x64), tensor_view<2048x128xf16, strides=[128,1]>>
  %kv = make_partition_view %kt : partition_view<tile=(64x64), tensor_view<128x2048xf16, strides=[2048,1]>>
  %vv = make_partition_view %vt : partition_view<tile=(64x128), tensor_view<2048x128xf16, strides=[128,1]>>
  %ov = make_partition_view %ot : partition_view<tile=(128x64), tensor_view<8192x64xf32, strides=[64,1]>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %q0, %tq0 = load_view_tko weak %qv[%x, %zero] token = %start : partition_view<tile=(64x64), tensor_view<2048x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x64xf16>, token
  %q1, %tq1 = load_view_tko weak %qv[%x, %one] token = %start : partition_view<tile=(64x64), tensor_view<2048x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x64xf16>, token
  %r:6 = for %i in (%zero to %steps, step %one) : tile<i32> iter_values(%o0 = %empty, %o1 = %empty, %m0 = %least, %m1 = %least, %l0 = %nothing, %l1 = %nothing) -> (tile<64x128xf32>, tile<64x128xf32>, tile<64x1xf32>, tile<64x1xf32>, tile<64x1xf32>, tile<64x1xf32>) {
    %k0, %tk0 = load_view_tko weak %kv[%zero, %i] token = %start : partition_view<tile=(64x64), tensor_view<128x2048xf16, strides=[2048,1]>>, tile<i32> -> tile<64x64xf16>, token
    %k1, %tk1 = load_view_tko weak %kv[%one, %i] token = %start : partition_view<tile=(64x64), tensor_view<128x2048xf16, strides=[2048,1]>>, tile<i32> -> tile<64x64xf16>, token
    %v, %tv = load_view_tko weak %vv[%i, %zero] token = %start : partition_view<tile=(64x128), tensor_view<2048x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
    %from = muli %i, %width : tile<i32>
    %first = reshape %from : tile<i32> -> tile<1xi32>
    %firsts = broadcast %first : tile<1xi32> -> tile<64xi32>
    %at = addi %firsts, %each : tile<64xi32>
    %column = reshape %at : tile<64xi32> -> tile<1x64xi32>
    %columns = broadcast %column : tile<1x64xi32> -> tile<64x64xi32>
    %seen = cmpi less_than_or_equal %columns, %rows, signed : tile<64x64xi32> -> tile<64x64xi1>
    %s0 = mmaf %q0, %k0, %none : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    %s1 = mmaf %q1, %k1, %none : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    %x0s = select %seen, %s0, %never : tile<64x64xi1>, tile<64x64xf32>
    %n0 = reduce %x0s dim=1 identities=[0xFF800000 : f32] : tile<64x64xf32> -> tile<64xf32> (%e: tile<f32>, %f: tile<f32>) {
      %g = maxf %e, %f : tile<f32>
      yield %g : tile<f32>
    }
    %c0 = reshape %n0 : tile<64xf32> -> tile<64x1xf32>
    %t0 = maxf %m0, %c0 : tile<64x1xf32>
    %b0 = broadcast %t0 : tile<64x1xf32> -> tile<64x64xf32>
    %d0 = subf %x0s, %b0 : tile<64x64xf32>
    %p0 = exp2 %d0 : tile<64x64xf32>
    %x0 = subf %m0, %t0 : tile<64x1xf32>
    %w0 = exp2 %x0 : tile<64x1xf32>
    %y0 = broadcast %w0 : tile<64x1xf32> -> tile<64x128xf32>
    %j0 = mulf %o0, %y0 : tile<64x128xf32>
    %g0 = reduce %p0 dim=1 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32> (%e: tile<f32>, %f: tile<f32>) {
      %g = addf %e, %f : tile<f32>
      yield %g : tile<f32>
    }
    %i0 = reshape %g0 : tile<64xf32> -> tile<64x1xf32>
    %f0 = mulf %l0, %w0 : tile<64x1xf32>
    %z0 = addf %f0, %i0 : tile<64x1xf32>
    %h0 = ftof %p0 : tile<64x64xf32> -> tile<64x64xf16>
    %u0 = mmaf %h0, %v, %j0 : tile<64x64xf16>, tile<64x128xf16>, tile<64x128xf32>
    %x1s = select %seen, %s1, %never : tile<64x64xi1>, tile<64x64xf32>
    %n1 = reduce %x1s dim=1 identities=[0xFF800000 : f32] : tile<64x64xf32> -> tile<64xf32> (%e: tile<f32>, %f: tile<f32>) {
      %g = maxf %e, %f : tile<f32>
      yield %g : tile<f32>
    }
    %c1 = reshape %n1 : tile<64xf32> -> tile<64x1xf32>
    %t1 = maxf %m1, %c1 : tile<64x1xf32>
    %b1 = broadcast %t1 : tile<64x1xf32> -> tile<64x64xf32>
    %d1 = subf %x1s, %b1 : tile<64x64xf32>
    %p1 = exp2 %d1 : tile<64x64xf32>
    %x1 = subf %m1, %t1 : tile<64x1xf32>
    %w1 = exp2 %x1 : tile<64x1xf32>
    %y1 = broadcast %w1 : tile<64x1xf32> -> tile<64x128xf32>
    %j1 = mulf %o1, %y1 : tile<64x128xf32>
    %g1 = reduce %p1 dim=1 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32> (%e: tile<f32>, %f: tile<f32>) {
      %g = addf %e, %f : tile<f32>
      yield %g : tile<f32>
    }
    %i1 = reshape %g1 : tile<64xf32> -> tile<64x1xf32>
    %f1 = mulf %l1, %w1 : tile<64x1xf32>
    %z1 = addf %f1, %i1 : tile<64x1xf32>
    %h1 = ftof %p1 : tile<64x64xf32> -> tile<64x64xf16>
    %u1 = mmaf %h1, %v, %j1 : tile<64x64xf16>, tile<64x128xf16>, tile<64x128xf32>
    continue %u0, %u1, %t0, %t1, %z0, %z1 : tile<64x128xf32>, tile<64x128xf32>, tile<64x1xf32>, tile<64x1xf32>, tile<64x1xf32>, tile<64x1xf32>
  }
  %v0 = broadcast %r#4 : tile<64x1xf32> -> tile<64x128xf32>
  %v1 = broadcast %r#5 : tile<64x1xf32> -> tile<64x128xf32>
  %c0 = divf %r#0, %v0 : tile<64x128xf32>
  %c1 = divf %r#1, %v1 : tile<64x128xf32>
  %all = subf %c0, %c1 : tile<64x128xf32>
  %turned = reshape %all : tile<64x128xf32> -> tile<128x64xf32>
  %t = store_view_tko weak %turned, %ov[%x, %zero] token = %start : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<8192x64xf32, strides=[64,1]>>, tile<i32> -> token
  return
}
}
