// An operand of bytes of which threads load one at a time was taken for one that lies in memory along its rows. So its rows
// were dealt out to fragments, as if threads held it, and TMA brought it for a descriptor all the same: ten of eleven
// rows were wrong on sm_90 (random kernel 7958).
//
// RUN: tile-run %s --grid=1 --diff-engines=interp,tileas,ptx --gpu-name=sm_80,sm_90,sm_100,sm_120 \
// RUN:   --arg=i8[65536]=random --arg=i32[4096] --arg=i32:0
// RUN: tile-run %s --grid=1 --diff-engines=interp,ptx --gpu-name=sm_90 -O1 --adversarial --seed=1 \
// RUN:   --arg=i8[65536]=random --arg=i32[4096] --arg=i32:0

cuda_tile.module @m {
  entry @k(%bytes: tile<ptr<i8>>, %out: tile<ptr<i32>>, %n: tile<i32>) {
    %t = make_token : token
    %aligned = assume div_by<16>, %bytes : tile<ptr<i8>>
    %zero = constant <i32: 0> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %c896 = constant <i32: 896> : tile<i32>
    %c64 = constant <i32: 64> : tile<i32>
    %columns = addi %n, %c896 : tile<i32>
    %rows = addi %n, %c64 : tile<i32>
    %av = make_tensor_view %aligned, shape = [64, %columns], strides = [896, 1] : tile<i32> -> tensor_view<64x?xi8, strides=[896,1]>
    %ap = make_partition_view %av : partition_view<tile=(64x128), padding_value = zero, tensor_view<64x?xi8, strides=[896,1]>>
    %bv = make_tensor_view %bytes, shape = [%rows, 855], strides = [855, 1] : tile<i32> -> tensor_view<?x855xi8, strides=[855,1]>
    %bp = make_partition_view %bv : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x855xi8, strides=[855,1]>, dim_map=[1, 0]>
    %ov = make_tensor_view %out, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi32, strides=[64,1]>
    %op = make_partition_view %ov : partition_view<tile=(64x64), tensor_view<64x64xi32, strides=[64,1]>>
    %none = constant <i32: 0> : tile<64x64xi32>
    %a, %ta = load_view_tko weak %ap[%zero, %two] token = %t : partition_view<tile=(64x128), padding_value = zero, tensor_view<64x?xi8, strides=[896,1]>>, tile<i32> -> tile<64x128xi8>, token
    %b, %tb = load_view_tko weak %bp[%two, %zero] token = %t : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x855xi8, strides=[855,1]>, dim_map=[1, 0]>, tile<i32> -> tile<128x64xi8>, token
    %d = mmai %a, %b, %none unsigned unsigned : tile<64x128xi8>, tile<128x64xi8>, tile<64x64xi32>
    %s = store_view_tko weak %d, %op[%zero, %zero] token = %t : tile<64x64xi32>, partition_view<tile=(64x64), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
