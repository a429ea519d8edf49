// RUN: tile-run -O3 --adversarial --seed=1 --gpu-name=sm_80 --diff-engines=interp,tileaa,tileas,ptx --entry=k --grid=1 \
// RUN:   --timeout=30s --arg=i32[20x8]=random --arg=i32[32x8] --arg=i32:20 --arg=i32:8 %s
// RUN: tile-run -O3 --gpu-name=sm_100 --diff-engines=interp,ptx --entry=k --grid=1 \
// RUN:   --timeout=30s --arg=i32[40x8]=random --arg=i32[32x8] --arg=i32:40 --arg=i32:8 %s
// RUN: tile-opt %s --lower-to=nvvm --gpu-name=sm_80 --print-after=tileaa-hoist-addresses -o /dev/null 2>&1 | FileCheck %s

// The sum of a window of nine rows around each row, as a convolution adds them up: an index beyond the 32 rows of the image is clamped to it, and what was
// loaded there counts as zero. The array has fewer rows than the image in the first run, and more in the second.
// CHECK-NOT: arith.minsi
// CHECK-NOT: arith.maxsi
// CHECK: arith.minui
// CHECK: %[[ROWS:[0-9]+]] = nv_tileaa.addptr
// CHECK: scf.for
// CHECK: nv_tileaa.addptr %[[ROWS]]
cuda_tile.module @m {
  entry @k(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>, %rows: tile<i32>, %stride: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %nine = constant <i32: 9> : tile<i32>
    %none = constant <i32: 0> : tile<32x8xi32>
    %last = constant <i32: 31> : tile<32x8xi32>
    %image = constant <i32: 32> : tile<32x8xi32>
    %four = constant <i32: 4> : tile<32x1xi32>
    %known = assume bounded<0, ?>, %rows : tile<i32>
    %wide = exti %known signed : tile<i32> -> tile<i64>
    %wideT = reshape %wide : tile<i64> -> tile<1x1xi64>
    %size = broadcast %wideT : tile<1x1xi64> -> tile<32x8xi64>
    %step = exti %stride signed : tile<i32> -> tile<i64>
    %stepT = reshape %step : tile<i64> -> tile<1x1xi64>
    %steps = broadcast %stepT : tile<1x1xi64> -> tile<32x8xi64>
    %inT = reshape %in : tile<ptr<i32>> -> tile<1x1xptr<i32>>
    %base = broadcast %inT : tile<1x1xptr<i32>> -> tile<32x8xptr<i32>>
    %outT = reshape %out : tile<ptr<i32>> -> tile<1x1xptr<i32>>
    %to = broadcast %outT : tile<1x1xptr<i32>> -> tile<32x8xptr<i32>>
    %number = iota : tile<32xi32>
    %row0 = reshape %number : tile<32xi32> -> tile<32x1xi32>
    %row = subi %row0, %four : tile<32x1xi32>
    %rowsOf = broadcast %row : tile<32x1xi32> -> tile<32x8xi32>
    %eight = iota : tile<8xi32>
    %column = reshape %eight : tile<8xi32> -> tile<1x8xi32>
    %columns = broadcast %column : tile<1x8xi32> -> tile<32x8xi32>
    %offset = exti %columns signed : tile<32x8xi32> -> tile<32x8xi64>
    %sum = for %i in (%zero to %nine, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<32x8xi32>) {
      %tap0 = reshape %i : tile<i32> -> tile<1x1xi32>
      %tap = broadcast %tap0 : tile<1x1xi32> -> tile<32x8xi32>
      %y = addi %rowsOf, %tap : tile<32x8xi32>
      %low = mini %y, %last signed : tile<32x8xi32>
      %at = maxi %low, %none signed : tile<32x8xi32>
      %index = exti %at signed : tile<32x8xi32> -> tile<32x8xi64>
      %stored = cmpi less_than %index, %size, unsigned : tile<32x8xi64> -> tile<32x8xi1>
      %first = muli %index, %steps : tile<32x8xi64>
      %element = addi %first, %offset : tile<32x8xi64>
      %p = offset %base, %element : tile<32x8xptr<i32>>, tile<32x8xi64> -> tile<32x8xptr<i32>>
      %x, %t = load_ptr_tko weak %p, %stored, %none : tile<32x8xptr<i32>>, tile<32x8xi1>, tile<32x8xi32> -> tile<32x8xi32>, token
      %above = cmpi greater_than_or_equal %y, %none, signed : tile<32x8xi32> -> tile<32x8xi1>
      %below = cmpi less_than %y, %image, signed : tile<32x8xi32> -> tile<32x8xi1>
      %inside = andi %above, %below : tile<32x8xi1>
      %counts = select %inside, %x, %none : tile<32x8xi1>, tile<32x8xi32>
      %next = addi %acc, %counts : tile<32x8xi32>
      continue %next : tile<32x8xi32>
    }
    %width = constant <i32: 8> : tile<32x8xi32>
    %all = broadcast %row0 : tile<32x1xi32> -> tile<32x8xi32>
    %begin = muli %all, %width : tile<32x8xi32>
    %place = addi %begin, %columns : tile<32x8xi32>
    %q = offset %to, %place : tile<32x8xptr<i32>>, tile<32x8xi32> -> tile<32x8xptr<i32>>
    %done = store_ptr_tko weak %q, %sum : tile<32x8xptr<i32>>, tile<32x8xi32> -> token
    return
  }
}
