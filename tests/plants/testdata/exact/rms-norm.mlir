// The RMS norm of a row of 1,024 elements, for each CTA.
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %row, %by, %bz = get_tile_block_id : tile<i32>
    %i = iota : tile<1024xi32>
    %n = constant <i32: 1024> : tile<i32>
    %start = muli %row, %n : tile<i32>
    %xrow = offset %x, %start : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %xr = reshape %xrow : tile<ptr<f32>> -> tile<1xptr<f32>>
    %xb = broadcast %xr : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %xp = offset %xb, %i : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %v, %t = load_ptr_tko weak %xp : tile<1024xptr<f32>> -> tile<1024xf32>, token
    %squares = mulf %v, %v : tile<1024xf32>
    %sum = reduce %squares dim=0 identities=[0.0 : f32] : tile<1024xf32> -> tile<f32>
    (%c: tile<f32>, %d: tile<f32>) {
      %s = addf %c, %d : tile<f32>
      yield %s : tile<f32>
    }
    %count = constant <f32: 1024.0> : tile<f32>
    %mean = divf %sum, %count : tile<f32>
    %eps = constant <f32: 1.0e-5> : tile<f32>
    %safe = addf %mean, %eps : tile<f32>
    %r = rsqrt %safe : tile<f32>
    %rr = reshape %r : tile<f32> -> tile<1xf32>
    %rb = broadcast %rr : tile<1xf32> -> tile<1024xf32>
    %o = mulf %v, %rb : tile<1024xf32>
    %yrow = offset %y, %start : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %yr = reshape %yrow : tile<ptr<f32>> -> tile<1xptr<f32>>
    %yb = broadcast %yr : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %yp = offset %yb, %i : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %t2 = store_ptr_tko weak %yp, %o : tile<1024xptr<f32>>, tile<1024xf32> -> token
    return
  }
}
