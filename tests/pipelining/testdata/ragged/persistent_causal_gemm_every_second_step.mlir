// A mask leaves out what is far to the right of the diagonal, inside a loop over tile blocks, of every second K step.

cuda_tile.module @m {
  entry @k(%out: tile<ptr<f32>>, %pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>, %sa: tile<i32>, %sb: tile<i32>, %skew: tile<i32>, %lo: tile<i32>, %hi: tile<i32>, %columns: tile<i32>, %blocks: tile<i32>) {
    %tok = make_token : token
    %none = constant <f32: 0.0> : tile<32x32xf32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %a = offset %pa, %skew : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %b = offset %pb, %skew : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %va = make_tensor_view %a, shape = [%m, %k], strides = [%sa, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vb = make_tensor_view %b, shape = [%k, %n], strides = [%sb, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %pva = make_partition_view %va : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %pvb = make_partition_view %vb : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %vo = make_tensor_view %out, shape = [96, 96], strides = [96, 1] : tensor_view<96x96xf32, strides=[96,1]>
    %pvo = make_partition_view %vo : partition_view<tile=(32x32), tensor_view<96x96xf32, strides=[96,1]>>
    %start, %by, %bz = get_tile_block_id : tile<i32>
    %many, %mb, %mc = get_num_tile_blocks : tile<i32>
    for %at in (%start to %blocks, step %many) : tile<i32> {
      %column = remi %at, %columns signed : tile<i32>
      %row = divi %at, %columns signed : tile<i32>
      %x = exti %row signed : tile<i32> -> tile<i64>
      %y = exti %column signed : tile<i32> -> tile<i64>
      %u = trunci %x : tile<i64> -> tile<i32>
      %v = trunci %y : tile<i64> -> tile<i32>
      %r = for %i in (%zero to %hi, step %two) : tile<i32> iter_values(%acc = %none) -> (tile<32x32xf32>) {
        %c32 = constant <i32: 32> : tile<i32>
        %zeros = constant <f16: 0.0> : tile<32x32xf16>
        %count = iota : tile<32xi32>
        %from = muli %i, %c32 : tile<i32>
        %f1 = reshape %from : tile<i32> -> tile<1xi32>
        %f2 = broadcast %f1 : tile<1xi32> -> tile<32xi32>
        %c1 = addi %f2, %count : tile<32xi32>
        %c2 = reshape %c1 : tile<32xi32> -> tile<1x32xi32>
        %cols = broadcast %c2 : tile<1x32xi32> -> tile<32x32xi32>
        %top = muli %row, %c32 : tile<i32>
        %r1 = reshape %top : tile<i32> -> tile<1xi32>
        %r2 = broadcast %r1 : tile<1xi32> -> tile<32xi32>
        %r3 = addi %r2, %count : tile<32xi32>
        %r4 = reshape %r3 : tile<32xi32> -> tile<32x1xi32>
        %lines = broadcast %r4 : tile<32x1xi32> -> tile<32x32xi32>
        %k0 = subi %k, %one : tile<i32>
        %k1 = reshape %k0 : tile<i32> -> tile<1x1xi32>
        %k2 = broadcast %k1 : tile<1x1xi32> -> tile<32x32xi32>
        %m1 = reshape %m : tile<i32> -> tile<1x1xi32>
        %m2 = broadcast %m1 : tile<1x1xi32> -> tile<32x32xi32>
        %s1 = reshape %sa : tile<i32> -> tile<1x1xi32>
        %s2 = broadcast %s1 : tile<1x1xi32> -> tile<32x32xi32>
        %in1 = cmpi less_than %cols, %k2, signed : tile<32x32xi32> -> tile<32x32xi1>
        %in2 = cmpi greater_than %m2, %lines, unsigned : tile<32x32xi32> -> tile<32x32xi1>
        %in = andi %in1, %in2 : tile<32x32xi1>
        %o1 = muli %lines, %s2 : tile<32x32xi32>
        %o2 = addi %o1, %cols : tile<32x32xi32>
        %p1 = reshape %a : tile<ptr<f16>> -> tile<1x1xptr<f16>>
        %p2 = broadcast %p1 : tile<1x1xptr<f16>> -> tile<32x32xptr<f16>>
        %p3 = offset %p2, %o2 : tile<32x32xptr<f16>>, tile<32x32xi32> -> tile<32x32xptr<f16>>
        %tc, %t1 = load_ptr_tko weak %p3, %in, %zeros token=%tok : tile<32x32xptr<f16>>, tile<32x32xi1>, tile<32x32xf16> -> tile<32x32xf16>, token
        %shift = constant <i32: 30> : tile<32x32xi32>
        %shifted = addi %lines, %shift : tile<32x32xi32>
        %past = cmpi greater_than_or_equal %shifted, %cols, signed : tile<32x32xi32> -> tile<32x32xi1>
        %ta = select %past, %tc, %zeros : tile<32x32xi1>, tile<32x32xf16>
        %tb, %t2 = load_view_tko weak %pvb[%i, %v] token = %tok : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<32x32xf16>, token
        %d = mmaf %ta, %tb, %acc : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
        continue %d : tile<32x32xf32>
      }
      %done = store_view_tko weak %r, %pvo[%row, %column] token = %tok : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<96x96xf32, strides=[96,1]>>, tile<i32> -> token
      continue
    }
    return
  }
}
