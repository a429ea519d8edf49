// A sum of rows. The second loop-carried value depends on the counter alone, so that it is rematerialized.

cuda_tile.module @m {
  entry @k(%out: tile<ptr<i32>>, %pa: tile<ptr<i32>>, %pb: tile<ptr<i32>>, %pc: tile<ptr<i32>>, %lo: tile<i32>, %hi: tile<i32>, %by: tile<i32>) {
    %tok = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %a = assume div_by<16>, %pa : tile<ptr<i32>>
    %b = assume div_by<16>, %pb : tile<ptr<i32>>
    %c = assume div_by<16>, %pc : tile<ptr<i32>>
    %va = make_tensor_view %a, shape = [64, 512], strides = [512, 1] : tensor_view<64x512xi32, strides=[512,1]>
    %pva = make_partition_view %va : partition_view<tile=(1x512), padding_value = zero, tensor_view<64x512xi32, strides=[512,1]>>
    %none = constant <i32: 1> : tile<1x512xi32>
    %three = constant <i32: 3> : tile<1x512xi32>
    %r:2 = for %i in (%lo to %hi, step %by) : tile<i32> iter_values(%acc = %none, %last = %zero) -> (tile<1x512xi32>, tile<i32>) {
      %d = subi %i, %lo : tile<i32>
      %one = constant <i32: 1> : tile<i32>
      %x = muli %d, %one : tile<i32>
      %ta, %t1 = load_view_tko weak %pva[%x, %zero] token = %tok : partition_view<tile=(1x512), padding_value = zero, tensor_view<64x512xi32, strides=[512,1]>>, tile<i32> -> tile<1x512xi32>, token
      %n0 = muli %acc, %three : tile<1x512xi32>
      %x0 = addi %x, %last : tile<i32>
      %x1 = reshape %x0 : tile<i32> -> tile<1x1xi32>
      %x2 = broadcast %x1 : tile<1x1xi32> -> tile<1x512xi32>
      %n1 = addi %n0, %x2 : tile<1x512xi32>
      %n2 = addi %n1, %ta : tile<1x512xi32>
      %next = addi %x, %x : tile<i32>
      continue %n2, %next : tile<1x512xi32>, tile<i32>
    }
    %l1 = reshape %r#1 : tile<i32> -> tile<1x1xi32>
    %l2 = broadcast %l1 : tile<1x1xi32> -> tile<1x512xi32>
    %l3 = xori %l2, %r#0 : tile<1x512xi32>
    %vo = make_tensor_view %out, shape = [1, 512], strides = [512, 1] : tensor_view<1x512xi32, strides=[512,1]>
    %pvo = make_partition_view %vo : partition_view<tile=(1x512), tensor_view<1x512xi32, strides=[512,1]>>
    %done = store_view_tko weak %l3, %pvo[%zero, %zero] token = %tok : tile<1x512xi32>, partition_view<tile=(1x512), tensor_view<1x512xi32, strides=[512,1]>>, tile<i32> -> token
    return
  }
}
