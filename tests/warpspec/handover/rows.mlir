// Rows that a table names, from a view. In the version of the loop for tiles inside of bounds threads copy them, and hand
// them to the MMA warp. In the other one TMA gathers them by numbers in registers: consumers execute that loop by
// themselves.
// RUN: tile-opt %s --gpu-name=sm_100 --lower-to=loops-scheduled --remarks -o - 2>&1 | FileCheck --check-prefix=ROLES %s
// RUN: tile-run --gpu-name=sm_100 --diff-engines=interp,tileas,ptx --adversarial --seed=3 --entry=rows --grid=2 --array=f16[96x208]=random \
// RUN:   --array=i32[256]=random --array=f16[208x64]=random --array=f32[256x64] %s
// RUN: tile-run --gpu-name=sm_100 --engine=ptx --sync-check --entry=rows --grid=2 --array=f16[96x208]=random \
// RUN:   --array=i32[256]=random --array=f16[208x64]=random --array=f32[256x64] %s | FileCheck --check-prefix=SYNC %s
// RUN(long): tile-run --gpu-name=sm_100 --diff-engines=interp,tileas,ptx --tensor-maps=none --entry=rows --grid=1 --array=f16[96x144]=random \
// RUN(long):   --array=i32[256]=random --array=f16[144x64]=random --array=f32[256x64] %s

// ROLES: load uses TMA: 1 x 128 x 64, 128-byte swizzle
// ROLES: warp-specialized: 4 consumer warps, 1 producer warp, 1 MMA warp, pipe of
// SYNC: nothing found, for all schedules
cuda_tile.module @kernels {
  entry @rows(%a: tile<ptr<f16>>, %am: tile<i32>, %an: tile<i32>, %as: tile<i32>, %as1: tile<i32>,
      %n: tile<ptr<i32>>, %nm: tile<i32>, %ns: tile<i32>,
      %w: tile<ptr<f16>>, %wm: tile<i32>, %wn: tile<i32>, %ws: tile<i32>, %ws1: tile<i32>,
      %o: tile<ptr<f32>>, %om: tile<i32>, %on: tile<i32>, %os: tile<i32>, %os1: tile<i32>) {
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
    %wm64 = exti %wm signed : tile<i32> -> tile<i64>
    %wn64 = exti %wn signed : tile<i32> -> tile<i64>
    %ws64 = exti %ws8 signed : tile<i32> -> tile<i64>
    %wv = make_tensor_view %w16, shape = [%wm64, %wn64], strides = [%ws64, 1] : tile<i64> -> tensor_view<?x?xf16, strides=[?,1]>
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
    %most = constant <i32: 127> : tile<128xi32>
    %numbers, %kn = load_view_tko weak %np[%x] token = %t : partition_view<tile=(128), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<128xi32>, token
    %few = andi %numbers, %most : tile<128xi32>
    %av = make_tensor_view %a16, shape = [%am, %an16], strides = [%as8, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %ap = make_gather_scatter_view %av : gather_scatter_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>, sparse_dim=0>
    %sum = for %k in (%c0 to %steps, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<128x64xf32>) {
      %f0 = muli %k, %c64 : tile<i32>
      %ta, %ka = load_view_tko weak %ap[%few, %f0] token = %t : gather_scatter_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>, sparse_dim=0>, tile<128xi32>, tile<i32> -> tile<128x64xf16>, token
      %tw, %kw = load_view_tko weak %wp[%k, %c0] token = %t : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %s = mmaf %ta, %tw, %acc : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
      continue %s : tile<128x64xf32>
    }
    %done = store_view_tko weak %sum, %op[%x, %c0] token = %t : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
