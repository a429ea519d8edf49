// The softmax of a row of n elements, for each CTA. What is beyond the row counts as minus infinity, and is left out of
// the sum too.
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %n: tile<i32>) {
    %row, %by, %bz = get_tile_block_id : tile<i32>
    %i = iota : tile<1024xi32>
    %nr = reshape %n : tile<i32> -> tile<1xi32>
    %nb = broadcast %nr : tile<1xi32> -> tile<1024xi32>
    %inside = cmpi less_than %i, %nb, signed : tile<1024xi32> -> tile<1024xi1>
    %start = muli %row, %n : tile<i32>
    %xrow = offset %x, %start : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %xr = reshape %xrow : tile<ptr<f32>> -> tile<1xptr<f32>>
    %xb = broadcast %xr : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %xp = offset %xb, %i : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %zero = constant <f32: 0.0> : tile<1024xf32>
    %v, %t = load_ptr_tko weak %xp, %inside, %zero : tile<1024xptr<f32>>, tile<1024xi1>, tile<1024xf32> -> tile<1024xf32>, token
    %lowest = constant <f32: 0xFF800000> : tile<1024xf32>
    %masked = select %inside, %v, %lowest : tile<1024xi1>, tile<1024xf32>
    %max = reduce %masked dim=0 identities=[0xFF800000 : f32] : tile<1024xf32> -> tile<f32>
    (%a: tile<f32>, %b: tile<f32>) {
      %m = maxf %a, %b : tile<f32>
      yield %m : tile<f32>
    }
    %maxr = reshape %max : tile<f32> -> tile<1xf32>
    %maxb = broadcast %maxr : tile<1xf32> -> tile<1024xf32>
    %shifted = subf %masked, %maxb : tile<1024xf32>
    %log2e = constant <f32: 1.442695> : tile<1024xf32>
    %scaled = mulf %shifted, %log2e : tile<1024xf32>
    %e = exp2 %scaled : tile<1024xf32>
    %counted = select %inside, %e, %zero : tile<1024xi1>, tile<1024xf32>
    %sum = reduce %counted dim=0 identities=[0.0 : f32] : tile<1024xf32> -> tile<f32>
    (%c: tile<f32>, %d: tile<f32>) {
      %s = addf %c, %d : tile<f32>
      yield %s : tile<f32>
    }
    %sumr = reshape %sum : tile<f32> -> tile<1xf32>
    %sumb = broadcast %sumr : tile<1xf32> -> tile<1024xf32>
    %p = divf %e, %sumb : tile<1024xf32>
    %yrow = offset %y, %start : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %yr = reshape %yrow : tile<ptr<f32>> -> tile<1xptr<f32>>
    %yb = broadcast %yr : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %yp = offset %yb, %i : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %t2 = store_ptr_tko weak %yp, %p, %inside : tile<1024xptr<f32>>, tile<1024xf32>, tile<1024xi1> -> token
    return
  }
}
