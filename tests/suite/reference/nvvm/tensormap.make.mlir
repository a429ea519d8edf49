// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%p: !nvvm.ptr<1>, %maps: !nvvm.ptr<1>, %rows: i32, %columns: i32, %pitch: i64) attributes {nvvm.shared_bytes = 128 : i32} {
  %scratch = nvvm.shared_base : !nvvm.ptr<3>
  // As tensormap.param, in memory that the program has; the pitch is in bytes.
  nvvm.tensormap.make %scratch, %p sizes[%columns, %rows] strides[%pitch] box [64, 128] of 2 swizzle 128 : !nvvm.ptr<3>, !nvvm.ptr<1>
  nvvm.tensormap.release %maps, %scratch : !nvvm.ptr<1>, !nvvm.ptr<3>
  nvvm.return
}
