// RUN: tile-opt %s --test-print-integer-ranges | FileCheck %s
// What is printed parses, and the comments are all that differs.
// RUN: tile-opt %s --test-print-integer-ranges | tile-opt - | FileCheck %s --check-prefix=AGAIN

// AGAIN: %x, %y, %z = get_tile_block_id : tile<i32>{{$}}

cuda_tile.module @m {
  // A grid has at most 2^24-1 blocks along each axis.
  // CHECK-LABEL: @grid
  entry @grid() {
    // CHECK: %x: [0, 16777214]; %y: [0, 16777214]; %z: [0, 16777214]
    %x, %y, %z = get_tile_block_id : tile<i32>
    // CHECK: %nx: [1, 16777215]; %ny: [1, 16777215]; %nz: [1, 16777215]
    %nx, %ny, %nz = get_num_tile_blocks : tile<i32>
    %c128 = constant <i32: 128> : tile<i32>
    // CHECK: muli {{.*}} // %first: [0, 2147483392]
    %first = muli %x, %c128 : tile<i32>
    // CHECK: muli {{.*}} // %wraps: any
    %wraps = muli %first, %c128 : tile<i32>
    // CHECK: muli {{.*}} // %kept: [0, 2147483647]
    %kept = muli %first, %c128 overflow<no_signed_wrap> : tile<i32>
    // CHECK: iota {{.*}} // %i: [0, 127]
    %i = iota : tile<128xi32>
    %f1 = reshape %first : tile<i32> -> tile<1xi32>
    %f = broadcast %f1 : tile<1xi32> -> tile<128xi32>
    // CHECK: // %offsets: [0, 2147483519]
    %offsets = addi %f, %i : tile<128xi32>
    // CHECK: // %wide: [0, 2147483519]
    %wide = exti %offsets signed : tile<128xi32> -> tile<128xi64>
    // CHECK: // %low: any
    %low = trunci %offsets : tile<128xi32> -> tile<128xi8>
    // CHECK: // %byte: [0, 127]
    %byte = trunci %i : tile<128xi32> -> tile<128xi8>
    // CHECK: // %part: [0, 127]
    %part = extract %i[%x] : tile<128xi32> -> tile<32xi32>
    // CHECK: // %both: [0, 2147483519]
    %both = cat %i, %offsets dim = 0 : tile<128xi32>, tile<128xi32> -> tile<256xi32>
    // CHECK: // %odd: -7 or 3
    %odd = constant <i32: [3, -7, 3, 3]> : tile<4xi32>
    return
  }

  // Both readings of a number are followed: a byte that is extended as unsigned is less than 256, and stays an unsigned interval when 100 is added.
  // CHECK-LABEL: @readings
  entry @readings(%b: tile<i8>, %n: tile<i32>) {
    // CHECK: // %u: [0, 255]
    %u = exti %b unsigned : tile<i8> -> tile<i32>
    // CHECK: // %s: [-128, 127]
    %s = exti %b signed : tile<i8> -> tile<i32>
    %c100 = constant <i8: 100> : tile<i8>
    // CHECK: // %atleast: unsigned [100, 255]
    %atleast = maxi %b, %c100 unsigned : tile<i8>
    // CHECK: // %above: [100, 127]
    %above = maxi %b, %c100 signed : tile<i8>
    // CHECK: // %same: -1
    %same = cmpi less_than_or_equal %c100, %above, signed : tile<i8> -> tile<i1>
    %c7 = constant <i32: 7> : tile<i32>
    // CHECK: // %rs: [-6, 6]
    %rs = remi %n, %c7 signed : tile<i32>
    // CHECK: // %ru: [0, 6]
    %ru = remi %n, %c7 unsigned : tile<i32>
    // CHECK: // %qs: [-306783378, 306783378]
    %qs = divi %n, %c7 signed : tile<i32>
    // CHECK: // %sh: [-16777216, 16777215]
    %sh = shri %n, %c7 signed : tile<i32>
    // CHECK: // %mask: [0, 7]
    %mask = andi %n, %c7 : tile<i32>
    // CHECK: // %or: [4, 7]
    %c4 = constant <i32: 4> : tile<i32>
    %or = ori %mask, %c4 : tile<i32>
    // CHECK: // %neg: [-7, -4]
    %neg = negi %or : tile<i32>
    // CHECK: // %two: [-7, -4] or [4, 7]
    %cond = cmpi equal %n, %c4, signed : tile<i32> -> tile<i1>
    %two = select %cond, %or, %neg : tile<i1>, tile<i32>
    // CHECK: // %abs: [4, 7]
    %abs = absi %two : tile<i32>
    return
  }

  // Promises are taken as they are.
  // CHECK-LABEL: @assumed
  entry @assumed(%n: tile<i32>, %p: tile<ptr<f32>>, %m: tile<i64>) {
    // CHECK: // %natural: [0, 2147483647]
    %natural = assume bounded<0, ?>, %n : tile<i32>
    // CHECK: // %limited: [0, 9]
    %limited = assume bounded<-5, 9>, %natural : tile<i32>
    // CHECK: // %fold: -1
    %c10 = constant <i32: 10> : tile<i32>
    %fold = cmpi less_than %limited, %c10, unsigned : tile<i32> -> tile<i1>
    // Sizes are known from the type, or natural numbers.
    %view = make_tensor_view %p, shape = [%m, 100], strides = [100, 1] : tile<i64> -> tensor_view<?x100xf32, strides=[100,1]>
    // CHECK: // %size#0: [0, 9223372036854775807]; %size#1: 100
    %size:2 = get_tensor_shape %view : tensor_view<?x100xf32, strides=[100,1]> -> tile<i64>
    %tiles = make_partition_view %view : partition_view<tile=(16x32), tensor_view<?x100xf32, strides=[100,1]>>
    // CHECK: // %space#0: [0, 9223372036854775807]; %space#1: 4
    %space:2 = get_index_space_shape %tiles : partition_view<tile=(16x32), tensor_view<?x100xf32, strides=[100,1]>> -> tile<i64>
    return
  }
}
