// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%p: !nvvm.ptr<1>, %n: i64, %pitch: i64, %x: i32, %y: i32, %first: i1) attributes {nvvm.shared_bytes = 1024 : i32, nvvm.shared_align = 1024 : i32} {
  %from = nvvm.shared_base : !nvvm.ptr<3>
  %map = nvvm.tensormap.param %p sizes[%n, %n] strides[%pitch] box [64, 8] of 2 swizzle 128 {float = "f16"} : !nvvm.ptr<1> -> !nvvm.ptr<0>
  nvvm.cp.reduce.async.bulk.tensor add %map[%x, %y], %from if %first : !nvvm.ptr<0>, !nvvm.ptr<3>
  nvvm.cp.async.bulk.commit.group
  nvvm.return
}
