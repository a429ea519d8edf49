// Two CTAs share a tile block. Each copies its own rows, which a table names, by a role of its own (sm_90) or hands them to
// its MMA warp (sm_100). Weights come to both by one load.
// RUN: tile-opt %s --gpu-name=sm_90 --lower-to=loops-scheduled --remarks -o - 2>&1 | FileCheck --check-prefix=GATHER %s
// RUN: tile-opt %s --gpu-name=sm_100 --lower-to=loops-scheduled --remarks -o - 2>&1 | FileCheck --check-prefix=WARP %s
// RUN: tile-run --gpu-name=sm_90 --diff-engines=interp,tileas,ptx --adversarial --seed=1 --entry=gathered --grid=2 --array=f16[96x208]=random \
// RUN:   --array=i32[256]=random --array=f16[208x64]=random --array=f32[256x64] %s
// RUN: tile-run --gpu-name=sm_100 --diff-engines=interp,tileas,ptx --adversarial --seed=2 --entry=gathered --grid=2 --array=f16[96x208]=random \
// RUN:   --array=i32[256]=random --array=f16[208x64]=random --array=f32[256x64] %s

// GATHER: warp-specialized: 4 consumer warps, 1 producer warp, 4 warps that copy,
// WARP: warp-specialized: {{[0-9]}} consumer warps, 1 producer warp, 1 MMA warp,
cuda_tile.module @kernels {
  entry @gathered(%a: tile<ptr<f16>>, %am: tile<i32>, %an: tile<i32>, %as: tile<i32>, %as1: tile<i32>,
      %n: tile<ptr<i32>>, %nm: tile<i32>, %ns: tile<i32>,
      %w: tile<ptr<f16>>, %wm: tile<i32>, %wn: tile<i32>, %ws: tile<i32>, %ws1: tile<i32>,
      %o: tile<ptr<f32>>, %om: tile<i32>, %on: tile<i32>, %os: tile<i32>, %os1: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 2}> {
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
    %wv = make_tensor_view %w16, shape = [%wm, %wn], strides = [%ws8, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %ov = make_tensor_view %o16, shape = [%om, %on], strides = [%os4, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %np = make_partition_view %nv : partition_view<tile=(128), tensor_view<?xi32, strides=[1]>>
    %wp = make_partition_view %wv : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %op = make_partition_view %ov : partition_view<tile=(128x64), tensor_view<?x?xf32, strides=[?,1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c64 = constant <i32: 64> : tile<i32>
    %steps = divi %an16, %c64 signed rounding<positive_inf> : tile<i32>
    %zero = constant <f32: 0.0> : tile<128x64xf32>
    %others = constant <f16: 0.0> : tile<128x64xf16>
    %most = constant <i32: 127> : tile<128xi32>
    %numbers, %kn = load_view_tko weak %np[%x] token = %t : partition_view<tile=(128), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<128xi32>, token
    %few = andi %numbers, %most : tile<128xi32>
    %r1 = reshape %few : tile<128xi32> -> tile<128x1xi32>
    %rows = broadcast %r1 : tile<128x1xi32> -> tile<128x64xi32>
    %m1 = reshape %am : tile<i32> -> tile<1x1xi32>
    %m2 = broadcast %m1 : tile<1x1xi32> -> tile<128x64xi32>
    %in1 = cmpi less_than %rows, %m2, unsigned : tile<128x64xi32> -> tile<128x64xi1>
    %q1 = reshape %an16 : tile<i32> -> tile<1x1xi32>
    %q2 = broadcast %q1 : tile<1x1xi32> -> tile<128x64xi32>
    %s1 = reshape %as8 : tile<i32> -> tile<1x1xi32>
    %s2 = broadcast %s1 : tile<1x1xi32> -> tile<128x64xi32>
    %p1 = reshape %a16 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %p2 = broadcast %p1 : tile<1x1xptr<f16>> -> tile<128x64xptr<f16>>
    %count = iota : tile<64xi32>
    %sum = for %k in (%c0 to %steps, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<128x64xf32>) {
      %f0 = muli %k, %c64 : tile<i32>
      %f1 = reshape %f0 : tile<i32> -> tile<1xi32>
      %f2 = broadcast %f1 : tile<1xi32> -> tile<64xi32>
      %f3 = addi %f2, %count : tile<64xi32>
      %f4 = reshape %f3 : tile<64xi32> -> tile<1x64xi32>
      %columns = broadcast %f4 : tile<1x64xi32> -> tile<128x64xi32>
      %in2 = cmpi less_than %columns, %q2, unsigned : tile<128x64xi32> -> tile<128x64xi1>
      %in = andi %in1, %in2 : tile<128x64xi1>
      %o1 = muli %rows, %s2 : tile<128x64xi32>
      %o2 = addi %o1, %columns : tile<128x64xi32>
      %p3 = offset %p2, %o2 : tile<128x64xptr<f16>>, tile<128x64xi32> -> tile<128x64xptr<f16>>
      %ta, %ka = load_ptr_tko weak %p3, %in, %others token=%t : tile<128x64xptr<f16>>, tile<128x64xi1>, tile<128x64xf16> -> tile<128x64xf16>, token
      %tw, %kw = load_view_tko weak %wp[%k, %c0] token = %t : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %s = mmaf %ta, %tw, %acc : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
      continue %s : tile<128x64xf32>
    }
    %done = store_view_tko weak %sum, %op[%x, %c0] token = %t : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
