// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%p: !nvvm.ptr<1>, %maps: !nvvm.ptr<1>, %columns: i32) attributes {nvvm.shared_bytes = 128 : i32} {
  %scratch = nvvm.shared_base : !nvvm.ptr<3>
  nvvm.tensormap.make %scratch, %p sizes[%columns] strides[] box [64] of 2 : !nvvm.ptr<3>, !nvvm.ptr<1>
  nvvm.tensormap.release %maps, %scratch : !nvvm.ptr<1>, !nvvm.ptr<3>
  nvvm.return
}
