cuda_tile.module @kernels {
  entry @k_Kt1_A1f32_1i16t1_p16_A1f32_1i16t1_p16_Sf32_I4(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<i32>, %arg3: tile<ptr<f32>>, %arg4: tile<i32>, %arg5: tile<i32>, %arg6: tile<f32>) optimization_hints=<default = {}> {
    %0 = make_token : token loc(#loc31)
    %assume = assume div_by<16>, %arg0 : tile<ptr<f32>> loc(#loc32)
    %assume_0 = assume div_by<16>, %arg1 : tile<i32> loc(#loc32)
    %assume_1 = assume div_by<16>, %arg3 : tile<ptr<f32>> loc(#loc33)
    %assume_2 = assume div_by<16>, %arg4 : tile<i32> loc(#loc33)
    %cst_1_i32 = constant <i32: 1> : tile<i32> loc(#loc31)
    %cst_1_i32_3 = constant <i32: 1> : tile<i32> loc(#loc31)
    %assume_assume = assume bounded<0, ?>, %assume_0 : tile<i32> loc(#loc31)
    %assume_assume_assume = assume div_by<16>, %assume_assume : tile<i32> loc(#loc31)
    %tview = make_tensor_view %assume, shape = [%assume_assume_assume], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]> loc(#loc31)
    %assume_assume_4 = assume bounded<0, ?>, %assume_2 : tile<i32> loc(#loc31)
    %assume_assume_assume_5 = assume div_by<16>, %assume_assume_4 : tile<i32> loc(#loc31)
    %tview_6 = make_tensor_view %assume_1, shape = [%assume_assume_assume_5], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]> loc(#loc31)
    %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32> loc(#loc34)
    %blockId_x_7, %blockId_y_8, %blockId_z_9 = get_tile_block_id : tile<i32> loc(#loc35)
    %cst_2_f32 = constant <f32: 2.000000e+00> : tile<f32> loc(#loc36)
    %pview = make_partition_view %tview : partition_view<tile=(16), tensor_view<?xf32, strides=[1]>> loc(#loc63)
    %tile, %result_token = load_view_tko weak %pview[%blockId_x] token = %0 : partition_view<tile=(16), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<16xf32>, token loc(#loc63)
    %reshape = reshape %cst_2_f32 : tile<f32> -> tile<1xf32> loc(#loc64)
    %bcast = broadcast %reshape : tile<1xf32> -> tile<16xf32> loc(#loc64)
    %pview_10 = make_partition_view %tview : partition_view<tile=(16), tensor_view<?xf32, strides=[1]>> loc(#loc65)
    %tile_11, %result_token_12 = load_view_tko weak %pview_10[%blockId_y_8] token = %0 : partition_view<tile=(16), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<16xf32>, token loc(#loc65)
    %reshape_13 = reshape %arg6 : tile<f32> -> tile<1xf32> loc(#loc66)
    %bcast_14 = broadcast %reshape_13 : tile<1xf32> -> tile<16xf32> loc(#loc66)
    %1 = mulf %tile_11, %bcast_14  : tile<16xf32> loc(#loc66)
    %2 = fma %tile, %bcast, %1  : tile<16xf32> loc(#loc43)
    %cst_0_i32 = constant <i32: 0> : tile<i32> loc(#loc44)
    %3 = cmpi greater_than %blockId_x, %cst_0_i32, signed : tile<i32> -> tile<i1> loc(#loc45)
    %4 = if %3 -> (tile<16xf32>) {
      %cst_1_f32 = constant <f32: 1.000000e+00> : tile<f32> loc(#loc47)
      %reshape_27 = reshape %cst_1_f32 : tile<f32> -> tile<1xf32> loc(#loc47)
      %bcast_28 = broadcast %reshape_27 : tile<1xf32> -> tile<16xf32> loc(#loc47)
      %8 = addf %2, %bcast_28  : tile<16xf32> loc(#loc47)
      yield %8 : tile<16xf32> loc(#loc46)
    } else {
      %cst_3_f32 = constant <f32: 3.000000e+00> : tile<f32> loc(#loc48)
      %reshape_27 = reshape %cst_3_f32 : tile<f32> -> tile<1xf32> loc(#loc48)
      %bcast_28 = broadcast %reshape_27 : tile<1xf32> -> tile<16xf32> loc(#loc48)
      %8 = mulf %2, %bcast_28  : tile<16xf32> loc(#loc48)
      yield %8 : tile<16xf32> loc(#loc46)
    } loc(#loc46)
    %cst_0_i32_15 = constant <i32: 0> : tile<i32> loc(#loc49)
    %cst_3_i32 = constant <i32: 3> : tile<i32> loc(#loc50)
    %cst_1_i32_16 = constant <i32: 1> : tile<i32> loc(#loc51)
    %5:2 = loop iter_values(%arg7 = %cst_0_i32_15, %arg8 = %4) : tile<i32>, tile<16xf32> -> tile<i32>, tile<16xf32> {
      %8 = cmpi less_than %arg7, %cst_3_i32, signed : tile<i32> -> tile<i1> loc(#loc53)
      if %8 {
      } else {
        break %arg7, %arg8 : tile<i32>, tile<16xf32> loc(#loc52)
      } loc(#loc52)
      %9 = itof %arg7 signed  : tile<i32> -> tile<f32> loc(#loc54)
      %reshape_27 = reshape %9 : tile<f32> -> tile<1xf32> loc(#loc54)
      %bcast_28 = broadcast %reshape_27 : tile<1xf32> -> tile<16xf32> loc(#loc54)
      %10 = addf %arg8, %bcast_28  : tile<16xf32> loc(#loc54)
      %11 = addi %arg7, %cst_1_i32_16 : tile<i32> loc(#loc55)
      continue %11, %10 : tile<i32>, tile<16xf32> loc(#loc52)
    } loc(#loc52)
    %cst_0_i32_17 = constant <i32: 0> : tile<i32> loc(#loc56)
    %pview_18 = make_partition_view %tview : partition_view<tile=(16), tensor_view<?xf32, strides=[1]>> loc(#loc57)
    %tile_19, %result_token_20 = load_view_tko weak %pview_18[%cst_0_i32_17] token = %0 : partition_view<tile=(16), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<16xf32>, token loc(#loc57)
    %cst_2_f32_21 = constant <f32: 2.000000e+00> : tile<f32> loc(#loc57)
    %reshape_22 = reshape %cst_2_f32_21 : tile<f32> -> tile<1xf32> loc(#loc57)
    %bcast_23 = broadcast %reshape_22 : tile<1xf32> -> tile<16xf32> loc(#loc57)
    %6 = mulf %tile_19, %bcast_23  : tile<16xf32> loc(#loc57)
    %cst_2_i32 = constant <i32: 2> : tile<i32> loc(#loc58)
    %cst_0_i32_24 = constant <i32: 0> : tile<i32> loc(#loc59)
    %cst_1_i32_25 = constant <i32: 1> : tile<i32> loc(#loc59)
    %for = for %loopIdx in (%cst_0_i32_24 to %cst_2_i32, step %cst_1_i32_25) : tile<i32> iter_values(%iterArg0 = %6) -> (tile<16xf32>) {
      %8 = addf %iterArg0, %5#1  : tile<16xf32> loc(#loc61)
      continue %8 : tile<16xf32> loc(#loc60)
    } loc(#loc60)
    %pview_26 = make_partition_view %tview_6 : partition_view<tile=(16), tensor_view<?xf32, strides=[1]>> loc(#loc62)
    %7 = store_view_tko weak %for, %pview_26[%blockId_x] token = %0 : tile<16xf32>, partition_view<tile=(16), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token loc(#loc62)
    return loc(#loc)
  } loc(#loc31)
} loc(#loc)
#di_file = #cuda_tile.di_file<"names.py" in "">
#loc = loc(unknown)
#loc1 = loc("names.py":10:0)
#loc2 = loc("names.py":10:6)
#loc3 = loc("names.py":10:9)
#loc4 = loc("names.py":11:11)
#loc5 = loc("names.py":11:22)
#loc6 = loc("names.py":12:21)
#loc7 = loc("names.py":5:8)
#loc8 = loc("names.py":12:8)
#loc9 = loc("names.py":6:8)
#loc10 = loc("names.py":13:9)
#loc11 = loc("names.py":13:4)
#loc12 = loc("names.py":14:11)
#loc13 = loc("names.py":14:7)
#loc14 = loc("names.py":14:4)
#loc15 = loc("names.py":15:12)
#loc16 = loc("names.py":17:12)
#loc17 = loc("names.py":18:8)
#loc18 = loc("names.py":19:14)
#loc19 = loc("names.py":22:16)
#loc20 = loc("names.py":19:4)
#loc21 = loc("names.py":19:10)
#loc22 = loc("names.py":20:13)
#loc23 = loc("names.py":22:12)
#loc24 = loc("names.py":24:12)
#loc25 = loc("names.py":23:9)
#loc26 = loc("names.py":25:19)
#loc27 = loc("names.py":25:13)
#loc28 = loc("names.py":25:4)
#loc29 = loc("names.py":26:8)
#loc30 = loc("names.py":27:4)
#di_compile_unit = #cuda_tile.di_compile_unit<file = #di_file>
#di_subprogram = #cuda_tile.di_subprogram<file = #di_file, line = 9, name = "k", linkageName = "k_Kt1_A1f32_1i16t1_p16_A1f32_1i16t1_p16_Sf32_I4", compileUnit = #di_compile_unit, scopeLine = 9>
#di_subprogram1 = #cuda_tile.di_subprogram<file = #di_file, line = 4, name = "helper", linkageName = "helper@names:4:1_s0", compileUnit = #di_compile_unit, scopeLine = 4>
#di_subprogram2 = #cuda_tile.di_subprogram<file = #di_file, line = 4, name = "helper", linkageName = "helper@names:4:1_s1", compileUnit = #di_compile_unit, scopeLine = 4>
#loc31 = #cuda_tile.di_loc<#loc1 in #di_subprogram>
#loc32 = #cuda_tile.di_loc<#loc2 in #di_subprogram>
#loc33 = #cuda_tile.di_loc<#loc3 in #di_subprogram>
#loc34 = #cuda_tile.di_loc<#loc4 in #di_subprogram>
#loc35 = #cuda_tile.di_loc<#loc5 in #di_subprogram>
#loc36 = #cuda_tile.di_loc<#loc6 in #di_subprogram>
#loc37 = #cuda_tile.di_loc<#loc7 in #di_subprogram1>
#loc38 = #cuda_tile.di_loc<#loc8 in #di_subprogram>
#loc39 = #cuda_tile.di_loc<#loc9 in #di_subprogram1>
#loc40 = #cuda_tile.di_loc<#loc7 in #di_subprogram2>
#loc41 = #cuda_tile.di_loc<#loc10 in #di_subprogram>
#loc42 = #cuda_tile.di_loc<#loc9 in #di_subprogram2>
#loc43 = #cuda_tile.di_loc<#loc11 in #di_subprogram>
#loc44 = #cuda_tile.di_loc<#loc12 in #di_subprogram>
#loc45 = #cuda_tile.di_loc<#loc13 in #di_subprogram>
#loc46 = #cuda_tile.di_loc<#loc14 in #di_subprogram>
#loc47 = #cuda_tile.di_loc<#loc15 in #di_subprogram>
#loc48 = #cuda_tile.di_loc<#loc16 in #di_subprogram>
#loc49 = #cuda_tile.di_loc<#loc17 in #di_subprogram>
#loc50 = #cuda_tile.di_loc<#loc18 in #di_subprogram>
#loc51 = #cuda_tile.di_loc<#loc19 in #di_subprogram>
#loc52 = #cuda_tile.di_loc<#loc20 in #di_subprogram>
#loc53 = #cuda_tile.di_loc<#loc21 in #di_subprogram>
#loc54 = #cuda_tile.di_loc<#loc22 in #di_subprogram>
#loc55 = #cuda_tile.di_loc<#loc23 in #di_subprogram>
#loc56 = #cuda_tile.di_loc<#loc24 in #di_subprogram>
#loc57 = #cuda_tile.di_loc<#loc25 in #di_subprogram>
#loc58 = #cuda_tile.di_loc<#loc26 in #di_subprogram>
#loc59 = #cuda_tile.di_loc<#loc27 in #di_subprogram>
#loc60 = #cuda_tile.di_loc<#loc28 in #di_subprogram>
#loc61 = #cuda_tile.di_loc<#loc29 in #di_subprogram>
#loc62 = #cuda_tile.di_loc<#loc30 in #di_subprogram>
#loc63 = loc(callsite(#loc37 at #loc38))
#loc64 = loc(callsite(#loc39 at #loc38))
#loc65 = loc(callsite(#loc40 at #loc41))
#loc66 = loc(callsite(#loc42 at #loc41))
