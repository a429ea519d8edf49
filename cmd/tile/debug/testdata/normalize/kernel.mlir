cuda_tile.module @kernels {
  entry @normalize_Kt1_A1f32_1i16t1_p16_A1f32_1i16t1_p16_I16(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<i32>, %arg3: tile<ptr<f32>>, %arg4: tile<i32>, %arg5: tile<i32>) optimization_hints=<default = {}> {
    %0 = make_token : token loc(#loc21)
    %assume = assume div_by<16>, %arg0 : tile<ptr<f32>> loc(#loc22)
    %assume_0 = assume div_by<16>, %arg3 : tile<ptr<f32>> loc(#loc23)
    %cst_1_i64 = constant <i64: 1> : tile<16xi64> loc(#loc41)
    %cst_1_i64_1 = constant <i64: 1> : tile<16xi64> loc(#loc26)
    %cst_16_i32 = constant <i32: 16> : tile<i32> loc(#loc21)
    %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32> loc(#loc27)
    %1 = muli %blockId_x, %cst_16_i32 : tile<i32> loc(#loc42)
    %2 = iota : tile<16xi32> loc(#loc43)
    %reshape = reshape %1 : tile<i32> -> tile<1xi32> loc(#loc42)
    %bcast = broadcast %reshape : tile<1xi32> -> tile<16xi32> loc(#loc42)
    %3 = addi %bcast, %2 : tile<16xi32> loc(#loc42)
    %4 = exti %3 signed : tile<16xi32> -> tile<16xi64> loc(#loc41)
    %5 = muli %4, %cst_1_i64 : tile<16xi64> loc(#loc41)
    %reshape_2 = reshape %assume : tile<ptr<f32>> -> tile<1xptr<f32>> loc(#loc41)
    %bcast_3 = broadcast %reshape_2 : tile<1xptr<f32>> -> tile<16xptr<f32>> loc(#loc41)
    %6 = offset %bcast_3, %5 : tile<16xptr<f32>>, tile<16xi64> -> tile<16xptr<f32>> loc(#loc41)
    %cst_0_f32 = constant <f32: 0.000000e+00> : tile<f32> loc(#loc41)
    %reshape_4 = reshape %cst_0_f32 : tile<f32> -> tile<1xf32> loc(#loc41)
    %bcast_5 = broadcast %reshape_4 : tile<1xf32> -> tile<16xf32> loc(#loc41)
    %result, %result_token = load_ptr_tko weak %6, %bcast_5 token=%0 : tile<16xptr<f32>>, tile<16xf32> -> tile<16xf32>, token loc(#loc41)
    %reduce = reduce %result dim=0 identities=[0.000000e+00 : f32] : tile<16xf32> -> tile<f32> 
    (%reduce_lhs: tile<f32>, %reduce_rhs: tile<f32>) {
      %23 = addf %reduce_lhs, %reduce_rhs  : tile<f32> loc(#loc30)
      yield %23 : tile<f32> loc(#loc30)
    } loc(#loc30)
    %7 = mulf %result, %result  : tile<16xf32> loc(#loc31)
    %reduce_6 = reduce %7 dim=0 identities=[0.000000e+00 : f32] : tile<16xf32> -> tile<f32> 
    (%reduce_lhs: tile<f32>, %reduce_rhs: tile<f32>) {
      %23 = addf %reduce_lhs, %reduce_rhs  : tile<f32> loc(#loc32)
      yield %23 : tile<f32> loc(#loc32)
    } loc(#loc32)
    %8 = mulf %reduce, %reduce  : tile<f32> loc(#loc33)
    %cst_16_f32 = constant <f32: 1.600000e+01> : tile<f32> loc(#loc33)
    %9 = divf %8, %cst_16_f32  : tile<f32> loc(#loc33)
    %10 = subf %reduce_6, %9  : tile<f32> loc(#loc32)
    %cst_16_f32_7 = constant <f32: 1.600000e+01> : tile<f32> loc(#loc34)
    %11 = divf %reduce, %cst_16_f32_7  : tile<f32> loc(#loc34)
    %reshape_8 = reshape %11 : tile<f32> -> tile<1xf32> loc(#loc35)
    %bcast_9 = broadcast %reshape_8 : tile<1xf32> -> tile<16xf32> loc(#loc35)
    %12 = subf %result, %bcast_9  : tile<16xf32> loc(#loc35)
    %13 = sqrt %10  : tile<f32> loc(#loc36)
    %reshape_10 = reshape %13 : tile<f32> -> tile<1xf32> loc(#loc37)
    %bcast_11 = broadcast %reshape_10 : tile<1xf32> -> tile<16xf32> loc(#loc37)
    %14 = divf %12, %bcast_11  : tile<16xf32> loc(#loc37)
    %15 = muli %blockId_x, %cst_16_i32 : tile<i32> loc(#loc38)
    %cst_1_i32 = constant <i32: 1> : tile<i32> loc(#loc39)
    %16 = addi %15, %cst_1_i32 : tile<i32> loc(#loc38)
    %17 = iota : tile<16xi32> loc(#loc40)
    %reshape_12 = reshape %16 : tile<i32> -> tile<1xi32> loc(#loc38)
    %bcast_13 = broadcast %reshape_12 : tile<1xi32> -> tile<16xi32> loc(#loc38)
    %18 = addi %bcast_13, %17 : tile<16xi32> loc(#loc38)
    %19 = exti %18 signed : tile<16xi32> -> tile<16xi64> loc(#loc26)
    %20 = muli %19, %cst_1_i64_1 : tile<16xi64> loc(#loc26)
    %reshape_14 = reshape %assume_0 : tile<ptr<f32>> -> tile<1xptr<f32>> loc(#loc26)
    %bcast_15 = broadcast %reshape_14 : tile<1xptr<f32>> -> tile<16xptr<f32>> loc(#loc26)
    %21 = offset %bcast_15, %20 : tile<16xptr<f32>>, tile<16xi64> -> tile<16xptr<f32>> loc(#loc26)
    %22 = store_ptr_tko weak %21, %14 token=%0 : tile<16xptr<f32>>, tile<16xf32> -> token loc(#loc26)
    return loc(#loc)
  } loc(#loc21)
} loc(#loc)
#di_file = #cuda_tile.di_file<"normalize.py" in "">
#loc = loc(unknown)
#loc1 = loc("normalize.py":11:0)
#loc2 = loc("normalize.py":11:14)
#loc3 = loc("normalize.py":11:17)
#loc4 = loc("normalize.py":7:11)
#loc5 = loc("normalize.py":13:8)
#loc6 = loc("normalize.py":18:4)
#loc7 = loc("normalize.py":12:8)
#loc8 = loc("normalize.py":6:8)
#loc9 = loc("normalize.py":6:16)
#loc10 = loc("normalize.py":14:8)
#loc11 = loc("normalize.py":15:15)
#loc12 = loc("normalize.py":15:8)
#loc13 = loc("normalize.py":15:24)
#loc14 = loc("normalize.py":16:13)
#loc15 = loc("normalize.py":16:9)
#loc16 = loc("normalize.py":16:22)
#loc17 = loc("normalize.py":16:8)
#loc18 = loc("normalize.py":17:8)
#loc19 = loc("normalize.py":17:16)
#loc20 = loc("normalize.py":17:20)
#di_compile_unit = #cuda_tile.di_compile_unit<file = #di_file>
#di_subprogram = #cuda_tile.di_subprogram<file = #di_file, line = 10, name = "normalize", linkageName = "normalize_Kt1_A1f32_1i16t1_p16_A1f32_1i16t1_p16_I16", compileUnit = #di_compile_unit, scopeLine = 10>
#di_subprogram1 = #cuda_tile.di_subprogram<file = #di_file, line = 5, name = "row", linkageName = "row@normalize:5:1_s0", compileUnit = #di_compile_unit, scopeLine = 5>
#loc21 = #cuda_tile.di_loc<#loc1 in #di_subprogram>
#loc22 = #cuda_tile.di_loc<#loc2 in #di_subprogram>
#loc23 = #cuda_tile.di_loc<#loc3 in #di_subprogram>
#loc24 = #cuda_tile.di_loc<#loc4 in #di_subprogram1>
#loc25 = #cuda_tile.di_loc<#loc5 in #di_subprogram>
#loc26 = #cuda_tile.di_loc<#loc6 in #di_subprogram>
#loc27 = #cuda_tile.di_loc<#loc7 in #di_subprogram>
#loc28 = #cuda_tile.di_loc<#loc8 in #di_subprogram1>
#loc29 = #cuda_tile.di_loc<#loc9 in #di_subprogram1>
#loc30 = #cuda_tile.di_loc<#loc10 in #di_subprogram>
#loc31 = #cuda_tile.di_loc<#loc11 in #di_subprogram>
#loc32 = #cuda_tile.di_loc<#loc12 in #di_subprogram>
#loc33 = #cuda_tile.di_loc<#loc13 in #di_subprogram>
#loc34 = #cuda_tile.di_loc<#loc14 in #di_subprogram>
#loc35 = #cuda_tile.di_loc<#loc15 in #di_subprogram>
#loc36 = #cuda_tile.di_loc<#loc16 in #di_subprogram>
#loc37 = #cuda_tile.di_loc<#loc17 in #di_subprogram>
#loc38 = #cuda_tile.di_loc<#loc18 in #di_subprogram>
#loc39 = #cuda_tile.di_loc<#loc19 in #di_subprogram>
#loc40 = #cuda_tile.di_loc<#loc20 in #di_subprogram>
#loc41 = loc(callsite(#loc24 at #loc25))
#loc42 = loc(callsite(#loc28 at #loc25))
#loc43 = loc(callsite(#loc29 at #loc25))
