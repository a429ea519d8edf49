// The distance of each row from each column decides a mask and a bias. As entire tiles they would take 128 registers of
// 128 threads beside the scores and the sums. Each element is computed where it is used, so four warps hold the rest. Q is
// scaled before the loop, and waits in shared memory.
//
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_80 -O3 --log=debug 2>&1 | FileCheck %s
//
// On sm_100 the hint is tried, and that is the price of the kernel as it is.
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_100 -O3 --log=debug 2>&1 | FileCheck %s --check-prefix=HINT
// HINT: variant="occupancy = 2"
// HINT: variant="occupancy = 1"
// HINT-NOT: variant="as it is"
// HINT: variant=tileaa-strip-mine{entire=false}

// CHECK: DBG tried component=tileaa-plan-kernel {{.*}} variant="as it is"
// CHECK: DBG tried component=tileaa-plan-kernel {{.*}} variant="4 warps"
// CHECK: nv_tileas.func @masked
// CHECK-SAME: num_warps = 4
cuda_tile.module @m {
entry @masked(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>, %p2: tile<ptr<f16>>, %p3: tile<ptr<f32>>) optimization_hints=<sm_100 = {occupancy = 2}> {
  %qp = assume div_by<16>, %p0 : tile<ptr<f16>>
  %kp = assume div_by<16>, %p1 : tile<ptr<f16>>
  %vp = assume div_by<16>, %p2 : tile<ptr<f16>>
  %op = assume div_by<16>, %p3 : tile<ptr<f32>>
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %steps = constant <i32: 32> : tile<i32>
  %width = constant <i32: 64> : tile<i32>
  %none = constant <f32: 0.0> : tile<128x64xf32>
  %never = constant <i32: 0> : tile<128x64xi32>
  %start = make_token : token
  %qt = make_tensor_view %qp, shape = [2048, 64], strides = [64, 1] : tensor_view<2048x64xf16, strides=[64,1]>
  %kt = make_tensor_view %kp, shape = [64, 2048], strides = [2048, 1] : tensor_view<64x2048xf16, strides=[2048,1]>
  %vt = make_tensor_view %vp, shape = [2048, 64], strides = [64, 1] : tensor_view<2048x64xf16, strides=[64,1]>
  %ot = make_tensor_view %op, shape = [2048, 64], strides = [64, 1] : tensor_view<2048x64xf32, strides=[64,1]>
  %qv = make_partition_view %qt : partition_view<tile=(128x64), tensor_view<2048x64xf16, strides=[64,1]>>
  %kv = make_partition_view %kt : partition_view<tile=(64x64), tensor_view<64x2048xf16, strides=[2048,1]>>
  %vv = make_partition_view %vt : partition_view<tile=(64x64), tensor_view<2048x64xf16, strides=[64,1]>>
  %ov = make_partition_view %ot : partition_view<tile=(128x64), tensor_view<2048x64xf32, strides=[64,1]>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %loaded, %t0 = load_view_tko weak %qv[%x, %zero] token = %start : partition_view<tile=(128x64), tensor_view<2048x64xf16, strides=[64,1]>>, tile<i32> -> tile<128x64xf16>, token
  %scale = constant <f16: 0.125> : tile<128x64xf16>
  %q = mulf %loaded, %scale : tile<128x64xf16>
  %i0 = iota : tile<128xi32>
  %i1 = reshape %i0 : tile<128xi32> -> tile<128x1xi32>
  %rows = broadcast %i1 : tile<128x1xi32> -> tile<128x64xi32>
  %j0 = iota : tile<64xi32>
  %r = for %i in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<128x64xf32>) {
    %k, %t1 = load_view_tko weak %kv[%zero, %i] token = %start : partition_view<tile=(64x64), tensor_view<64x2048xf16, strides=[2048,1]>>, tile<i32> -> tile<64x64xf16>, token
    %v, %t2 = load_view_tko weak %vv[%i, %zero] token = %start : partition_view<tile=(64x64), tensor_view<2048x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %s = mmaf %q, %k, %none : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
    %j1 = muli %i, %width : tile<i32>
    %j2 = reshape %j1 : tile<i32> -> tile<1xi32>
    %j3 = broadcast %j2 : tile<1xi32> -> tile<64xi32>
    %j4 = addi %j3, %j0 : tile<64xi32>
    %j5 = reshape %j4 : tile<64xi32> -> tile<1x64xi32>
    %columns = broadcast %j5 : tile<1x64xi32> -> tile<128x64xi32>
    %distance = subi %rows, %columns : tile<128x64xi32>
    %seen = cmpi greater_than_or_equal %distance, %never, signed : tile<128x64xi32> -> tile<128x64xi1>
    %bias = itof %distance signed : tile<128x64xi32> -> tile<128x64xf32>
    %u = addf %s, %bias : tile<128x64xf32>
    %w = exp2 %u : tile<128x64xf32>
    %m = select %seen, %w, %none : tile<128x64xi1>, tile<128x64xf32>
    %h = ftof %m : tile<128x64xf32> -> tile<128x64xf16>
    %o = mmaf %h, %v, %acc : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
    continue %o : tile<128x64xf32>
  }
  %t = store_view_tko weak %r, %ov[%x, %zero] token = %start : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<2048x64xf32, strides=[64,1]>>, tile<i32> -> token
  return
}
}
