// RUN: tile-run --gpu-name=sm_110 -O2 --entry=k --grid=2 --diff-engines=interp,tileas,ptx --adversarial --seed=5 \
// RUN:   --arg=f8E4M3FN[90624]=random --arg=f8E4M3FN[21504]=random --arg=f32[52864]=0 --arg=i32:3 %s
// RUN: tile-opt --lower-to=ptx --tensor-maps=params --gpu-name=sm_110 %s | FileCheck %s

// Two CTAs share each MMA of f8E4M3FN into f32. Operand B is stored along N. The last tiles are partly outside.

// CHECK: tcgen05.mma.cta_group::2

cuda_tile.module @m {
  cuda_tile.entry @k(%a0: tile<ptr<f8E4M3FN>>, %b0: tile<ptr<f8E4M3FN>>, %c0: tile<ptr<f32>>, %n: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 2}> {
    %a = assume div_by<16>, %a0 : tile<ptr<f8E4M3FN>>
    %b = assume div_by<16>, %b0 : tile<ptr<f8E4M3FN>>
    %c = assume div_by<16>, %c0 : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %va = make_tensor_view %a, shape = [472, 192], strides = [192, 1] : tensor_view<472x192xf8E4M3FN, strides=[192,1]>
    %vb = make_tensor_view %b, shape = [192, 112], strides = [112, 1] : tensor_view<192x112xf8E4M3FN, strides=[112,1]>
    %vc = make_tensor_view %c, shape = [472, 112], strides = [112, 1] : tensor_view<472x112xf32, strides=[112,1]>
    %pa = make_partition_view %va : partition_view<tile=(256x64), padding_value = zero, tensor_view<472x192xf8E4M3FN, strides=[192,1]>>
    %pb = make_partition_view %vb : partition_view<tile=(64x128), padding_value = zero, tensor_view<192x112xf8E4M3FN, strides=[112,1]>>
    %pc = make_partition_view %vc : partition_view<tile=(256x128), tensor_view<472x112xf32, strides=[112,1]>>
    %none = constant <f32: 0.0> : tile<256x128xf32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %s = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<256x128xf32>) {
      %p, %t1 = load_view_tko weak %pa[%x, %i] : partition_view<tile=(256x64), padding_value = zero, tensor_view<472x192xf8E4M3FN, strides=[192,1]>>, tile<i32> -> tile<256x64xf8E4M3FN>, token
      %q, %t2 = load_view_tko weak %pb[%i, %zero] : partition_view<tile=(64x128), padding_value = zero, tensor_view<192x112xf8E4M3FN, strides=[112,1]>>, tile<i32> -> tile<64x128xf8E4M3FN>, token
      %r = mmaf %p, %q, %acc : tile<256x64xf8E4M3FN>, tile<64x128xf8E4M3FN>, tile<256x128xf32>
      continue %r : tile<256x128xf32>
    }
    %t3 = store_view_tko weak %s, %pc[%x, %zero] : tile<256x128xf32>, partition_view<tile=(256x128), tensor_view<472x112xf32, strides=[112,1]>>, tile<i32> -> token
    return
  }
}
