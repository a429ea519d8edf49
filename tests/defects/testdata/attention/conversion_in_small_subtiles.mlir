// A conversion that can be cut into 16 subtiles alone stood beside one that had stored and not loaded yet. It took
// 8 KiB where 3 KiB were left, so that sm_80 needed 172,032 bytes of 166,912.
//
// RUN: tilec %s --verify-each --gpu-name=sm_80 -o %t.ptx
// RUN: tilec %s --verify-each --gpu-name=sm_87 -o %t.ptx

cuda_tile.module @m {
entry @k(%p0: tile<ptr<bf16>>, %p3: tile<ptr<bf16>>, %p6: tile<ptr<bf16>>, %p9: tile<ptr<bf16>>, %p12: tile<ptr<bf16>>, %p15: tile<ptr<bf16>>, %p18: tile<f32>, %p27: tile<i32>, %p59: tile<ptr<f32>>) optimization_hints=<default = {num_cta_in_cga = 1, occupancy = 1}> {
%token = make_token : token
%c0 = constant <i32: 0> : tile<i32>
%c1 = constant <i32: 1> : tile<i32>
%bx, %by, %bz = get_tile_block_id : tile<i32>
%v1 = assume div_by<16>, %p0 : tile<ptr<bf16>>
%t2 = make_tensor_view %v1, shape = [4096, 4096, 4096], strides = [16777216, 4096, 1] : tensor_view<4096x4096x4096xbf16, strides=[16777216,4096,1]>
%w2 = make_partition_view %t2 : partition_view<tile=(1x128x512), padding_value = zero, tensor_view<4096x4096x4096xbf16, strides=[16777216,4096,1]>>
%v4 = assume div_by<16>, %p3 : tile<ptr<bf16>>
%t5 = make_tensor_view %v4, shape = [4096, 4096, 4096], strides = [16777216, 4096, 1] : tensor_view<4096x4096x4096xbf16, strides=[16777216,4096,1]>
%w5 = make_partition_view %t5 : partition_view<tile=(1x512x128), padding_value = zero, tensor_view<4096x4096x4096xbf16, strides=[16777216,4096,1]>, dim_map=[0, 2, 1]>
%v7 = assume div_by<16>, %p6 : tile<ptr<bf16>>
%t8 = make_tensor_view %v7, shape = [4096, 4096, 4096], strides = [16777216, 4096, 1] : tensor_view<4096x4096x4096xbf16, strides=[16777216,4096,1]>
%w8 = make_partition_view %t8 : partition_view<tile=(1x128x512), padding_value = zero, tensor_view<4096x4096x4096xbf16, strides=[16777216,4096,1]>>
%v10 = assume div_by<16>, %p9 : tile<ptr<bf16>>
%t11 = make_tensor_view %v10, shape = [4096, 4096, 4096], strides = [16777216, 4096, 1] : tensor_view<4096x4096x4096xbf16, strides=[16777216,4096,1]>
%w11 = make_partition_view %t11 : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<4096x4096x4096xbf16, strides=[16777216,4096,1]>>
%v13 = assume div_by<16>, %p12 : tile<ptr<bf16>>
%t14 = make_tensor_view %v13, shape = [4096, 4096, 4096], strides = [16777216, 4096, 1] : tensor_view<4096x4096x4096xbf16, strides=[16777216,4096,1]>
%w14 = make_partition_view %t14 : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<4096x4096x4096xbf16, strides=[16777216,4096,1]>, dim_map=[0, 2, 1]>
%v16 = assume div_by<16>, %p15 : tile<ptr<bf16>>
%t17 = make_tensor_view %v16, shape = [4096, 4096, 4096], strides = [16777216, 4096, 1] : tensor_view<4096x4096x4096xbf16, strides=[16777216,4096,1]>
%w17 = make_partition_view %t17 : partition_view<tile=(1x128x512), padding_value = zero, tensor_view<4096x4096x4096xbf16, strides=[16777216,4096,1]>>
%v19, %v19t = load_view_tko weak %w2[%by, %bx, %c0] token = %token : partition_view<tile=(1x128x512), padding_value = zero, tensor_view<4096x4096x4096xbf16, strides=[16777216,4096,1]>>, tile<i32> -> tile<1x128x512xbf16>, token
%v20 = reshape %v19 : tile<1x128x512xbf16> -> tile<128x512xbf16>
%v21, %v21t = load_view_tko weak %w11[%by, %bx, %c0] token = %token : partition_view<tile=(1x128x64), padding_value = zero, tensor_view<4096x4096x4096xbf16, strides=[16777216,4096,1]>>, tile<i32> -> tile<1x128x64xbf16>, token
%v22 = reshape %v21 : tile<1x128x64xbf16> -> tile<128x64xbf16>
%least = constant <f32: 0xFF800000> : tile<128x1xf32>
%none = constant <f32: 0.0> : tile<128x1xf32>
%zero = constant <f32: 0.0> : tile<128x512xf32>
%noscores = constant <f32: 0.0> : tile<128x128xf32>
%v23 = reshape %p18 : tile<f32> -> tile<1x1xf32>
%v24 = broadcast %v23 : tile<1x1xf32> -> tile<128x128xf32>
%v25 = reshape %p18 : tile<f32> -> tile<1x1xf32>
%v26 = broadcast %v25 : tile<1x1xf32> -> tile<128x1xf32>
%v28 = assume div_by<16>, %p27 : tile<i32>
%v29 = assume bounded<0, ?>, %v28 : tile<i32>
%loop:3 = for %i in (%c0 to %v29, step %c1) : tile<i32> iter_values(%acc = %zero, %l = %none, %max = %least) -> (tile<128x512xf32>, tile<128x1xf32>, tile<128x1xf32>) {
%v30, %v30t = load_view_tko weak %w5[%by, %c0, %i] token = %token : partition_view<tile=(1x512x128), padding_value = zero, tensor_view<4096x4096x4096xbf16, strides=[16777216,4096,1]>, dim_map=[0, 2, 1]>, tile<i32> -> tile<1x512x128xbf16>, token
%v31 = reshape %v30 : tile<1x512x128xbf16> -> tile<512x128xbf16>
%v32 = mmaf %v20, %v31, %noscores : tile<128x512xbf16>, tile<512x128xbf16>, tile<128x128xf32>
%v33, %v33t = load_view_tko weak %w14[%by, %c0, %i] token = %token : partition_view<tile=(1x64x128), padding_value = zero, tensor_view<4096x4096x4096xbf16, strides=[16777216,4096,1]>, dim_map=[0, 2, 1]>, tile<i32> -> tile<1x64x128xbf16>, token
%v34 = reshape %v33 : tile<1x64x128xbf16> -> tile<64x128xbf16>
%v35 = mmaf %v22, %v34, %v32 : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
%v36 = reduce %v35 dim=1 identities=[0xFF800000 : f32] : tile<128x128xf32> -> tile<128xf32>
(%lhs: tile<f32>, %rhs: tile<f32>) {
%r = maxf %lhs, %rhs : tile<f32>
yield %r : tile<f32>
}
%v37 = reshape %v36 : tile<128xf32> -> tile<128x1xf32>
%v38 = mulf %v37, %v26 : tile<128x1xf32>
%v39 = maxf %max, %v38 : tile<128x1xf32>
%v40 = broadcast %v39 : tile<128x1xf32> -> tile<128x128xf32>
%v41 = negf %v40 : tile<128x128xf32>
%v42 = fma %v35, %v24, %v41 : tile<128x128xf32>
%v43 = exp2 %v42 flush_to_zero : tile<128x128xf32>
%v44 = reduce %v43 dim=1 identities=[0.0 : f32] : tile<128x128xf32> -> tile<128xf32>
(%lhs: tile<f32>, %rhs: tile<f32>) {
%r = addf %lhs, %rhs : tile<f32>
yield %r : tile<f32>
}
%v45 = reshape %v44 : tile<128xf32> -> tile<128x1xf32>
%v46 = subf %max, %v39 : tile<128x1xf32>
%v47 = exp2 %v46 flush_to_zero : tile<128x1xf32>
%v48 = fma %l, %v47, %v45 : tile<128x1xf32>
%v49 = broadcast %v47 : tile<128x1xf32> -> tile<128x512xf32>
%v50 = mulf %acc, %v49 : tile<128x512xf32>
%v51 = permute %v31 [1, 0] : tile<512x128xbf16> -> tile<128x512xbf16>
%v52 = ftof %v43 : tile<128x128xf32> -> tile<128x128xbf16>
%v53 = mmaf %v52, %v51, %v50 : tile<128x128xbf16>, tile<128x512xbf16>, tile<128x512xf32>
continue %v53, %v48, %v39 : tile<128x512xf32>, tile<128x1xf32>, tile<128x1xf32>
}
%v54 = broadcast %loop#1 : tile<128x1xf32> -> tile<128x512xf32>
%v55 = divf %loop#0, %v54 rounding<approx> flush_to_zero : tile<128x512xf32>
%v56 = ftof %v55 : tile<128x512xf32> -> tile<128x512xbf16>
%v57 = reshape %v56 : tile<128x512xbf16> -> tile<1x128x512xbf16>
%v58 = store_view_tko weak %v57, %w17[%by, %bx, %c0] token = %token : tile<1x128x512xbf16>, partition_view<tile=(1x128x512), padding_value = zero, tensor_view<4096x4096x4096xbf16, strides=[16777216,4096,1]>>, tile<i32> -> token
%v60 = assume div_by<16>, %p59 : tile<ptr<f32>>
%t61 = make_tensor_view %v60, shape = [4096, 4096], strides = [4096, 1] : tensor_view<4096x4096xf32, strides=[4096,1]>
%w61 = make_partition_view %t61 : partition_view<tile=(1x128), padding_value = zero, tensor_view<4096x4096xf32, strides=[4096,1]>>
%v62 = log2 %loop#1 : tile<128x1xf32>
%v63 = addf %loop#2, %v62 : tile<128x1xf32>
%v64 = reshape %v63 : tile<128x1xf32> -> tile<1x128xf32>
%v65 = store_view_tko weak %v64, %w61[%by, %bx] token = %token : tile<1x128xf32>, partition_view<tile=(1x128), padding_value = zero, tensor_view<4096x4096xf32, strides=[4096,1]>>, tile<i32> -> token
return
}
}
