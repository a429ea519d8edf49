// A promise about one stride is lost: nothing says that rows of A begin at multiples of 16 bytes.
// gpu: sm_90
// why: tma
// bug: MemoryTmaLoadFailed
// cause: stride not 16-byte aligned
// lost: parameter 6 of 'k'
// cure: add assume div_by<8> to parameter 6
// worth: TMA copies
// without: ld.global
cuda_tile.module @m {
  entry @k(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>, %sa: tile<i32>, %sb: tile<i32>, %sc: tile<i32>) {
    %t = make_token : token
    %pa = assume div_by<16>, %a : tile<ptr<f16>>
    %pb = assume div_by<16>, %b : tile<ptr<f16>>
    %pc = assume div_by<16>, %c : tile<ptr<f32>>
    %m1 = assume div_by<256>, %m : tile<i32>
    %n1 = assume div_by<256>, %n : tile<i32>
    %k1 = assume div_by<256>, %k : tile<i32>
    %m2 = assume bounded<1, ?>, %m1 : tile<i32>
    %n2 = assume bounded<1, ?>, %n1 : tile<i32>
    %k2 = assume bounded<1, ?>, %k1 : tile<i32>
    %sb1 = assume div_by<16>, %sb : tile<i32>
    %sc1 = assume div_by<16>, %sc : tile<i32>
    %sb2 = assume bounded<1, ?>, %sb1 : tile<i32>
    %sc2 = assume bounded<1, ?>, %sc1 : tile<i32>
    %sa2 = assume bounded<1, ?>, %sa : tile<i32>
    %va = make_tensor_view %pa, shape = [%m2, %k2], strides = [%sa2, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vb = make_tensor_view %pb, shape = [%k2, %n2], strides = [%sb2, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %wb = make_partition_view %vb : partition_view<tile=(64x128), tensor_view<?x?xf16, strides=[?,1]>>
    %wa = make_partition_view %va : partition_view<tile=(128x64), tensor_view<?x?xf16, strides=[?,1]>>
    %vc = make_tensor_view %pc, shape = [%m2, %n2], strides = [%sc2, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %wc = make_partition_view %vc : partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %cK = constant <i32: 64> : tile<i32>
    %end = divi %k2, %cK signed rounding<positive_inf> : tile<i32>
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %sum = for %i in (%c0 to %end, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<128x128xf32>) {
      %x, %tx = load_view_tko weak %wa[%bx, %i] token = %t : partition_view<tile=(128x64), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %y, %ty = load_view_tko weak %wb[%i, %by] token = %t : partition_view<tile=(64x128), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
      %d = mmaf %x, %y, %acc : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %d : tile<128x128xf32>
    }
    %o = store_view_tko weak %sum, %wc[%bx, %by] token = %t : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
// -----
cuda_tile.module @m {
  entry @k(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>, %sa: tile<i32>, %sb: tile<i32>, %sc: tile<i32>) {
    %t = make_token : token
    %pa = assume div_by<16>, %a : tile<ptr<f16>>
    %pb = assume div_by<16>, %b : tile<ptr<f16>>
    %pc = assume div_by<16>, %c : tile<ptr<f32>>
    %m1 = assume div_by<256>, %m : tile<i32>
    %n1 = assume div_by<256>, %n : tile<i32>
    %k1 = assume div_by<256>, %k : tile<i32>
    %m2 = assume bounded<1, ?>, %m1 : tile<i32>
    %n2 = assume bounded<1, ?>, %n1 : tile<i32>
    %k2 = assume bounded<1, ?>, %k1 : tile<i32>
    %sb1 = assume div_by<16>, %sb : tile<i32>
    %sc1 = assume div_by<16>, %sc : tile<i32>
    %sb2 = assume bounded<1, ?>, %sb1 : tile<i32>
    %sc2 = assume bounded<1, ?>, %sc1 : tile<i32>
    %sa1 = assume div_by<16>, %sa : tile<i32>
    %sa2 = assume bounded<1, ?>, %sa1 : tile<i32>
    %va = make_tensor_view %pa, shape = [%m2, %k2], strides = [%sa2, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vb = make_tensor_view %pb, shape = [%k2, %n2], strides = [%sb2, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %wb = make_partition_view %vb : partition_view<tile=(64x128), tensor_view<?x?xf16, strides=[?,1]>>
    %wa = make_partition_view %va : partition_view<tile=(128x64), tensor_view<?x?xf16, strides=[?,1]>>
    %vc = make_tensor_view %pc, shape = [%m2, %n2], strides = [%sc2, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %wc = make_partition_view %vc : partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %cK = constant <i32: 64> : tile<i32>
    %end = divi %k2, %cK signed rounding<positive_inf> : tile<i32>
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %sum = for %i in (%c0 to %end, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<128x128xf32>) {
      %x, %tx = load_view_tko weak %wa[%bx, %i] token = %t : partition_view<tile=(128x64), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
      %y, %ty = load_view_tko weak %wb[%i, %by] token = %t : partition_view<tile=(64x128), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
      %d = mmaf %x, %y, %acc : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %d : tile<128x128xf32>
    }
    %o = store_view_tko weak %sum, %wc[%bx, %by] token = %t : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
