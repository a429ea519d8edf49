// RUN: tile-opt %s --test-print-divisibility | FileCheck %s

cuda_tile.module @m {
  // The addresses of a block of 128 elements of four bytes: consecutive, from a multiple of 16 bytes on.
  // CHECK-LABEL: @addresses
  entry @addresses(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %c128 = constant <i32: 128> : tile<i32>
    // CHECK: // %base: div 16
    %base = assume div_by<16>, %p : tile<ptr<f32>>
    // CHECK: // %first: div 128
    %first = muli %x, %c128 : tile<i32>
    // CHECK: // %io: div 1, dim 0: 128 by 1 from div 0
    %io = iota : tile<128xi32>
    %f1 = reshape %first : tile<i32> -> tile<1xi32>
    // CHECK: // %f: div 128, dim 0: 128 equal
    %f = broadcast %f1 : tile<1xi32> -> tile<128xi32>
    // CHECK: // %offsets: div 1, dim 0: 128 by 1 from div 128
    %offsets = addi %f, %io : tile<128xi32>
    %b1 = reshape %base : tile<ptr<f32>> -> tile<1xptr<f32>>
    %b = broadcast %b1 : tile<1xptr<f32>> -> tile<128xptr<f32>>
    // CHECK: // %ptrs: div 4, dim 0: 128 by 4 from div 16
    %ptrs = offset %b, %offsets : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    // A bound that 16 divides cuts the block at a multiple of 16, so that the mask is the same for groups of 16.
    // CHECK: // %limit: div 16
    %limit = assume div_by<16>, %n : tile<i32>
    %l1 = reshape %limit : tile<i32> -> tile<1xi32>
    %l = broadcast %l1 : tile<1xi32> -> tile<128xi32>
    // CHECK: // %mask: div 1, dim 0: 16 equal
    %mask = cmpi less_than %offsets, %l, signed : tile<128xi32> -> tile<128xi1>
    // The same bound the other way round, and one that is off by one.
    // CHECK: // %same: div 1, dim 0: 16 equal
    %same = cmpi greater_than %l, %offsets, signed : tile<128xi32> -> tile<128xi1>
    // CHECK: // %off: div 1{{$}}
    %off = cmpi less_than_or_equal %offsets, %l, signed : tile<128xi32> -> tile<128xi1>
    return
  }

  // Rows and columns of 8x32 elements with a row stride that 8 divides.
  // CHECK-LABEL: @matrix
  entry @matrix(%p: tile<ptr<f16>>, %stride: tile<i32>) {
    %base = assume div_by<16>, %p : tile<ptr<f16>>
    %s = assume div_by<8>, %stride : tile<i32>
    %i = iota : tile<8xi32>
    %i2 = reshape %i : tile<8xi32> -> tile<8x1xi32>
    // CHECK: // %rows: div 1, dim 0: 8 by 1 from div 0, dim 1: 32 equal
    %rows = broadcast %i2 : tile<8x1xi32> -> tile<8x32xi32>
    %j = iota : tile<32xi32>
    %j2 = reshape %j : tile<32xi32> -> tile<1x32xi32>
    // CHECK: // %cols: div 1, dim 0: 8 equal, dim 1: 32 by 1 from div 0
    %cols = broadcast %j2 : tile<1x32xi32> -> tile<8x32xi32>
    %s2 = reshape %s : tile<i32> -> tile<1x1xi32>
    %strides = broadcast %s2 : tile<1x1xi32> -> tile<8x32xi32>
    // CHECK: // %starts: div 8, dim 1: 32 equal
    %starts = muli %rows, %strides : tile<8x32xi32>
    // CHECK: // %offsets: div 1, dim 1: 32 by 1 from div 8
    %offsets = addi %starts, %cols : tile<8x32xi32>
    %b2 = reshape %base : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %b = broadcast %b2 : tile<1x1xptr<f16>> -> tile<8x32xptr<f16>>
    // Offsets are extended to addresses as signed numbers. Runs of 8 stay in a block of 8 numbers; longer ones might wrap.
    // CHECK: // %ptrs: div 2, dim 1: 8 by 2 from div 16
    %ptrs = offset %b, %offsets : tile<8x32xptr<f16>>, tile<8x32xi32> -> tile<8x32xptr<f16>>
    // CHECK: // %turned: div 2, dim 0: 8 by 2 from div 16
    %turned = permute %ptrs [1, 0] : tile<8x32xptr<f16>> -> tile<32x8xptr<f16>>
    // CHECK: // %list: div 2, dim 0: 8 by 2 from div 16
    %list = reshape %ptrs : tile<8x32xptr<f16>> -> tile<256xptr<f16>>
    // A row stride that is known is a step like others: rows follow each other.
    %c32 = constant <i32: 32> : tile<8x32xi32>
    // CHECK: // %known: div 32, dim 0: 8 by 32 from div 0, dim 1: 32 equal
    %known = muli %rows, %c32 : tile<8x32xi32>
    // CHECK: // %dense: div 1, dim 0: 8 by 32 from div 1, dim 1: 32 by 1 from div 32
    %dense = addi %known, %cols : tile<8x32xi32>
    // CHECK: // %linear: div 1, dim 0: 256 by 1 from div 0
    %linear = reshape %dense : tile<8x32xi32> -> tile<256xi32>
    return
  }

  // Quotients and remainders of consecutive numbers.
  // CHECK-LABEL: @divided
  entry @divided(%n: tile<i32>) {
    %io = iota : tile<64xi32>
    %c8 = constant <i32: 8> : tile<64xi32>
    %c7 = constant <i32: 7> : tile<64xi32>
    %c3 = constant <i32: 3> : tile<64xi32>
    // CHECK: // %q: div 1, dim 0: 8 equal
    %q = divi %io, %c8 signed : tile<64xi32>
    // CHECK: // %r: div 1, dim 0: 8 by 1 from div 0
    %r = remi %io, %c8 signed : tile<64xi32>
    // CHECK: // %a: div 1, dim 0: 8 by 1 from div 0
    %a = andi %io, %c7 : tile<64xi32>
    // CHECK: // %s: div 1, dim 0: 8 equal
    %s = shri %io, %c3 unsigned : tile<64xi32>
    // CHECK: // %l: div 8, dim 0: 64 by 8 from div 0
    %l = shli %io, %c3 : tile<64xi32>
    // CHECK: // %o: div 1, dim 0: 64 by 8 from div 1
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %nb = broadcast %n1 : tile<1xi32> -> tile<64xi32>
    %low = andi %nb, %c7 : tile<64xi32>
    %o = ori %l, %low : tile<64xi32>
    // What may be negative is rounded towards zero, so that the element before a multiple of 8 goes with it.
    %m = subi %io, %c7 : tile<64xi32>
    // CHECK: // %t: div 1{{$}}
    %t = divi %m, %c8 signed : tile<64xi32>
    // A byte that is extended might have wrapped.
    %b = trunci %nb : tile<64xi32> -> tile<64xi8>
    %ib = iota : tile<64xi8>
    // CHECK: // %sum: div 1, dim 0: 64 by 1 from div 1
    %sum = addi %b, %ib : tile<64xi8>
    // CHECK: // %wide: div 1{{$}}
    %wide = exti %sum unsigned : tile<64xi8> -> tile<64xi32>
    return
  }

  // CHECK-LABEL: @assumed
  entry @assumed(%p: tile<ptr<i16>>, %n: tile<i32>) {
    %p1 = reshape %p : tile<ptr<i16>> -> tile<1xptr<i16>>
    %pb = broadcast %p1 : tile<1xptr<i16>> -> tile<32xptr<i16>>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %nb = broadcast %n1 : tile<1xi32> -> tile<32xi32>
    %x = muli %nb, %nb : tile<32xi32>
    %io = iota : tile<32xi32>
    %y = muli %x, %io : tile<32xi32>
    // CHECK: // %groups: div 1, dim 0: 8 by 1 from div 16
    %groups = assume div_by<16, every 8 along 0>, %y : tile<32xi32>
    // Groups of twelve begin at every fourth element; those that begin inside are 4 further.
    // CHECK: // %twelve: div 1, dim 0: 4 by 1 from div 4
    %twelve = assume div_by<16, every 12 along 0>, %y : tile<32xi32>
    // CHECK: // %equal: div 1, dim 0: 4 equal
    %equal = assume same_elements<[4]>, %y : tile<32xi32>
    %q = offset %pb, %y : tile<32xptr<i16>>, tile<32xi32> -> tile<32xptr<i16>>
    // CHECK: // %ptrs: div 2, dim 0: 8 by 2 from div 16
    %ptrs = assume div_by<16, every 8 along 0>, %q : tile<32xptr<i16>>
    return
  }

  // CHECK-LABEL: @loops
  entry @loops(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c32 = constant <i32: 32> : tile<i32>
    %c48 = constant <i32: 48> : tile<i32>
    %base = assume div_by<16>, %p : tile<ptr<f32>>
    %r:2 = for %i in (%c48 to %n, step %c32) : tile<i32> iter_values(%q = %base, %k = %c0) -> (tile<ptr<f32>>, tile<i32>) {
      %q2 = offset %q, %c32 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %k2 = addi %k, %i : tile<i32>
      continue %q2, %k2 : tile<ptr<f32>>, tile<i32>
    } // CHECK: } // %i: div 16; %q: div 16; %k: div 16; %r#0: div 16; %r#1: div 16
    %cond = cmpi less_than %n, %c0, signed : tile<i32> -> tile<i1>
    %s = if %cond -> (tile<i32>) {
      yield %c32 : tile<i32>
    } else {
      yield %c48 : tile<i32>
    } // CHECK: } // %s: div 16
    // CHECK: // %c: div 2, dim 0: 4 by 2 from div 0
    %c = constant <i32: [0, 2, 4, 6]> : tile<4xi32>
    // CHECK: // %d: div 1, dim 0: 4 by 8 from div 1
    %d = constant <i32: [3, 11, 19, 27]> : tile<4xi32>
    %f = constant <i32: [1, 3, 5, 7]> : tile<4xi32>
    %g = constant <i32: [9, 11, 13, 15]> : tile<4xi32>
    // CHECK: // %e8: div 1, dim 0: 8 by 2 from div 1
    %e8 = constant <i32: [1, 3, 5, 7, 9, 11, 13, 15]> : tile<8xi32>
    // CHECK: // %e: div 1, dim 0: 4 by 2 from div 1
    %e = cat %f, %g dim = 0 : tile<4xi32>, tile<4xi32> -> tile<8xi32>
    // CHECK: // %part: div 1, dim 0: 4 by 2 from div 1
    %part = extract %e8[%c0] : tile<8xi32> -> tile<4xi32>
    return
  }
}
