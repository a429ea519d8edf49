// z = x + y, 128 elements to a tile block.
cuda_tile.module @example {
  entry @add(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %z: tile<ptr<f32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %width = constant <i32: 128> : tile<i32>
    %first = muli %bx, %width : tile<i32>
    %f1 = reshape %first : tile<i32> -> tile<1xi32>
    %f = broadcast %f1 : tile<1xi32> -> tile<128xi32>
    %k = iota : tile<128xi32>
    %i = addi %f, %k : tile<128xi32>
    %x1 = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %xb = broadcast %x1 : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %xi = offset %xb, %i : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    %y1 = reshape %y : tile<ptr<f32>> -> tile<1xptr<f32>>
    %yb = broadcast %y1 : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %yi = offset %yb, %i : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    %z1 = reshape %z : tile<ptr<f32>> -> tile<1xptr<f32>>
    %zb = broadcast %z1 : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %zi = offset %zb, %i : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    %a, %ta = load_ptr_tko weak %xi : tile<128xptr<f32>> -> tile<128xf32>, token
    %b, %tb = load_ptr_tko weak %yi : tile<128xptr<f32>> -> tile<128xf32>, token
    %c = addf %a, %b : tile<128xf32>
    %tc = store_ptr_tko weak %zi, %c : tile<128xptr<f32>>, tile<128xf32> -> token
    return
  }
}
