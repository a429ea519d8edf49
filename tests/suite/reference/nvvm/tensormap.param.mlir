// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%p: !nvvm.ptr<1>, %rows: i64, %columns: i64, %pitch: i64) {
  // A matrix of f16, row by row, of which copies take 128 rows of 64 elements. The launcher passes the map behind the four parameters.
  %map = nvvm.tensormap.param %p sizes[%columns, %rows] strides[%pitch] box [64, 128] of 2 swizzle 128 : !nvvm.ptr<1> -> !nvvm.ptr<0>
  nvvm.return
}
