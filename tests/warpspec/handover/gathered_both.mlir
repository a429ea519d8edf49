// Threads copy both operands. The addresses of the copies are the other role's, so that the accumulator of 128x128, 64
// registers of a thread, leaves consumers enough.
// RUN: tile-opt %s --gpu-name=sm_90 --lower-to=loops-scheduled --remarks -o - 2>&1 | FileCheck %s
// RUN: tile-run --gpu-name=sm_90 --diff-engines=interp,ptx --entry=gathered --grid=2 --array=f16[96x208]=random \
// RUN:   --array=i32[256]=random --array=f16[128x208]=random --array=f32[256x128] %s

// CHECK: warp-specialized: 8 consumer warps, 8 warps that copy
cuda_tile.module @kernels {
  entry @gathered(%a: tile<ptr<f16>>, %am: tile<i32>, %an: tile<i32>, %as: tile<i32>, %as1: tile<i32>,
      %n: tile<ptr<i32>>, %nm: tile<i32>, %ns: tile<i32>,
      %w: tile<ptr<f16>>, %wm: tile<i32>, %wn: tile<i32>, %ws: tile<i32>, %ws1: tile<i32>,
      %o: tile<ptr<f32>>, %om: tile<i32>, %on: tile<i32>, %os: tile<i32>, %os1: tile<i32>)
      optimization_hints=<default = {num_worker_warps_per_cta = 8}> {
    %t = make_token : token
    %a16 = assume div_by<16>, %a : tile<ptr<f16>>
    %n16 = assume div_by<16>, %n : tile<ptr<i32>>
    %w16 = assume div_by<16>, %w : tile<ptr<f16>>
    %o16 = assume div_by<16>, %o : tile<ptr<f32>>
    %an16 = assume div_by<16>, %an : tile<i32>
    %as8 = assume div_by<8>, %as : tile<i32>
    %ws8 = assume div_by<8>, %ws : tile<i32>
    %os4 = assume div_by<4>, %os : tile<i32>
    %nv = make_tensor_view %n16, shape = [%nm], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %ov = make_tensor_view %o16, shape = [%om, %on], strides = [%os4, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %np = make_partition_view %nv : partition_view<tile=(128), tensor_view<?xi32, strides=[1]>>
    %op = make_partition_view %ov : partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c64 = constant <i32: 128> : tile<i32>
    %steps = divi %an16, %c64 signed rounding<positive_inf> : tile<i32>
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %others = constant <f16: 0.0> : tile<128x128xf16>
    %most = constant <i32: 127> : tile<128xi32>
    %numbers, %kn = load_view_tko weak %np[%x] token = %t : partition_view<tile=(128), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<128xi32>, token
    %few = andi %numbers, %most : tile<128xi32>
    %r1 = reshape %few : tile<128xi32> -> tile<128x1xi32>
    %rows = broadcast %r1 : tile<128x1xi32> -> tile<128x128xi32>
    %m1 = reshape %am : tile<i32> -> tile<1x1xi32>
    %m2 = broadcast %m1 : tile<1x1xi32> -> tile<128x128xi32>
    %in1 = cmpi less_than %rows, %m2, unsigned : tile<128x128xi32> -> tile<128x128xi1>
    %q1 = reshape %an16 : tile<i32> -> tile<1x1xi32>
    %q2 = broadcast %q1 : tile<1x1xi32> -> tile<128x128xi32>
    %s1 = reshape %as8 : tile<i32> -> tile<1x1xi32>
    %s2 = broadcast %s1 : tile<1x1xi32> -> tile<128x128xi32>
    %p1 = reshape %a16 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %p2 = broadcast %p1 : tile<1x1xptr<f16>> -> tile<128x128xptr<f16>>
    %count = iota : tile<128xi32>
    %w1 = reshape %ws8 : tile<i32> -> tile<1x1xi32>
    %w2 = broadcast %w1 : tile<1x1xi32> -> tile<128x128xi32>
    %h1 = reshape %count : tile<128xi32> -> tile<1x128xi32>
    %h2 = broadcast %h1 : tile<1x128xi32> -> tile<128x128xi32>
    %h64 = exti %h2 signed : tile<128x128xi32> -> tile<128x128xi64>
    %w64 = exti %w2 signed : tile<128x128xi32> -> tile<128x128xi64>
    %wrow = muli %h64, %w64 : tile<128x128xi64>
    %wn16 = assume div_by<16>, %wn : tile<i32>
    %wn1 = reshape %wn16 : tile<i32> -> tile<1x1xi32>
    %wn2 = broadcast %wn1 : tile<1x1xi32> -> tile<128x128xi32>
    %wp1 = reshape %w16 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %wp2 = broadcast %wp1 : tile<1x1xptr<f16>> -> tile<128x128xptr<f16>>
    %sum = for %k in (%c0 to %steps, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<128x128xf32>) {
      %f0 = muli %k, %c64 : tile<i32>
      %f1 = reshape %f0 : tile<i32> -> tile<1xi32>
      %f2 = broadcast %f1 : tile<1xi32> -> tile<128xi32>
      %f3 = addi %f2, %count : tile<128xi32>
      %f4 = reshape %f3 : tile<128xi32> -> tile<1x128xi32>
      %columns = broadcast %f4 : tile<1x128xi32> -> tile<128x128xi32>
      %in2 = cmpi less_than %columns, %q2, unsigned : tile<128x128xi32> -> tile<128x128xi1>
      %in = andi %in1, %in2 : tile<128x128xi1>
      %rows64 = exti %rows signed : tile<128x128xi32> -> tile<128x128xi64>
      %s64 = exti %s2 signed : tile<128x128xi32> -> tile<128x128xi64>
      %c64s = exti %columns signed : tile<128x128xi32> -> tile<128x128xi64>
      %o1 = muli %rows64, %s64 : tile<128x128xi64>
      %o2 = addi %o1, %c64s : tile<128x128xi64>
      %p3 = offset %p2, %o2 : tile<128x128xptr<f16>>, tile<128x128xi64> -> tile<128x128xptr<f16>>
      %ta, %ka = load_ptr_tko weak %p3, %in, %others token=%t : tile<128x128xptr<f16>>, tile<128x128xi1>, tile<128x128xf16> -> tile<128x128xf16>, token
      %g4 = reshape %f3 : tile<128xi32> -> tile<128x1xi32>
      %deep = broadcast %g4 : tile<128x1xi32> -> tile<128x128xi32>
      %win = cmpi less_than %deep, %wn2, unsigned : tile<128x128xi32> -> tile<128x128xi1>
      %d64 = exti %deep signed : tile<128x128xi32> -> tile<128x128xi64>
      %v1 = addi %wrow, %d64 : tile<128x128xi64>
      %v2 = offset %wp2, %v1 : tile<128x128xptr<f16>>, tile<128x128xi64> -> tile<128x128xptr<f16>>
      %tw, %kw = load_ptr_tko weak %v2, %win, %others token=%t : tile<128x128xptr<f16>>, tile<128x128xi1>, tile<128x128xf16> -> tile<128x128xf16>, token
      %s = mmaf %ta, %tw, %acc : tile<128x128xf16>, tile<128x128xf16>, tile<128x128xf32>
      continue %s : tile<128x128xf32>
    }
    %done = store_view_tko weak %sum, %op[%x, %c0] token = %t : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
