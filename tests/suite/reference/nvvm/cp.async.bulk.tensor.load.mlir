// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%p: !nvvm.ptr<1>, %n: i64, %pitch: i64, %x: i32, %y: i32, %first: i1) attributes {nvvm.shared_bytes = 2064 : i32, nvvm.shared_align = 1024 : i32} {
  %bar = nvvm.shared_base : !nvvm.ptr<3>
  %at = arith.constant 1024 : i32
  %to = nvvm.ptradd %bar, %at : !nvvm.ptr<3>, i32
  %map = nvvm.tensormap.param %p sizes[%n, %n] strides[%pitch] box [64, 8] of 2 swizzle 128 : !nvvm.ptr<1> -> !nvvm.ptr<0>
  // 8 rows from row y on, of 64 elements from column x on.
  nvvm.cp.async.bulk.tensor.load %to, %map[%x, %y], %bar if %first : !nvvm.ptr<3>, !nvvm.ptr<0>, !nvvm.ptr<3>
  nvvm.return
}
