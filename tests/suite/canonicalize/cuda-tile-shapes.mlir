// RUN: tile-opt %s --canonicalize --allow-unregistered-dialect | FileCheck %s

// Operations that make and move elements.

cuda_tile.module @shapes {
  // CHECK-LABEL: @constants
  // CHECK-DAG: %[[RESHAPED:.*]] = constant <i32: {{\[\[1, 2\], \[3, 4\]\]}}> : tile<2x2xi32>
  // CHECK-DAG: %[[TURNED:.*]] = constant <i32: {{\[\[1, 3\], \[2, 4\]\]}}> : tile<2x2xi32>
  // CHECK-DAG: %[[WIDE:.*]] = constant <i32: {{\[\[1, 1\], \[2, 2\]\]}}> : tile<2x2xi32>
  // CHECK-DAG: %[[JOINED:.*]] = constant <i32: [1, 2, 3, 4, 7, 7, 7, 7]> : tile<8xi32>
  // CHECK-DAG: %[[PART:.*]] = constant <i32: [3, 4]> : tile<2xi32>
  // CHECK-DAG: %[[CHANGED:.*]] = constant <i32: [7, 7, 3, 4]> : tile<4xi32>
  // CHECK-DAG: %[[FIRST:.*]] = constant <i32: 0> : tile<1xi32>
  // CHECK-DAG: %[[BYTES:.*]] = constant <i8: [1, 0, 0, 0, 2, 0, 0, 0]> : tile<8xi8>
  // CHECK: "t.use"(%[[RESHAPED]], %[[TURNED]], %[[WIDE]], %[[JOINED]], %[[PART]], %[[CHANGED]], %[[FIRST]], %[[BYTES]])
  entry @constants() {
    %a = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
    %seven = constant <i32: 7> : tile<4xi32>
    %one = constant <i32: 1> : tile<i32>
    %0 = reshape %a : tile<4xi32> -> tile<2x2xi32>
    %1 = permute %0 [1, 0] : tile<2x2xi32> -> tile<2x2xi32>
    %b = constant <i32: [[1], [2]]> : tile<2x1xi32>
    %2 = broadcast %b : tile<2x1xi32> -> tile<2x2xi32>
    %3 = cat %a, %seven dim = 0 : tile<4xi32>, tile<4xi32> -> tile<8xi32>
    %4 = extract %a[%one] : tile<4xi32> -> tile<2xi32>
    %5 = insert %4, %seven[%one] : tile<2xi32>, tile<4xi32>
    %6 = iota : tile<1xi32>
    %c = constant <i32: [1, 2]> : tile<2xi32>
    %7 = pack %c : tile<2xi32> -> tile<8xi8>
    "t.use"(%0, %1, %2, %3, %4, %5, %6, %7) : (!cuda_tile.tile<2x2xi32>, !cuda_tile.tile<2x2xi32>, !cuda_tile.tile<2x2xi32>, !cuda_tile.tile<8xi32>, !cuda_tile.tile<2xi32>, !cuda_tile.tile<4xi32>, !cuda_tile.tile<1xi32>, !cuda_tile.tile<8xi8>) -> ()
    return
  }

  // Equal elements fold in any number; what differs is not written down at length.
  // CHECK-LABEL: @large
  // CHECK-DAG: %[[ONES:.*]] = constant <f32: 1.000000e+00> : tile<1024x1024xf32>
  // CHECK-DAG: %[[THREES:.*]] = constant <f32: 3.000000e+00> : tile<1024x1024xf32>
  // CHECK: %[[IOTA:.*]] = iota : tile<1024xi32>
  // CHECK-NEXT: %[[MIXED:.*]] = cat %{{.*}}, %{{.*}} dim = 0 : tile<512xi32>, tile<512xi32> -> tile<1024xi32>
  // CHECK-NEXT: %[[WIDE:.*]] = broadcast %{{.*}} : tile<2x1xi32> -> tile<2x1024xi32>
  // CHECK-NEXT: "t.use"(%[[THREES]], %[[IOTA]], %[[MIXED]], %[[WIDE]], %[[ONES]])
  entry @large() {
    %one = constant <f32: 1.0> : tile<f32>
    %small = reshape %one : tile<f32> -> tile<1x1xf32>
    %ones = broadcast %small : tile<1x1xf32> -> tile<1024x1024xf32>
    %turned = permute %ones [1, 0] : tile<1024x1024xf32> -> tile<1024x1024xf32>
    %two = constant <f32: 2.0> : tile<1024x1024xf32>
    %threes = addf %two, %turned : tile<1024x1024xf32>
    %iota = iota : tile<1024xi32>
    %a = constant <i32: 1> : tile<512xi32>
    %b = constant <i32: 2> : tile<512xi32>
    %mixed = cat %a, %b dim = 0 : tile<512xi32>, tile<512xi32> -> tile<1024xi32>
    %c = constant <i32: [[1], [2]]> : tile<2x1xi32>
    %wide = broadcast %c : tile<2x1xi32> -> tile<2x1024xi32>
    "t.use"(%threes, %iota, %mixed, %wide, %ones) : (!cuda_tile.tile<1024x1024xf32>, !cuda_tile.tile<1024xi32>, !cuda_tile.tile<1024xi32>, !cuda_tile.tile<2x1024xi32>, !cuda_tile.tile<1024x1024xf32>) -> ()
    return
  }

  // CHECK-LABEL: @chains
  // CHECK-SAME: (%[[P:.*]]: tile<ptr<f32>>, %[[C:.*]]: tile<i1>, %[[X:.*]]: tile<f32>)
  // CHECK-NEXT: %[[R:.*]] = reshape %[[X]] : tile<f32> -> tile<1x1xf32>
  // CHECK-NEXT: %[[B:.*]] = broadcast %[[R]] : tile<1x1xf32> -> tile<4x8xf32>
  // CHECK-NEXT: %[[I:.*]] = bitcast %[[X]] : tile<f32> -> tile<i32>
  // CHECK-NEXT: "t.use"(%[[X]], %[[B]], %[[B]], %[[X]], %[[I]])
  entry @chains(%p: tile<ptr<f32>>, %c: tile<i1>, %x: tile<f32>) {
    %0 = reshape %x : tile<f32> -> tile<1x1xf32>
    %1 = reshape %0 : tile<1x1xf32> -> tile<f32>
    %2 = broadcast %0 : tile<1x1xf32> -> tile<1x8xf32>
    %3 = broadcast %2 : tile<1x8xf32> -> tile<4x8xf32>
    %4 = permute %3 [0, 1] : tile<4x8xf32> -> tile<4x8xf32>
    %5 = bitcast %x : tile<f32> -> tile<i32>
    %6 = bitcast %5 : tile<i32> -> tile<f32>
    %7 = bitcast %6 : tile<f32> -> tile<i32>
    "t.use"(%1, %3, %4, %6, %7) : (!cuda_tile.tile<f32>, !cuda_tile.tile<4x8xf32>, !cuda_tile.tile<4x8xf32>, !cuda_tile.tile<f32>, !cuda_tile.tile<i32>) -> ()
    return
  }

  // Indices that are outside have no meaning; those of which nothing is known stay.
  // CHECK-LABEL: @parts
  // CHECK: extract %{{.*}}[%{{.*}}] : tile<4xi32> -> tile<2xi32>
  // CHECK: extract %{{.*}}[%{{.*}}] : tile<4xi32> -> tile<2xi32>
  // CHECK: insert %{{.*}}, %{{.*}}[%{{.*}}] : tile<2xi32>, tile<4xi32>
  entry @parts(%i: tile<i32>) {
    %a = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
    %b = constant <i32: 9> : tile<2xi32>
    %two = constant <i32: 2> : tile<i32>
    %0 = extract %a[%two] : tile<4xi32> -> tile<2xi32>
    %1 = extract %a[%i] : tile<4xi32> -> tile<2xi32>
    %2 = insert %b, %a[%two] : tile<2xi32>, tile<4xi32>
    "t.use"(%0, %1, %2) : (!cuda_tile.tile<2xi32>, !cuda_tile.tile<2xi32>, !cuda_tile.tile<4xi32>) -> ()
    return
  }

  // An integer product with zero is the accumulator; a floating-point one is not, for the other factor may be infinite.
  // CHECK-LABEL: @products
  // CHECK: %[[ACC:.*]] = broadcast
  // CHECK: %[[F:.*]] = mmaf
  // CHECK: "t.use"(%[[ACC]], %[[F]])
  entry @products(%x: tile<i8>, %n: tile<i32>, %f: tile<f32>, %h: tile<f16>) {
    %zero = constant <i8: 0> : tile<16x16xi8>
    %x1 = reshape %x : tile<i8> -> tile<1x1xi8>
    %x2 = broadcast %x1 : tile<1x1xi8> -> tile<16x16xi8>
    %n1 = reshape %n : tile<i32> -> tile<1x1xi32>
    %acc = broadcast %n1 : tile<1x1xi32> -> tile<16x16xi32>
    %0 = mmai %zero, %x2, %acc signed unsigned : tile<16x16xi8>, tile<16x16xi8>, tile<16x16xi32>
    %zeroF = constant <f16: 0.0> : tile<16x16xf16>
    %h1 = reshape %h : tile<f16> -> tile<1x1xf16>
    %h2 = broadcast %h1 : tile<1x1xf16> -> tile<16x16xf16>
    %f1 = reshape %f : tile<f32> -> tile<1x1xf32>
    %accF = broadcast %f1 : tile<1x1xf32> -> tile<16x16xf32>
    %1 = mmaf %zeroF, %h2, %accF : tile<16x16xf16>, tile<16x16xf16>, tile<16x16xf32>
    "t.use"(%0, %1) : (!cuda_tile.tile<16x16xi32>, !cuda_tile.tile<16x16xf32>) -> ()
    return
  }
}
