cuda_tile.module @all attributes {producer = "test"} {
  global  @plain <i8: [1, -2]> : tile<2xi8>
  global private  constant @table alignment = 64 <f32: [1.000000e+00, 0x7FC00000]> : tile<2xf32>
  entry @float(%p: tile<ptr<f32>>, %s: tile<f32>) optimization_hints=<default = {num_cta_in_cga = 2}, sm_90 = {occupancy = 1}> {
    %x = constant <f32: 1.500000e+00> : tile<8xf32>
    %h = constant <f16: [0x7C00, 1.000000e+00]> : tile<2xf16>
    %i = constant <i8: 2> : tile<8xi8>
    %0 = absf %x : tile<8xf32>
    %1 = addf %x, %0  : tile<8xf32>
    %2 = addf %x, %0 rounding<zero> flush_to_zero : tile<8xf32>
    %3 = subf %x, %0  flush_to_zero : tile<8xf32>
    %4 = mulf %x, %0 rounding<negative_inf> : tile<8xf32>
    %5 = divf %x, %0 rounding<approx> flush_to_zero : tile<8xf32>
    %6 = divf %x, %0 rounding<full> : tile<8xf32>
    %7 = fma %x, %0, %1 rounding<positive_inf> : tile<8xf32>
    %8 = remf %x, %0 : tile<8xf32>
    %9 = maxf %x, %0 flush_to_zero propagate_nan : tile<8xf32>
    %10 = minf %x, %0 propagate_nan : tile<8xf32>
    %11 = negf %x : tile<8xf32>
    %12 = ceil %x : tile<8xf32>
    %13 = floor %x : tile<8xf32>
    %14 = cos %x : tile<8xf32>
    %15 = cosh %x : tile<8xf32>
    %16 = sin %x : tile<8xf32>
    %17 = sinh %x : tile<8xf32>
    %18 = tan %x : tile<8xf32>
    %19 = tanh %x  : tile<8xf32>
    %20 = tanh %x rounding<approx> : tile<8xf32>
    %21 = exp %x  : tile<8xf32>
    %22 = exp %x rounding<approx> : tile<8xf32>
    %23 = exp2 %x flush_to_zero : tile<8xf32>
    %24 = log %x : tile<8xf32>
    %25 = log2 %x : tile<8xf32>
    %26 = sqrt %x rounding<approx> flush_to_zero : tile<8xf32>
    %27 = rsqrt %x : tile<8xf32>
    %28 = atan2 %x, %0 : tile<8xf32>
    %29 = fpowf %x, %0 : tile<8xf32>
    %30 = fpowi %x, %i : tile<8xf32>, tile<8xi8>
    %31 = cmpf less_than ordered %x, %0 : tile<8xf32> -> tile<8xi1>
    %32 = ftof %x  : tile<8xf32> -> tile<8xf16>
    %33 = ftof %x rounding<zero> : tile<8xf32> -> tile<8xf16>
    %34 = ftof %x rounding<nearest_away> : tile<8xf32> -> tile<8xtf32>
    %35 = ftoi %x signed  saturating : tile<8xf32> -> tile<8xi32>
    %36 = ftoi %x unsigned  : tile<8xf32> -> tile<8xi8>
    return
  }
  entry @int(%p: tile<ptr<i32>>) {
    %x = constant <i32: [1, -2, 3, 4]> : tile<4xi32>
    %0 = absi %x : tile<4xi32>
    %1 = addi %x, %0 : tile<4xi32>
    %2 = addi %x, %0 overflow<no_wrap> : tile<4xi32>
    %3 = subi %x, %0 : tile<4xi32>
    %4 = muli %x, %0 overflow<no_signed_wrap> : tile<4xi32>
    %5 = mulhii %x, %0 : tile<4xi32>
    %6 = divi %x, %0 signed rounding<negative_inf> : tile<4xi32>
    %7 = divi %x, %0 unsigned : tile<4xi32>
    %8 = remi %x, %0 signed : tile<4xi32>
    %9 = maxi %x, %0 unsigned : tile<4xi32>
    %10 = mini %x, %0 signed : tile<4xi32>
    %11 = negi %x overflow<no_signed_wrap> : tile<4xi32>
    %12 = shli %x, %0 overflow<no_unsigned_wrap> : tile<4xi32>
    %13 = shri %x, %0 signed : tile<4xi32>
    %14 = andi %x, %0 : tile<4xi32>
    %15 = ori %x, %0 : tile<4xi32>
    %16 = xori %x, %0 : tile<4xi32>
    %17 = cmpi greater_than_or_equal %x, %0, unsigned : tile<4xi32> -> tile<4xi1>
    %18 = exti %x signed : tile<4xi32> -> tile<4xi64>
    %19 = trunci %x overflow<no_wrap> : tile<4xi32> -> tile<4xi4>
    %20 = itof %x signed  : tile<4xi32> -> tile<4xf32>
    %21 = bitcast %20 : tile<4xf32> -> tile<4xi32>
    %22 = int_to_ptr %18 : tile<4xi64> -> tile<4xptr<f32>>
    %23 = ptr_to_int %22 : tile<4xptr<f32>> -> tile<4xi64>
    %24 = ptr_to_ptr %22 : tile<4xptr<f32>> -> tile<4xptr<i8>>
    %25 = offset %24, %x : tile<4xptr<i8>>, tile<4xi32> -> tile<4xptr<i8>>
    %26 = pack %x : tile<4xi32> -> tile<16xi8>
    %27 = unpack %26 : tile<16xi8> -> tile<8xf16>
    return
  }
  entry @shapes(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %x = constant <f32: 0.000000e+00> : tile<4x8xf32>
    %c = constant <i1: [[true, false], [false, false]]> : tile<2x2xi1>
    %reshape = reshape %x : tile<4x8xf32> -> tile<1x32xf32>
    %bcast = broadcast %reshape : tile<1x32xf32> -> tile<2x32xf32>
    %0 = permute %x [1, 0] : tile<4x8xf32> -> tile<8x4xf32>
    %1 = cat %x, %x dim = 1 : tile<4x8xf32>, tile<4x8xf32> -> tile<4x16xf32>
    %2 = extract %x[%i, %i] : tile<4x8xf32> -> tile<2x2xf32>
    %3 = insert %2, %x[%i, %i] : tile<2x2xf32>, tile<4x8xf32>
    %4 = iota : tile<16xi64>
    %5 = select %c, %2, %2 : tile<2x2xi1>, tile<2x2xf32>
    %a = constant <f16: 0.000000e+00> : tile<16x32xf16>
    %b = constant <f16: 0.000000e+00> : tile<32x16xf16>
    %acc = constant <f32: 0.000000e+00> : tile<16x16xf32>
    %6 = mmaf %a, %b, %acc : tile<16x32xf16>, tile<32x16xf16>, tile<16x16xf32>
    %7 = mmaf %a, %b, %acc fast_acc : tile<16x32xf16>, tile<32x16xf16>, tile<16x16xf32>
    %ia = constant <i8: 0> : tile<16x32xi8>
    %ib = constant <i8: 0> : tile<32x16xi8>
    %iacc = constant <i32: 0> : tile<16x16xi32>
    %8 = mmai %ia, %ib, %iacc signed unsigned : tile<16x32xi8>, tile<32x16xi8>, tile<16x16xi32>
    %sa = constant <f8E4M3FN: 0.000000e+00> : tile<16x64xf8E4M3FN>
    %sb = constant <f8E4M3FN: 0.000000e+00> : tile<64x16xf8E4M3FN>
    %as = constant <f8E8M0FNU: 1.000000e+00> : tile<16x2xf8E8M0FNU>
    %bs = constant <f8E8M0FNU: 1.000000e+00> : tile<2x16xf8E8M0FNU>
    %9 = mmaf_scaled %sa, %sb, %acc, %as, %bs : tile<16x64xf8E4M3FN>, tile<64x16xf8E4M3FN>, tile<16x16xf32>, tile<16x2xf8E8M0FNU>, tile<2x16xf8E8M0FNU>
    %r:2 = reduce %x, %x dim=1 identities=[0.000000e+00 : f32, 1.000000e+00 : f32] : tile<4x8xf32>, tile<4x8xf32> -> tile<4xf32>, tile<4xf32> 
    (%q: tile<f32>, %r1: tile<f32>, %s: tile<f32>, %t: tile<f32>) {
      %10 = addf %q, %r1  : tile<f32>
      yield %10, %s : tile<f32>, tile<f32>
    }
    %scan = scan %x dim=0 reverse=true identities=[0.000000e+00 : f32] : tile<4x8xf32> -> tile<4x8xf32> 
    (%q: tile<f32>, %r1: tile<f32>) {
      %10 = maxf %q, %r1 : tile<f32>
      yield %10 : tile<f32>
    }
    return
  }
  entry @control(%n: tile<i32>, %c: tile<i1>) {
    %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32>
    %gridSize_x, %gridSize_y, %gridSize_z = get_num_tile_blocks : tile<i32>
    %assume = assume div_by<16>, %n : tile<i32>
    %assume_assume = assume bounded<?, 700>, %assume : tile<i32>
    %x = constant <i32: 0> : tile<8x8xi32>
    %assume_cst_0_i32 = assume div_by<4, every 2 along 1>, %x : tile<8x8xi32>
    %assume_assume_cst_0_i32 = assume same_elements<[2, 8]>, %assume_cst_0_i32 : tile<8x8xi32>
    for unsigned %i in (%n to %assume, step %assume_assume) : tile<i32> {
      for %j in (%n to %i, step %assume_assume) : tile<i32> {
      } {note = "attributes behind the body"}
    }
    %f:2 = for %i in (%n to %assume, step %assume_assume) : tile<i32> iter_values(%s = %n, %t = %x) -> (tile<i32>, tile<8x8xi32>) {
      %1 = addi %s, %i : tile<i32>
      continue %1, %t : tile<i32>, tile<8x8xi32>
    }
    %l = loop iter_values(%s = %n) : tile<i32> -> tile<8x8xi32> {
      if %c {
        break %x : tile<8x8xi32>
      }
      continue %s : tile<i32>
    }
    %m = loop : tile<i32> {
      break %n : tile<i32>
    }
    loop {
      if %c {
        break
      } else {
      }
    }
    %0 = if %c -> (tile<i32>) {
      yield %n : tile<i32>
    } else {
      yield %m : tile<i32>
    }
    if %c {
      return
    }
    %cond = constant <i1: true> : tile<4xi1>
    assert %cond, "must \22hold\22" : tile<4xi1>
    return
  }
  entry @pointers(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %0 = make_token : token
    %g = get_global @table : tile<ptr<f32>>
    %1 = alloca num_elem = 64, alignment = 16 global : tile<ptr<f32>>
    %2 = alloca num_elem = 64, alignment = 4 : tile<ptr<f32>>
    %m = constant <i1: true> : tile<i1>
    %v = constant <f32: 1.000000e+00> : tile<f32>
    %3, %t1 = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    %4, %t2 = load_ptr_tko acquire device %p, %m, %v token=%0 optimization_hints = <default = {latency = 3}> : tile<ptr<f32>>, tile<i1>, tile<f32> -> tile<f32>, token
    %5 = store_ptr_tko weak %p, %v : tile<ptr<f32>>, tile<f32> -> token
    %6 = store_ptr_tko release sys %p, %v, %m token=%t1 : tile<ptr<f32>>, tile<f32>, tile<i1> -> token
    %7 = join_tokens %5, %6 : token
    %q = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<i32>>
    %8, %t3 = atomic_cas_tko acq_rel sys %q, %i, %i, %m token=%0 : tile<ptr<i32>>, tile<i32>, tile<i1> -> tile<i32>, token
    %9, %t4 = atomic_rmw_tko relaxed tl_blk %p, addf, %v : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    %10 = memory_fence_alias_tko %t4
    %11 = gdc_wait_tko -> token
    %12 = gdc_launch_dependents_tko token = %11 -> token
    %13 = print_tko "%d %% %5.2f\0A", %i, %v token=%12 : tile<i32>, tile<f32> -> token
    %14 = print_tko "done" -> token
    return
  }
  entry @views(%p: tile<ptr<f32>>, %i: tile<i32>, %j: tile<i64>, %mp: tile<ptr<f32, <multicast>>>, %ip: tile<ptr<i32>>) {
    %0 = make_token : token
    %a = make_tensor_view %p, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf32, strides=[128,1]>
    %b = make_tensor_view %p, shape = [%i, 64], strides = [%i, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[?,1]>
    %s = make_tensor_view %p, shape = [], strides = [] : tensor_view<f32>
    %mt = make_tensor_view %mp, shape = [64, 128], strides = [128, 1] : tile<ptr<f32, <multicast>>> -> tensor_view<64x128xf32, strides=[128,1], #cuda_tile.ptr_attr<multicast>>
    %it = make_tensor_view %ip, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xi32, strides=[128,1]>
    %pv = make_partition_view %a : partition_view<tile=(16x32), padding_value = neg_inf, tensor_view<64x128xf32, strides=[128,1]>, dim_map=[1, 0]>
    %sv = make_strided_view %a : strided_view<tile=(16x32), traversal_strides=[8,32], padding_value = nan, tensor_view<64x128xf32, strides=[128,1]>>
    %gv = make_gather_scatter_view %a : gather_scatter_view<tile=(16x32), padding_value = zero, tensor_view<64x128xf32, strides=[128,1]>, sparse_dim=0>
    %mv = make_partition_view %mt : partition_view<tile=(16x32), tensor_view<64x128xf32, strides=[128,1], #cuda_tile.ptr_attr<multicast>>>
    %iv = make_partition_view %it : partition_view<tile=(16x32), tensor_view<64x128xi32, strides=[128,1]>>
    %n:2 = get_index_space_shape %pv : partition_view<tile=(16x32), padding_value = neg_inf, tensor_view<64x128xf32, strides=[128,1]>, dim_map=[1, 0]> -> tile<i32>
    %d:2 = get_tensor_shape %b : tensor_view<?x64xf32, strides=[?,1]> -> tile<i64>
    %tile, %t1 = load_view_tko weak %pv[%i, %i] : partition_view<tile=(16x32), padding_value = neg_inf, tensor_view<64x128xf32, strides=[128,1]>, dim_map=[1, 0]>, tile<i32> -> tile<16x32xf32>, token
    %tile2, %t2 = load_view_tko relaxed sys %sv[%j, %j] token = %t1 optimization_hints = <default = {allow_tma = false, latency = 3}> inbounds = [true, false] attributes {note = 1 : i32} : strided_view<tile=(16x32), traversal_strides=[8,32], padding_value = nan, tensor_view<64x128xf32, strides=[128,1]>>, tile<i64> -> tile<16x32xf32>, token
    %idx = iota : tile<16xi32>
    %tile3, %t3 = load_view_tko weak %gv[%idx, %i] token = %t2 : gather_scatter_view<tile=(16x32), padding_value = zero, tensor_view<64x128xf32, strides=[128,1]>, sparse_dim=0>, tile<16xi32>, tile<i32> -> tile<16x32xf32>, token
    %1 = store_view_tko release tl_blk %tile, %pv[%i, %i] token = %t3 : tile<16x32xf32>, partition_view<tile=(16x32), padding_value = neg_inf, tensor_view<64x128xf32, strides=[128,1]>, dim_map=[1, 0]>, tile<i32> -> token
    %ci = constant <i32: 1> : tile<16x32xi32>
    %2 = atomic_red_view_tko relaxed device %iv[%i, %i], umax, %ci token = %1 inbounds = [true, true] : tile<16x32xi32>, partition_view<tile=(16x32), tensor_view<64x128xi32, strides=[128,1]>>, tile<i32> -> token
    %tile4, %t4 = multimem_load_reduce_view_tko relaxed sys %mv[%i, %i] token = %2 inbounds = [false, true] attributes {reduction = #cuda_tile.multimem_reduction_kind<max>} : partition_view<tile=(16x32), tensor_view<64x128xf32, strides=[128,1], #cuda_tile.ptr_attr<multicast>>>, tile<i32>, token -> tile<16x32xf32>, token
    %3 = multimem_reduce_view_tko relaxed sys %mv, %tile4[%i, %i] : partition_view<tile=(16x32), tensor_view<64x128xf32, strides=[128,1], #cuda_tile.ptr_attr<multicast>>>, tile<16x32xf32>, tile<i32> -> token
    %4 = multimem_store_view_tko weak %mv, %tile4[%i, %i] token = %3 : partition_view<tile=(16x32), tensor_view<64x128xf32, strides=[128,1], #cuda_tile.ptr_attr<multicast>>>, tile<16x32xf32>, tile<i32>, token -> token
    return
  }
}
