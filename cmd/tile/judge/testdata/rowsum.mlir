// y[r] = the sum of row r of a matrix of m x n elements, each CTA one row; the reference adds one after the other.
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %y: tile<ptr<f32>>) {
    %row, %by, %bz = get_tile_block_id : tile<i32>
    %some = cmpi less_than %row, %m, signed : tile<i32> -> tile<i1>
    if %some {
      %first = muli %row, %n : tile<i32>
      %xrow = offset %x, %first : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %xr = reshape %xrow : tile<ptr<f32>> -> tile<1xptr<f32>>
      %xb = broadcast %xr : tile<1xptr<f32>> -> tile<32xptr<f32>>
      %nr = reshape %n : tile<i32> -> tile<1xi32>
      %nb = broadcast %nr : tile<1xi32> -> tile<32xi32>
      %lane = iota : tile<32xi32>
      %zero = constant <f32: 0.0> : tile<32xf32>
      %c0 = constant <i32: 0> : tile<i32>
      %c32 = constant <i32: 32> : tile<i32>
      %parts = for %k in (%c0 to %n, step %c32) : tile<i32> iter_values(%acc = %zero) -> (tile<32xf32>) {
        %kr = reshape %k : tile<i32> -> tile<1xi32>
        %kb = broadcast %kr : tile<1xi32> -> tile<32xi32>
        %i = addi %kb, %lane : tile<32xi32>
        %inside = cmpi less_than %i, %nb, signed : tile<32xi32> -> tile<32xi1>
        %p = offset %xb, %i : tile<32xptr<f32>>, tile<32xi32> -> tile<32xptr<f32>>
        %v, %t1 = load_ptr_tko weak %p, %inside, %zero : tile<32xptr<f32>>, tile<32xi1>, tile<32xf32> -> tile<32xf32>, token
        %next = addf %acc, %v : tile<32xf32>
        continue %next : tile<32xf32>
      }
      %sum = reduce %parts dim=0 identities=[0.0 : f32] : tile<32xf32> -> tile<f32>
      (%a: tile<f32>, %b: tile<f32>) {
        %s = addf %a, %b : tile<f32>
        yield %s : tile<f32>
      }
      %yp = offset %y, %row : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %t2 = store_ptr_tko weak %yp, %sum : tile<ptr<f32>>, tile<f32> -> token
      yield
    }
    return
  }
  entry @plain(%x: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %y: tile<ptr<f32>>) {
    %row, %by, %bz = get_tile_block_id : tile<i32>
    %some = cmpi less_than %row, %m, signed : tile<i32> -> tile<i1>
    if %some {
      %first = muli %row, %n : tile<i32>
      %zero = constant <f32: 0.0> : tile<f32>
      %c0 = constant <i32: 0> : tile<i32>
      %c1 = constant <i32: 1> : tile<i32>
      %sum = for %k in (%c0 to %n, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<f32>) {
        %i = addi %first, %k : tile<i32>
        %p = offset %x, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
        %v, %t1 = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
        %next = addf %acc, %v : tile<f32>
        continue %next : tile<f32>
      }
      %yp = offset %y, %row : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %t2 = store_ptr_tko weak %yp, %sum : tile<ptr<f32>>, tile<f32> -> token
      yield
    }
    return
  }
}
