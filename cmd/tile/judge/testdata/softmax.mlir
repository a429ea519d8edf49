// The softmax of each row of m x n elements, n up to 128; the reference takes one element after the other.
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %y: tile<ptr<f32>>) {
    %row, %by, %bz = get_tile_block_id : tile<i32>
    %some = cmpi less_than %row, %m, signed : tile<i32> -> tile<i1>
    if %some {
      %i = iota : tile<128xi32>
      %nr = reshape %n : tile<i32> -> tile<1xi32>
      %nb = broadcast %nr : tile<1xi32> -> tile<128xi32>
      %inside = cmpi less_than %i, %nb, signed : tile<128xi32> -> tile<128xi1>
      %start = muli %row, %n : tile<i32>
      %xrow = offset %x, %start : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %xr = reshape %xrow : tile<ptr<f32>> -> tile<1xptr<f32>>
      %xb = broadcast %xr : tile<1xptr<f32>> -> tile<128xptr<f32>>
      %xp = offset %xb, %i : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
      %zero = constant <f32: 0.0> : tile<128xf32>
      %lowest = constant <f32: 0xFF800000> : tile<128xf32>
      %v, %t = load_ptr_tko weak %xp, %inside, %lowest : tile<128xptr<f32>>, tile<128xi1>, tile<128xf32> -> tile<128xf32>, token
      %max = reduce %v dim=0 identities=[0xFF800000 : f32] : tile<128xf32> -> tile<f32>
      (%a: tile<f32>, %b: tile<f32>) {
        %mm = maxf %a, %b : tile<f32>
        yield %mm : tile<f32>
      }
      %maxr = reshape %max : tile<f32> -> tile<1xf32>
      %maxb = broadcast %maxr : tile<1xf32> -> tile<128xf32>
      %shifted = subf %v, %maxb : tile<128xf32>
      %e = exp %shifted : tile<128xf32>
      %counted = select %inside, %e, %zero : tile<128xi1>, tile<128xf32>
      %sum = reduce %counted dim=0 identities=[0.0 : f32] : tile<128xf32> -> tile<f32>
      (%c: tile<f32>, %d: tile<f32>) {
        %s = addf %c, %d : tile<f32>
        yield %s : tile<f32>
      }
      %sumr = reshape %sum : tile<f32> -> tile<1xf32>
      %sumb = broadcast %sumr : tile<1xf32> -> tile<128xf32>
      %p = divf %e, %sumb : tile<128xf32>
      %yrow = offset %y, %start : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %yr = reshape %yrow : tile<ptr<f32>> -> tile<1xptr<f32>>
      %yb = broadcast %yr : tile<1xptr<f32>> -> tile<128xptr<f32>>
      %yp = offset %yb, %i : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
      %t2 = store_ptr_tko weak %yp, %p, %inside : tile<128xptr<f32>>, tile<128xf32>, tile<128xi1> -> token
      yield
    }
    return
  }
  entry @plain(%x: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %y: tile<ptr<f32>>) {
    %row, %by, %bz = get_tile_block_id : tile<i32>
    %some = cmpi less_than %row, %m, signed : tile<i32> -> tile<i1>
    if %some {
      %start = muli %row, %n : tile<i32>
      %xrow = offset %x, %start : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %yrow = offset %y, %start : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %c0 = constant <i32: 0> : tile<i32>
      %c1 = constant <i32: 1> : tile<i32>
      %zero = constant <f32: 0.0> : tile<f32>
      %lowest = constant <f32: 0xFF800000> : tile<f32>
      %max = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%most = %lowest) -> (tile<f32>) {
        %p = offset %xrow, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
        %v, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
        %next = maxf %most, %v : tile<f32>
        continue %next : tile<f32>
      }
      %sum = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<f32>) {
        %p = offset %xrow, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
        %v, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
        %d = subf %v, %max : tile<f32>
        %e = exp %d : tile<f32>
        %next = addf %acc, %e : tile<f32>
        continue %next : tile<f32>
      }
      for %i in (%c0 to %n, step %c1) : tile<i32> {
        %p = offset %xrow, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
        %v, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
        %d = subf %v, %max : tile<f32>
        %e = exp %d : tile<f32>
        %o = divf %e, %sum : tile<f32>
        %q = offset %yrow, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
        %t2 = store_ptr_tko weak %q, %o : tile<ptr<f32>>, tile<f32> -> token
        continue
      }
      yield
    }
    return
  }
}
