// Loads of every third element to registers, of the next row in each iteration. A load has a mask only where it runs
// ahead.

cuda_tile.module @m {
  entry @k(%out: tile<ptr<i32>>, %pa: tile<ptr<i32>>, %pb: tile<ptr<i32>>, %pc: tile<ptr<i32>>, %lo: tile<i32>, %hi: tile<i32>, %by: tile<i32>) {
    %tok = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %a = assume div_by<16>, %pa : tile<ptr<i32>>
    %b = assume div_by<16>, %pb : tile<ptr<i32>>
    %c = assume div_by<16>, %pc : tile<ptr<i32>>
    %a1 = reshape %a : tile<ptr<i32>> -> tile<1x1xptr<i32>>
    %as = broadcast %a1 : tile<1x1xptr<i32>> -> tile<1x512xptr<i32>>
    %i0 = iota : tile<512xi32>
    %i1 = reshape %i0 : tile<512xi32> -> tile<1x512xi32>
    %three = constant <i32: 3> : tile<1x512xi32>
    %i2 = muli %i1, %three : tile<1x512xi32>
    %none = constant <i32: 1> : tile<1x512xi32>
    %width = constant <i32: 512> : tile<i32>
    %r:1 = for %i in (%lo to %hi, step %by) : tile<i32> iter_values(%acc = %none) -> (tile<1x512xi32>) {
      %d = subi %i, %lo : tile<i32>
      %one = constant <i32: 1> : tile<i32>
      %x = muli %d, %one : tile<i32>
      %k0 = muli %x, %width : tile<i32>
      %k1 = reshape %k0 : tile<i32> -> tile<1x1xi32>
      %k2 = broadcast %k1 : tile<1x1xi32> -> tile<1x512xi32>
      %at = addi %k2, %i2 : tile<1x512xi32>
      %ps = offset %as, %at : tile<1x512xptr<i32>>, tile<1x512xi32> -> tile<1x512xptr<i32>>
      %ta, %t1 = load_ptr_tko weak %ps token = %tok : tile<1x512xptr<i32>> -> tile<1x512xi32>, token
      %n0 = muli %acc, %three : tile<1x512xi32>
      %n1 = addi %n0, %ta : tile<1x512xi32>
      continue %n1 : tile<1x512xi32>
    }
    %vo = make_tensor_view %out, shape = [1, 512], strides = [512, 1] : tensor_view<1x512xi32, strides=[512,1]>
    %pvo = make_partition_view %vo : partition_view<tile=(1x512), tensor_view<1x512xi32, strides=[512,1]>>
    %done = store_view_tko weak %r#0, %pvo[%zero, %zero] token = %tok : tile<1x512xi32>, partition_view<tile=(1x512), tensor_view<1x512xi32, strides=[512,1]>>, tile<i32> -> token
    return
  }
}
