cuda_tile.module @kernels {
  entry @attention_Kt1_A2f16_1v8l0_2t1_3i16_p16_A2f16_1v8l0_2t1_3i16_p16_A2f16_1v8l0_2t1_3i16_p16_A2f32_1v4l0_2t1_3i16_p16_I16_I16_I16(%arg0: tile<ptr<f16>>, %arg1: tile<i32>, %arg2: tile<i32>, %arg3: tile<i32>, %arg4: tile<i32>, %arg5: tile<ptr<f16>>, %arg6: tile<i32>, %arg7: tile<i32>, %arg8: tile<i32>, %arg9: tile<i32>, %arg10: tile<ptr<f16>>, %arg11: tile<i32>, %arg12: tile<i32>, %arg13: tile<i32>, %arg14: tile<i32>, %arg15: tile<ptr<f32>>, %arg16: tile<i32>, %arg17: tile<i32>, %arg18: tile<i32>, %arg19: tile<i32>) optimization_hints=<default = {}> {
    %0 = make_token : token loc(#loc38)
    %assume = assume div_by<16>, %arg0 : tile<ptr<f16>> loc(#loc39)
    %assume_0 = assume div_by<16>, %arg1 : tile<i32> loc(#loc39)
    %assume_1 = assume div_by<16>, %arg2 : tile<i32> loc(#loc39)
    %assume_2 = assume div_by<8>, %arg3 : tile<i32> loc(#loc39)
    %assume_3 = assume div_by<16>, %arg5 : tile<ptr<f16>> loc(#loc40)
    %assume_4 = assume div_by<16>, %arg6 : tile<i32> loc(#loc40)
    %assume_5 = assume div_by<16>, %arg7 : tile<i32> loc(#loc40)
    %assume_6 = assume div_by<8>, %arg8 : tile<i32> loc(#loc40)
    %assume_7 = assume div_by<16>, %arg10 : tile<ptr<f16>> loc(#loc41)
    %assume_8 = assume div_by<16>, %arg11 : tile<i32> loc(#loc41)
    %assume_9 = assume div_by<16>, %arg12 : tile<i32> loc(#loc41)
    %assume_10 = assume div_by<8>, %arg13 : tile<i32> loc(#loc41)
    %assume_11 = assume div_by<16>, %arg15 : tile<ptr<f32>> loc(#loc42)
    %assume_12 = assume div_by<16>, %arg16 : tile<i32> loc(#loc42)
    %assume_13 = assume div_by<16>, %arg17 : tile<i32> loc(#loc42)
    %assume_14 = assume div_by<4>, %arg18 : tile<i32> loc(#loc42)
    %cst_1_i32 = constant <i32: 1> : tile<i32> loc(#loc38)
    %cst_1_i32_15 = constant <i32: 1> : tile<i32> loc(#loc38)
    %cst_1_i32_16 = constant <i32: 1> : tile<i32> loc(#loc38)
    %cst_1_i32_17 = constant <i32: 1> : tile<i32> loc(#loc38)
    %assume_assume = assume bounded<0, ?>, %assume_0 : tile<i32> loc(#loc38)
    %assume_assume_assume = assume div_by<16>, %assume_assume : tile<i32> loc(#loc38)
    %assume_assume_18 = assume bounded<0, ?>, %assume_1 : tile<i32> loc(#loc38)
    %assume_assume_assume_19 = assume div_by<16>, %assume_assume_18 : tile<i32> loc(#loc38)
    %assume_assume_20 = assume bounded<0, ?>, %assume_2 : tile<i32> loc(#loc38)
    %assume_assume_assume_21 = assume div_by<8>, %assume_assume_20 : tile<i32> loc(#loc38)
    %tview = make_tensor_view %assume, shape = [%assume_assume_assume, %assume_assume_assume_19], strides = [%assume_assume_assume_21, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]> loc(#loc38)
    %assume_assume_22 = assume bounded<0, ?>, %assume_4 : tile<i32> loc(#loc38)
    %assume_assume_assume_23 = assume div_by<16>, %assume_assume_22 : tile<i32> loc(#loc38)
    %assume_assume_24 = assume bounded<0, ?>, %assume_5 : tile<i32> loc(#loc38)
    %assume_assume_assume_25 = assume div_by<16>, %assume_assume_24 : tile<i32> loc(#loc38)
    %assume_assume_26 = assume bounded<0, ?>, %assume_6 : tile<i32> loc(#loc38)
    %assume_assume_assume_27 = assume div_by<8>, %assume_assume_26 : tile<i32> loc(#loc38)
    %tview_28 = make_tensor_view %assume_3, shape = [%assume_assume_assume_23, %assume_assume_assume_25], strides = [%assume_assume_assume_27, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]> loc(#loc38)
    %assume_assume_29 = assume bounded<0, ?>, %assume_8 : tile<i32> loc(#loc38)
    %assume_assume_assume_30 = assume div_by<16>, %assume_assume_29 : tile<i32> loc(#loc38)
    %assume_assume_31 = assume bounded<0, ?>, %assume_9 : tile<i32> loc(#loc38)
    %assume_assume_assume_32 = assume div_by<16>, %assume_assume_31 : tile<i32> loc(#loc38)
    %assume_assume_33 = assume bounded<0, ?>, %assume_10 : tile<i32> loc(#loc38)
    %assume_assume_assume_34 = assume div_by<8>, %assume_assume_33 : tile<i32> loc(#loc38)
    %tview_35 = make_tensor_view %assume_7, shape = [%assume_assume_assume_30, %assume_assume_assume_32], strides = [%assume_assume_assume_34, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]> loc(#loc38)
    %assume_assume_36 = assume bounded<0, ?>, %assume_12 : tile<i32> loc(#loc38)
    %assume_assume_assume_37 = assume div_by<16>, %assume_assume_36 : tile<i32> loc(#loc38)
    %assume_assume_38 = assume bounded<0, ?>, %assume_13 : tile<i32> loc(#loc38)
    %assume_assume_assume_39 = assume div_by<16>, %assume_assume_38 : tile<i32> loc(#loc38)
    %assume_assume_40 = assume bounded<0, ?>, %assume_14 : tile<i32> loc(#loc38)
    %assume_assume_assume_41 = assume div_by<4>, %assume_assume_40 : tile<i32> loc(#loc38)
    %tview_42 = make_tensor_view %assume_11, shape = [%assume_assume_assume_37, %assume_assume_assume_39], strides = [%assume_assume_assume_41, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]> loc(#loc38)
    %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32> loc(#loc43)
    %cst_0_i32 = constant <i32: 0> : tile<i32> loc(#loc44)
    %pview = make_partition_view %tview : partition_view<tile=(16x16), tensor_view<?x?xf16, strides=[?,1]>> loc(#loc45)
    %tile, %result_token = load_view_tko weak %pview[%blockId_x, %cst_0_i32] token = %0 : partition_view<tile=(16x16), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<16x16xf16>, token loc(#loc45)
    %cst_f32 = constant <f32: -1.000000e+30> : tile<16x1xf32> loc(#loc46)
    %cst_0_f32 = constant <f32: 0.000000e+00> : tile<16x1xf32> loc(#loc47)
    %cst_0_f32_43 = constant <f32: 0.000000e+00> : tile<16x16xf32> loc(#loc48)
    %pview_44 = make_partition_view %tview_28 : partition_view<tile=(16x16), tensor_view<?x?xf16, strides=[?,1]>> loc(#loc49)
    %1:2 = get_index_space_shape %pview_44 : partition_view<tile=(16x16), tensor_view<?x?xf16, strides=[?,1]>> -> tile<i32> loc(#loc49)
    %cst_0_i32_45 = constant <i32: 0> : tile<i32> loc(#loc50)
    %cst_1_i32_46 = constant <i32: 1> : tile<i32> loc(#loc50)
    %cst_0_i32_47 = constant <i32: 0> : tile<i32> loc(#loc51)
    %pview_48 = make_partition_view %tview_28 : partition_view<tile=(16x16), tensor_view<?x?xf16, strides=[?,1]>> loc(#loc52)
    %cst_0_f32_49 = constant <f32: 0.000000e+00> : tile<16x16xf32> loc(#loc53)
    %cst_f32_50 = constant <f32: 2.500000e-01> : tile<f32> loc(#loc54)
    %reshape = reshape %cst_f32_50 : tile<f32> -> tile<1x1xf32> loc(#loc55)
    %bcast = broadcast %reshape : tile<1x1xf32> -> tile<16x16xf32> loc(#loc55)
    %cst_0_i32_51 = constant <i32: 0> : tile<i32> loc(#loc56)
    %pview_52 = make_partition_view %tview_35 : partition_view<tile=(16x16), tensor_view<?x?xf16, strides=[?,1]>> loc(#loc57)
    %for:3 = for %loopIdx in (%cst_0_i32_45 to %1#0, step %cst_1_i32_46) : tile<i32> iter_values(%iterArg0 = %cst_0_f32_43, %iterArg1 = %cst_f32, %iterArg2 = %cst_0_f32) -> (tile<16x16xf32>, tile<16x1xf32>, tile<16x1xf32>) {
      %tile_56, %result_token_57 = load_view_tko weak %pview_48[%loopIdx, %cst_0_i32_47] token = %0 : partition_view<tile=(16x16), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<16x16xf16>, token loc(#loc52)
      %4 = permute %tile_56 [1, 0] : tile<16x16xf16> -> tile<16x16xf16> loc(#loc59)
      %5 = mmaf %tile, %4, %cst_0_f32_49 : tile<16x16xf16>, tile<16x16xf16>, tile<16x16xf32> loc(#loc55)
      %6 = mulf %5, %bcast  : tile<16x16xf32> loc(#loc55)
      %reduce = reduce %6 dim=1 identities=[0xFF800000 : f32] : tile<16x16xf32> -> tile<16xf32> 
      (%reduce_lhs: tile<f32>, %reduce_rhs: tile<f32>) {
        %16 = maxf %reduce_lhs, %reduce_rhs : tile<f32> loc(#loc60)
        yield %16 : tile<f32> loc(#loc60)
      } loc(#loc60)
      %reshape_58 = reshape %reduce : tile<16xf32> -> tile<16x1xf32> loc(#loc60)
      %7 = maxf %iterArg1, %reshape_58 : tile<16x1xf32> loc(#loc61)
      %bcast_59 = broadcast %7 : tile<16x1xf32> -> tile<16x16xf32> loc(#loc62)
      %8 = subf %6, %bcast_59  : tile<16x16xf32> loc(#loc62)
      %9 = exp %8  : tile<16x16xf32> loc(#loc63)
      %10 = subf %iterArg1, %7  : tile<16x1xf32> loc(#loc64)
      %11 = exp %10  : tile<16x1xf32> loc(#loc65)
      %reduce_60 = reduce %9 dim=1 identities=[0.000000e+00 : f32] : tile<16x16xf32> -> tile<16xf32> 
      (%reduce_lhs: tile<f32>, %reduce_rhs: tile<f32>) {
        %16 = addf %reduce_lhs, %reduce_rhs  : tile<f32> loc(#loc66)
        yield %16 : tile<f32> loc(#loc66)
      } loc(#loc66)
      %reshape_61 = reshape %reduce_60 : tile<16xf32> -> tile<16x1xf32> loc(#loc66)
      %12 = fma %iterArg2, %11, %reshape_61  : tile<16x1xf32> loc(#loc67)
      %tile_62, %result_token_63 = load_view_tko weak %pview_52[%loopIdx, %cst_0_i32_51] token = %0 : partition_view<tile=(16x16), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<16x16xf16>, token loc(#loc57)
      %13 = ftof %9  : tile<16x16xf32> -> tile<16x16xf16> loc(#loc75)
      %bcast_64 = broadcast %11 : tile<16x1xf32> -> tile<16x16xf32> loc(#loc70)
      %14 = mulf %iterArg0, %bcast_64  : tile<16x16xf32> loc(#loc70)
      %15 = mmaf %13, %tile_62, %14 : tile<16x16xf16>, tile<16x16xf16>, tile<16x16xf32> loc(#loc71)
      continue %15, %7, %12 : tile<16x16xf32>, tile<16x1xf32>, tile<16x1xf32> loc(#loc58)
    } loc(#loc58)
    %cst_0_i32_53 = constant <i32: 0> : tile<i32> loc(#loc72)
    %bcast_54 = broadcast %for#2 : tile<16x1xf32> -> tile<16x16xf32> loc(#loc73)
    %2 = divf %for#0, %bcast_54  : tile<16x16xf32> loc(#loc73)
    %pview_55 = make_partition_view %tview_42 : partition_view<tile=(16x16), tensor_view<?x?xf32, strides=[?,1]>> loc(#loc74)
    %3 = store_view_tko weak %2, %pview_55[%blockId_x, %cst_0_i32_53] token = %0 : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token loc(#loc74)
    return loc(#loc)
  } loc(#loc38)
} loc(#loc)
#di_file = #cuda_tile.di_file<"attention.py" in "">
#di_file1 = #cuda_tile.di_file<"_stub.py" in "/lib/site-packages/cuda/tile">
#loc = loc(unknown)
#loc1 = loc("attention.py":6:0)
#loc2 = loc("attention.py":6:14)
#loc3 = loc("attention.py":6:17)
#loc4 = loc("attention.py":6:20)
#loc5 = loc("attention.py":6:23)
#loc6 = loc("attention.py":7:8)
#loc7 = loc("attention.py":8:29)
#loc8 = loc("attention.py":8:14)
#loc9 = loc("attention.py":9:10)
#loc10 = loc("attention.py":10:12)
#loc11 = loc("attention.py":11:10)
#loc12 = loc("attention.py":12:19)
#loc13 = loc("attention.py":12:13)
#loc14 = loc("attention.py":13:30)
#loc15 = loc("attention.py":13:15)
#loc16 = loc("attention.py":14:53)
#loc17 = loc("attention.py":14:91)
#loc18 = loc("attention.py":14:17)
#loc19 = loc("attention.py":19:32)
#loc20 = loc("attention.py":19:17)
#loc21 = loc("attention.py":12:4)
#loc22 = loc("attention.py":14:33)
#loc23 = loc("attention.py":15:30)
#loc24 = loc("attention.py":15:14)
#loc25 = loc("attention.py":16:19)
#loc26 = loc("attention.py":16:12)
#loc27 = loc("attention.py":17:24)
#loc28 = loc("attention.py":17:17)
#loc29 = loc("attention.py":18:33)
#loc30 = loc("attention.py":18:16)
#loc31 = loc("/lib/site-packages/cuda/tile/_stub.py":678:15)
#loc32 = loc("attention.py":20:21)
#loc33 = loc("attention.py":20:51)
#loc34 = loc("attention.py":20:14)
#loc35 = loc("attention.py":22:22)
#loc36 = loc("attention.py":22:26)
#loc37 = loc("attention.py":22:4)
#di_compile_unit = #cuda_tile.di_compile_unit<file = #di_file>
#di_compile_unit1 = #cuda_tile.di_compile_unit<file = #di_file1>
#di_subprogram = #cuda_tile.di_subprogram<file = #di_file, line = 5, name = "attention", linkageName = "attention_Kt1_A2f16_1v8l0_2t1_3i16_p16_A2f16_1v8l0_2t1_3i16_p16_A2f16_1v8l0_2t1_3i16_p16_A2f32_1v4l0_2t1_3i16_p16_I16_I16_I16", compileUnit = #di_compile_unit, scopeLine = 5>
#di_subprogram1 = #cuda_tile.di_subprogram<file = #di_file1, line = 676, name = "astype", linkageName = "astype@_stub:676:5_s0", compileUnit = #di_compile_unit1, scopeLine = 676>
#loc38 = #cuda_tile.di_loc<#loc1 in #di_subprogram>
#loc39 = #cuda_tile.di_loc<#loc2 in #di_subprogram>
#loc40 = #cuda_tile.di_loc<#loc3 in #di_subprogram>
#loc41 = #cuda_tile.di_loc<#loc4 in #di_subprogram>
#loc42 = #cuda_tile.di_loc<#loc5 in #di_subprogram>
#loc43 = #cuda_tile.di_loc<#loc6 in #di_subprogram>
#loc44 = #cuda_tile.di_loc<#loc7 in #di_subprogram>
#loc45 = #cuda_tile.di_loc<#loc8 in #di_subprogram>
#loc46 = #cuda_tile.di_loc<#loc9 in #di_subprogram>
#loc47 = #cuda_tile.di_loc<#loc10 in #di_subprogram>
#loc48 = #cuda_tile.di_loc<#loc11 in #di_subprogram>
#loc49 = #cuda_tile.di_loc<#loc12 in #di_subprogram>
#loc50 = #cuda_tile.di_loc<#loc13 in #di_subprogram>
#loc51 = #cuda_tile.di_loc<#loc14 in #di_subprogram>
#loc52 = #cuda_tile.di_loc<#loc15 in #di_subprogram>
#loc53 = #cuda_tile.di_loc<#loc16 in #di_subprogram>
#loc54 = #cuda_tile.di_loc<#loc17 in #di_subprogram>
#loc55 = #cuda_tile.di_loc<#loc18 in #di_subprogram>
#loc56 = #cuda_tile.di_loc<#loc19 in #di_subprogram>
#loc57 = #cuda_tile.di_loc<#loc20 in #di_subprogram>
#loc58 = #cuda_tile.di_loc<#loc21 in #di_subprogram>
#loc59 = #cuda_tile.di_loc<#loc22 in #di_subprogram>
#loc60 = #cuda_tile.di_loc<#loc23 in #di_subprogram>
#loc61 = #cuda_tile.di_loc<#loc24 in #di_subprogram>
#loc62 = #cuda_tile.di_loc<#loc25 in #di_subprogram>
#loc63 = #cuda_tile.di_loc<#loc26 in #di_subprogram>
#loc64 = #cuda_tile.di_loc<#loc27 in #di_subprogram>
#loc65 = #cuda_tile.di_loc<#loc28 in #di_subprogram>
#loc66 = #cuda_tile.di_loc<#loc29 in #di_subprogram>
#loc67 = #cuda_tile.di_loc<#loc30 in #di_subprogram>
#loc68 = #cuda_tile.di_loc<#loc31 in #di_subprogram1>
#loc69 = #cuda_tile.di_loc<#loc32 in #di_subprogram>
#loc70 = #cuda_tile.di_loc<#loc33 in #di_subprogram>
#loc71 = #cuda_tile.di_loc<#loc34 in #di_subprogram>
#loc72 = #cuda_tile.di_loc<#loc35 in #di_subprogram>
#loc73 = #cuda_tile.di_loc<#loc36 in #di_subprogram>
#loc74 = #cuda_tile.di_loc<#loc37 in #di_subprogram>
#loc75 = loc(callsite(#loc68 at #loc69))
