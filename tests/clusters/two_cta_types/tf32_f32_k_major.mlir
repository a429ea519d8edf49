// RUN: tile-run --gpu-name=sm_103 --tensor-maps=device --warp-roles=always --entry=k --grid=2 \
// RUN:   --diff-engines=interp,tileas,ptx --adversarial --seed=3 --arg=tf32[90624]=random --arg=tf32[21504]=random \
// RUN:   --arg=f32[52864]=0 --arg=i32:3 %s
// RUN: tile-opt --lower-to=ptx --tensor-maps=params --gpu-name=sm_103 %s | FileCheck %s

// Two CTAs share each MMA of tf32 into f32. Operand B is stored along K. The last tiles are partly outside.

// CHECK: tcgen05.mma.cta_group::2

cuda_tile.module @m {
  cuda_tile.entry @k(%a0: tile<ptr<tf32>>, %b0: tile<ptr<tf32>>, %c0: tile<ptr<f32>>, %n: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 2}> {
    %a = assume div_by<16>, %a0 : tile<ptr<tf32>>
    %b = assume div_by<16>, %b0 : tile<ptr<tf32>>
    %c = assume div_by<16>, %c0 : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %va = make_tensor_view %a, shape = [472, 192], strides = [192, 1] : tensor_view<472x192xtf32, strides=[192,1]>
    %vb = make_tensor_view %b, shape = [112, 192], strides = [192, 1] : tensor_view<112x192xtf32, strides=[192,1]>
    %vc = make_tensor_view %c, shape = [472, 112], strides = [112, 1] : tensor_view<472x112xf32, strides=[112,1]>
    %pa = make_partition_view %va : partition_view<tile=(256x64), padding_value = zero, tensor_view<472x192xtf32, strides=[192,1]>>
    %pb = make_partition_view %vb : partition_view<tile=(64x128), padding_value = zero, tensor_view<112x192xtf32, strides=[192,1]>, dim_map=[1, 0]>
    %pc = make_partition_view %vc : partition_view<tile=(256x128), tensor_view<472x112xf32, strides=[112,1]>>
    %none = constant <f32: 0.0> : tile<256x128xf32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %s = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<256x128xf32>) {
      %p, %t1 = load_view_tko weak %pa[%x, %i] : partition_view<tile=(256x64), padding_value = zero, tensor_view<472x192xtf32, strides=[192,1]>>, tile<i32> -> tile<256x64xtf32>, token
      %q, %t2 = load_view_tko weak %pb[%i, %zero] : partition_view<tile=(64x128), padding_value = zero, tensor_view<112x192xtf32, strides=[192,1]>, dim_map=[1, 0]>, tile<i32> -> tile<64x128xtf32>, token
      %r = mmaf %p, %q, %acc : tile<256x64xtf32>, tile<64x128xtf32>, tile<256x128xf32>
      continue %r : tile<256x128xf32>
    }
    %t3 = store_view_tko weak %s, %pc[%x, %zero] : tile<256x128xf32>, partition_view<tile=(256x128), tensor_view<472x112xf32, strides=[112,1]>>, tile<i32> -> token
    return
  }
}
