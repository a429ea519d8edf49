// RUN: tile-opt %s --lower-to=nvvm --gpu-name=sm_80 -O0 | FileCheck %s

// Truth values are bytes in shared memory. ldmatrix brings four of them in a word, which has to be taken apart as bytes.
// CHECK: %[[W:.*]]:4 = nvvm.ldmatrix
// CHECK: %[[B:.*]]:4 = nvvm.unpack %[[W]]#0 : i32 -> i8, i8, i8, i8
// CHECK: arith.trunci %[[B]]#0 : i8 to i1
entry @k(%in: tile<ptr<i32>>, %out: tile<ptr<i1>>, %n: tile<i32>) {
  %i = iota : tile<512xi32>
  %s = reshape %i : tile<512xi32> -> tile<64x4x2xi32>
  %q = reshape %in : tile<ptr<i32>> -> tile<1x1x1xptr<i32>>
  %p = broadcast %q : tile<1x1x1xptr<i32>> -> tile<64x4x2xptr<i32>>
  %ps = offset %p, %s : tile<64x4x2xptr<i32>>, tile<64x4x2xi32> -> tile<64x4x2xptr<i32>>
  %x, %t = load_ptr_tko weak %ps : tile<64x4x2xptr<i32>> -> tile<64x4x2xi32>, token
  %zero = constant <i32: 0> : tile<64x4x2xi32>
  %c = cmpi greater_than %x, %zero, signed : tile<64x4x2xi32> -> tile<64x4x2xi1>
  %k = constant <i32: 0> : tile<i32>
  %e = extract %c[%n, %k, %k] : tile<64x4x2xi1> -> tile<1x4x2xi1>
  %j = iota : tile<8xi32>
  %f = reshape %e : tile<1x4x2xi1> -> tile<8xi1>
  %o = reshape %out : tile<ptr<i1>> -> tile<1xptr<i1>>
  %os = broadcast %o : tile<1xptr<i1>> -> tile<8xptr<i1>>
  %oo = offset %os, %j : tile<8xptr<i1>>, tile<8xi32> -> tile<8xptr<i1>>
  %u = store_ptr_tko weak %oo, %f : tile<8xptr<i1>>, tile<8xi1> -> token
  return
}
