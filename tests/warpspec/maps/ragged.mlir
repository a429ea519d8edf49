// Each tile multiplies rows of another group, whose first row and length are in a table. So the kernel builds a tensor
// map for each tile. The producer does it for its own loads, when those that use the last map have landed.
// RUN: tile-opt %s --gpu-name=sm_100 --lower-to=loops-scheduled --remarks -o - 2>&1 | FileCheck --check-prefix=ROLES %s
// RUN: tile-opt %s --gpu-name=sm_90 --lower-to=loops-scheduled --remarks -o - 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: tile-run --gpu-name=sm_100 --diff-engines=interp,tileas,ptx --grid=2 --array=f16[192x208]=random \
// RUN:   --array=i32[16]=random --array=f16[208x64]=random --array=f32[1024x64] --arg=i32:6 %s
// RUN: tile-run --gpu-name=sm_100 --engine=ptx --sync-check --grid=1 --array=f16[192x208]=random \
// RUN:   --array=i32[16]=random --array=f16[208x64]=random --array=f32[1024x64] --arg=i32:4 %s | FileCheck --check-prefix=SYNC %s
// RUN(long): tile-run --gpu-name=sm_103 --diff-engines=interp,tileas,ptx --adversarial --seed=1 --grid=1 \
// RUN(long):   --array=f16[192x640]=random --array=i32[16]=random --array=f16[640x64]=random --array=f32[1024x64] --arg=i32:5 %s
// RUN(long): tile-run --gpu-name=sm_110 --diff-engines=interp,tileas,ptx --adversarial --seed=2 --grid=3 \
// RUN(long):   --array=f16[192x64]=random --array=i32[16]=random --array=f16[64x64]=random --array=f32[1024x64] --arg=i32:8 %s

// ROLES: warp-specialized: 4 consumer warps, 1 producer warp, 1 MMA warp
// ROLES: role "load" warps(1)
// ROLES: nv_tileas.build_tensor_map
// ROLES: role "product" warps(1)
// NONE: no warp specialization: a tensor map is made by 'nv_tileas.build_tensor_map'
// SYNC: nothing found
cuda_tile.module @kernels {
  entry @k(%a: tile<ptr<f16>>, %am: tile<i32>, %an: tile<i32>, %as: tile<i32>, %as1: tile<i32>,
      %n: tile<ptr<i32>>, %nm: tile<i32>, %ns: tile<i32>,
      %w: tile<ptr<f16>>, %wm: tile<i32>, %wn: tile<i32>, %ws: tile<i32>, %ws1: tile<i32>,
      %o: tile<ptr<f32>>, %om: tile<i32>, %on: tile<i32>, %os: tile<i32>, %os1: tile<i32>, %tiles: tile<i32>) {
    %t = make_token : token
    %a16 = assume div_by<16>, %a : tile<ptr<f16>>
    %n16 = assume div_by<16>, %n : tile<ptr<i32>>
    %w16 = assume div_by<16>, %w : tile<ptr<f16>>
    %o16 = assume div_by<16>, %o : tile<ptr<f32>>
    %an16 = assume div_by<16>, %an : tile<i32>
    %wm16 = assume div_by<16>, %wm : tile<i32>
    %as8 = assume div_by<16>, %as : tile<i32>
    %ws8 = assume div_by<8>, %ws : tile<i32>
    %os4 = assume div_by<4>, %os : tile<i32>
    %nv = make_tensor_view %n16, shape = [%nm], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %wv = make_tensor_view %w16, shape = [%wm16, %wn], strides = [%ws8, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %ov = make_tensor_view %o16, shape = [%om, %on], strides = [%os4, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %np = make_partition_view %nv : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>
    %wp = make_partition_view %wv : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %op = make_partition_view %ov : partition_view<tile=(128x64), tensor_view<?x?xf32, strides=[?,1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %gx, %gy, %gz = get_num_tile_blocks : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c64 = constant <i32: 64> : tile<i32>
    %few = constant <i32: 63> : tile<i32>
    %most = constant <i32: 127> : tile<i32>
    %steps = divi %an16, %c64 signed rounding<positive_inf> : tile<i32>
    %zero = constant <f32: 0.0> : tile<128x64xf32>
    for %tile in (%x to %tiles, step %gx) : tile<i32> {
      %at = addi %tile, %tile : tile<i32>
      %next = addi %at, %c1 : tile<i32>
      %v1, %k1 = load_view_tko weak %np[%at] token = %t : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
      %v2, %k2 = load_view_tko weak %np[%next] token = %t : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
      %f1 = reshape %v1 : tile<1xi32> -> tile<i32>
      %f2 = reshape %v2 : tile<1xi32> -> tile<i32>
      %first = andi %f1, %few : tile<i32>
      %rows = andi %f2, %most : tile<i32>
      %rows0 = assume bounded<0, ?>, %rows : tile<i32>
      %skip = muli %first, %as8 : tile<i32>
      %base = offset %a16, %skip : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
      %av = make_tensor_view %base, shape = [%rows0, %an16], strides = [%as8, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
      %ap = make_partition_view %av : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
      %sum = for %k in (%c0 to %steps, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<128x64xf32>) {
        %ta, %ka = load_view_tko weak %ap[%c0, %k] token = %t : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
        %tw, %kw = load_view_tko weak %wp[%k, %c0] token = %t : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
        %s = mmaf %ta, %tw, %acc : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
        continue %s : tile<128x64xf32>
      }
      %done = store_view_tko weak %sum, %op[%tile, %c0] token = %t : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
      continue
    }
    return
  }
}
