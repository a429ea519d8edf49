// c = a b of m x k and k x n elements, tiles of 16 x 16; the reference adds one product after the other.
cuda_tile.module @m {
  entry @k(%a: tile<ptr<f16>>, %m: tile<i32>, %k: tile<i32>, %b: tile<ptr<f16>>, %n: tile<i32>, %c: tile<ptr<f32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %av = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %bv = make_tensor_view %b, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %cv = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %ap = make_partition_view %av : partition_view<tile=(16x16), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %bp = make_partition_view %bv : partition_view<tile=(16x16), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %cp = make_partition_view %cv : partition_view<tile=(16x16), tensor_view<?x?xf32, strides=[?,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c16 = constant <i32: 16> : tile<i32>
    %steps = divi %k, %c16 signed rounding<positive_inf> : tile<i32>
    %zero = constant <f32: 0.0> : tile<16x16xf32>
    %sum = for %s in (%c0 to %steps, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<16x16xf32>) {
      %at, %t1 = load_view_tko weak %ap[%bx, %s] : partition_view<tile=(16x16), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<16x16xf16>, token
      %bt, %t2 = load_view_tko weak %bp[%s, %by] : partition_view<tile=(16x16), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<16x16xf16>, token
      %next = mmaf %at, %bt, %acc : tile<16x16xf16>, tile<16x16xf16>, tile<16x16xf32>
      continue %next : tile<16x16xf32>
    }
    %t3 = store_view_tko weak %sum, %cp[%bx, %by] : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
  entry @plain(%a: tile<ptr<f16>>, %m: tile<i32>, %k: tile<i32>, %b: tile<ptr<f16>>, %n: tile<i32>, %c: tile<ptr<f32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c16 = constant <i32: 16> : tile<i32>
    %r0 = muli %bx, %c16 : tile<i32>
    %q0 = muli %by, %c16 : tile<i32>
    %zero = constant <f32: 0.0> : tile<f32>
    for %r in (%c0 to %c16, step %c1) : tile<i32> {
      for %q in (%c0 to %c16, step %c1) : tile<i32> {
        %row = addi %r0, %r : tile<i32>
        %col = addi %q0, %q : tile<i32>
        %ri = cmpi less_than %row, %m, signed : tile<i32> -> tile<i1>
        %ci = cmpi less_than %col, %n, signed : tile<i32> -> tile<i1>
        %inside = andi %ri, %ci : tile<i1>
        if %inside {
          %arow = muli %row, %k : tile<i32>
          %sum = for %s in (%c0 to %k, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<f32>) {
            %ai = addi %arow, %s : tile<i32>
            %brow = muli %s, %n : tile<i32>
            %bi = addi %brow, %col : tile<i32>
            %ap = offset %a, %ai : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
            %bp = offset %b, %bi : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
            %ae, %t1 = load_ptr_tko weak %ap : tile<ptr<f16>> -> tile<f16>, token
            %be, %t2 = load_ptr_tko weak %bp : tile<ptr<f16>> -> tile<f16>, token
            %aw = ftof %ae : tile<f16> -> tile<f32>
            %bw = ftof %be : tile<f16> -> tile<f32>
            %next = fma %aw, %bw, %acc : tile<f32>
            continue %next : tile<f32>
          }
          %crow = muli %row, %n : tile<i32>
          %ci2 = addi %crow, %col : tile<i32>
          %cp = offset %c, %ci2 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
          %t3 = store_ptr_tko weak %cp, %sum : tile<ptr<f32>>, tile<f32> -> token
          yield
        }
        continue
      }
      continue
    }
    return
  }
}
