// A loop reads a table to find how many steps there are, as kernels of experts look for the expert of a tile. Each role
// repeats the loop.
// RUN: tile-opt %s --gpu-name=sm_100 --lower-to=loops-scheduled --remarks -o - 2>&1 | FileCheck --check-prefix=ROLES %s
// RUN: tile-run --gpu-name=sm_100 --diff-engines=interp,ptx --entry=counted --grid=2 --array=f16[256x320]=random \
// RUN:   --array=i8[320x128]=random --array=i32[5]=1 --array=f32[256x128] %s
// RUN(long): tile-run --gpu-name=sm_100 --diff-engines=interp,ptx --adversarial --seed=1 --entry=counted --grid=2 \
// RUN(long):   --array=f16[256x320]=random --array=i8[320x128]=random --array=i32[5]=1 --array=f32[256x128] %s

// ROLES: warp-specialized: {{[48]}} consumer warps, 1 producer warp, 1 MMA warp
cuda_tile.module @kernels {
  entry @counted(%a: tile<ptr<f16>>, %am: tile<i32>, %an: tile<i32>, %as: tile<i32>, %as1: tile<i32>,
      %w: tile<ptr<i8>>, %wm: tile<i32>, %wn: tile<i32>, %ws: tile<i32>, %ws1: tile<i32>,
      %l: tile<ptr<i32>>, %lm: tile<i32>, %ls: tile<i32>,
      %o: tile<ptr<f32>>, %om: tile<i32>, %on: tile<i32>, %os: tile<i32>, %os1: tile<i32>) {
    %t = make_token : token
    %a16 = assume div_by<16>, %a : tile<ptr<f16>>
    %w16 = assume div_by<16>, %w : tile<ptr<i8>>
    %o16 = assume div_by<16>, %o : tile<ptr<f32>>
    %as8 = assume div_by<8>, %as : tile<i32>
    %ws16 = assume div_by<16>, %ws : tile<i32>
    %os4 = assume div_by<4>, %os : tile<i32>
    %av = make_tensor_view %a16, shape = [%am, %an], strides = [%as8, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %wv = make_tensor_view %w16, shape = [%wm, %wn], strides = [%ws16, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[?,1]>
    %ov = make_tensor_view %o16, shape = [%om, %on], strides = [%os4, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %lv = make_tensor_view %l, shape = [%lm], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %lp = make_partition_view %lv : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>
    %ap = make_partition_view %av : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %wp = make_partition_view %wv : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>
    %op = make_partition_view %ov : partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c64 = constant <i32: 64> : tile<i32>
    %steps = for %e in (%c0 to %lm, step %c1) : tile<i32> iter_values(%sofar = %c0) -> (tile<i32>) {
      %one, %kl = load_view_tko weak %lp[%e] token = %t : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
      %more = reshape %one : tile<1xi32> -> tile<i32>
      %some = cmpi greater_than %more, %c0, signed : tile<i32> -> tile<i1>
      %next = if %some -> (tile<i32>) {
        %n = addi %sofar, %more : tile<i32>
        yield %n : tile<i32>
      } else {
        yield %sofar : tile<i32>
      }
      continue %next : tile<i32>
    }
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %sum = for %k in (%c0 to %steps, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<128x128xf32>) {
      %ta, %ka = load_view_tko weak %ap[%x, %k] token = %t : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %tw, %kw = load_view_tko weak %wp[%k, %c0] token = %t : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xi8, strides=[?,1]>>, tile<i32> -> tile<64x128xi8>, token
      %h = itof %tw signed : tile<64x128xi8> -> tile<64x128xf16>
      %s = mmaf %ta, %h, %acc : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %s : tile<128x128xf32>
    }
    %done = store_view_tko weak %sum, %op[%x, %c0] token = %t : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
