// Without the passes that cut K, the operands of 256x64x256 in tf32 take 320 KiB, which asynchronous instructions read
// from shared memory. At -O0 the kernel did not compile.
//
// RUN: tilec %s --verify-each -O0 --gpu-name=sm_90 -o %t.ptx
// RUN: tilec %s --verify-each -O0 --gpu-name=sm_100 -o %t.ptx

cuda_tile.module @m {
entry @k(%p0: tile<ptr<f32>>, %p2: tile<i32>, %p5: tile<i32>, %p8: tile<i32>, %p12: tile<ptr<f32>>, %p14: tile<i32>, %p17: tile<i32>, %p20: tile<i32>, %p24: tile<ptr<f32>>, %p26: tile<i32>, %p29: tile<i32>, %p32: tile<i32>, %p36: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 1, occupancy = 4}> {
%token = make_token : token
%c0 = constant <i32: 0> : tile<i32>
%c1 = constant <i32: 1> : tile<i32>
%bx, %by, %bz = get_tile_block_id : tile<i32>
%v1 = assume div_by<16>, %p0 : tile<ptr<f32>>
%v3 = assume div_by<16>, %p2 : tile<i32>
%v4 = assume bounded<0, ?>, %v3 : tile<i32>
%v6 = assume div_by<16>, %p5 : tile<i32>
%v7 = assume bounded<0, ?>, %v6 : tile<i32>
%v9 = assume div_by<16>, %p8 : tile<i32>
%v10 = assume bounded<0, ?>, %v9 : tile<i32>
%t11 = make_tensor_view %v1, shape = [%v4, %v10], strides = [%v7, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
%w11 = make_partition_view %t11 : partition_view<tile=(256x256), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
%v13 = assume div_by<16>, %p12 : tile<ptr<f32>>
%v15 = assume div_by<16>, %p14 : tile<i32>
%v16 = assume bounded<0, ?>, %v15 : tile<i32>
%v18 = assume div_by<16>, %p17 : tile<i32>
%v19 = assume bounded<0, ?>, %v18 : tile<i32>
%v21 = assume div_by<16>, %p20 : tile<i32>
%v22 = assume bounded<0, ?>, %v21 : tile<i32>
%t23 = make_tensor_view %v13, shape = [%v16, %v22], strides = [%v19, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
%w23 = make_partition_view %t23 : partition_view<tile=(256x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
%zero = constant <f32: 0.0> : tile<256x64xf32>
%v25 = assume div_by<16>, %p24 : tile<ptr<f32>>
%v27 = assume div_by<16>, %p26 : tile<i32>
%v28 = assume bounded<0, ?>, %v27 : tile<i32>
%v30 = assume div_by<16>, %p29 : tile<i32>
%v31 = assume bounded<0, ?>, %v30 : tile<i32>
%v33 = assume div_by<16>, %p32 : tile<i32>
%v34 = assume bounded<0, ?>, %v33 : tile<i32>
%t35 = make_tensor_view %v25, shape = [%v28, %v34], strides = [%v31, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
%w35 = make_partition_view %t35 : partition_view<tile=(256x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
%v37 = assume div_by<16>, %p36 : tile<i32>
%v38 = assume bounded<0, ?>, %v37 : tile<i32>
%sums = for %i in (%c0 to %v38, step %c1) : tile<i32> iter_values(%s0 = %zero) -> (tile<256x64xf32>) {
%v39, %v39t = load_view_tko weak %w11[%bx, %i] token = %token : partition_view<tile=(256x256), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<256x256xf32>, token
%v40 = ftof %v39 : tile<256x256xf32> -> tile<256x256xtf32>
%v41, %v41t = load_view_tko weak %w23[%i, %by] token = %token : partition_view<tile=(256x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<256x64xf32>, token
%v42 = ftof %v41 : tile<256x64xf32> -> tile<256x64xtf32>
%v43 = mmaf %v40, %v42, %s0 : tile<256x256xtf32>, tile<256x64xtf32>, tile<256x64xf32>
continue %v43 : tile<256x64xf32>
}
%v44 = store_view_tko weak %sums, %w35[%bx, %by] token = %token : tile<256x64xf32>, partition_view<tile=(256x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
return
}
}
