// RUN: tile-run --gpu-name=sm_103 --tensor-maps=device --warp-roles=always --entry=k --grid=2 \
// RUN:   --diff-engines=interp,tileas --adversarial --seed=4 --arg=f16[90624]=random --arg=f16[21504]=random \
// RUN:   --arg=f16[52864]=0 --arg=i32:3 %s
// RUN: tile-opt --lower-to=ptx --tensor-maps=params --gpu-name=sm_103 %s | FileCheck %s

// Two CTAs share each MMA of f16 into f16. Operand B is stored along N. The last tiles are partly outside. The PTX,
// which rounds after each instruction, does not run.

// CHECK: tcgen05.mma.cta_group::2

cuda_tile.module @m {
  cuda_tile.entry @k(%a0: tile<ptr<f16>>, %b0: tile<ptr<f16>>, %c0: tile<ptr<f16>>, %n: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 2}> {
    %a = assume div_by<16>, %a0 : tile<ptr<f16>>
    %b = assume div_by<16>, %b0 : tile<ptr<f16>>
    %c = assume div_by<16>, %c0 : tile<ptr<f16>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %va = make_tensor_view %a, shape = [472, 192], strides = [192, 1] : tensor_view<472x192xf16, strides=[192,1]>
    %vb = make_tensor_view %b, shape = [192, 112], strides = [112, 1] : tensor_view<192x112xf16, strides=[112,1]>
    %vc = make_tensor_view %c, shape = [472, 112], strides = [112, 1] : tensor_view<472x112xf16, strides=[112,1]>
    %pa = make_partition_view %va : partition_view<tile=(256x64), padding_value = zero, tensor_view<472x192xf16, strides=[192,1]>>
    %pb = make_partition_view %vb : partition_view<tile=(64x128), padding_value = zero, tensor_view<192x112xf16, strides=[112,1]>>
    %pc = make_partition_view %vc : partition_view<tile=(256x128), tensor_view<472x112xf16, strides=[112,1]>>
    %none = constant <f16: 0.0> : tile<256x128xf16>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %s = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<256x128xf16>) {
      %p, %t1 = load_view_tko weak %pa[%x, %i] : partition_view<tile=(256x64), padding_value = zero, tensor_view<472x192xf16, strides=[192,1]>>, tile<i32> -> tile<256x64xf16>, token
      %q, %t2 = load_view_tko weak %pb[%i, %zero] : partition_view<tile=(64x128), padding_value = zero, tensor_view<192x112xf16, strides=[112,1]>>, tile<i32> -> tile<64x128xf16>, token
      %r = mmaf %p, %q, %acc : tile<256x64xf16>, tile<64x128xf16>, tile<256x128xf16>
      continue %r : tile<256x128xf16>
    }
    %t3 = store_view_tko weak %s, %pc[%x, %zero] : tile<256x128xf16>, partition_view<tile=(256x128), tensor_view<472x112xf16, strides=[112,1]>>, tile<i32> -> token
    return
  }
}
