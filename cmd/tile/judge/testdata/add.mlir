// z = x + y * 2 for n elements, 128 in each CTA; the reference takes one element after the other.
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %z: tile<ptr<f32>>, %n: tile<i32>) {
    %block, %by, %bz = get_tile_block_id : tile<i32>
    %size = constant <i32: 128> : tile<i32>
    %start = muli %block, %size : tile<i32>
    %startr = reshape %start : tile<i32> -> tile<1xi32>
    %startb = broadcast %startr : tile<1xi32> -> tile<128xi32>
    %lane = iota : tile<128xi32>
    %i = addi %startb, %lane : tile<128xi32>
    %nr = reshape %n : tile<i32> -> tile<1xi32>
    %nb = broadcast %nr : tile<1xi32> -> tile<128xi32>
    %inside = cmpi less_than %i, %nb, signed : tile<128xi32> -> tile<128xi1>
    %zero = constant <f32: 0.0> : tile<128xf32>
    %xr = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %xb = broadcast %xr : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %xp = offset %xb, %i : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    %xv, %t1 = load_ptr_tko weak %xp, %inside, %zero : tile<128xptr<f32>>, tile<128xi1>, tile<128xf32> -> tile<128xf32>, token
    %yr = reshape %y : tile<ptr<f32>> -> tile<1xptr<f32>>
    %yb = broadcast %yr : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %yp = offset %yb, %i : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    %yv, %t2 = load_ptr_tko weak %yp, %inside, %zero : tile<128xptr<f32>>, tile<128xi1>, tile<128xf32> -> tile<128xf32>, token
    %two = constant <f32: 2.0> : tile<128xf32>
    %sum = fma %yv, %two, %xv : tile<128xf32>
    %zr = reshape %z : tile<ptr<f32>> -> tile<1xptr<f32>>
    %zb = broadcast %zr : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %zp = offset %zb, %i : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    %t3 = store_ptr_tko weak %zp, %sum, %inside : tile<128xptr<f32>>, tile<128xf32>, tile<128xi1> -> token
    return
  }
  entry @plain(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %z: tile<ptr<f32>>, %n: tile<i32>) {
    %block, %by, %bz = get_tile_block_id : tile<i32>
    %size = constant <i32: 128> : tile<i32>
    %start = muli %block, %size : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    for %e in (%c0 to %size, step %c1) : tile<i32> {
      %i = addi %start, %e : tile<i32>
      %inside = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
      if %inside {
        %xp = offset %x, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
        %yp = offset %y, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
        %zp = offset %z, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
        %xv, %t1 = load_ptr_tko weak %xp : tile<ptr<f32>> -> tile<f32>, token
        %yv, %t2 = load_ptr_tko weak %yp : tile<ptr<f32>> -> tile<f32>, token
        %d = addf %yv, %yv : tile<f32>
        %s = addf %xv, %d : tile<f32>
        %t3 = store_ptr_tko weak %zp, %s : tile<ptr<f32>>, tile<f32> -> token
        yield
      }
      continue
    }
    return
  }
}
