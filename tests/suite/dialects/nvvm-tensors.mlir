// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: nvvm.func @tensors(
// CHECK-SAME: nvvm.shared_align = 1024 : i32
nvvm.func @tensors(%p: !nvvm.ptr<1>, %n: i64, %x: i32, %yes: i1) attributes {nvvm.shared_bytes = 4096 : i32, nvvm.shared_align = 1024 : i32} {
  %s = nvvm.shared_base : !nvvm.ptr<3>
  // CHECK: %m = nvvm.tensormap.param %p sizes[%n, %n] strides[%n] box [64, 8] of 2 swizzle 128 : !nvvm.ptr<1> -> !nvvm.ptr<0>
  %m = nvvm.tensormap.param %p sizes[%n, %n] strides[%n] box [64, 8] of 2 swizzle 128 : !nvvm.ptr<1> -> !nvvm.ptr<0>
  // CHECK: %v = nvvm.tensormap.param %p sizes[%n] strides[] box [64] of 4 : !nvvm.ptr<1> -> !nvvm.ptr<0>
  %v = nvvm.tensormap.param %p sizes[%n] strides[] box [64] of 4 : !nvvm.ptr<1> -> !nvvm.ptr<0>
  // CHECK: nvvm.tensormap.param %p sizes[%n] strides[] box [32] of 4 {rounded} : !nvvm.ptr<1> -> !nvvm.ptr<0>
  %rounding = nvvm.tensormap.param %p sizes[%n] strides[] box [32] of 4 {rounded} : !nvvm.ptr<1> -> !nvvm.ptr<0>
  // CHECK: nvvm.tensormap.make %s, %p sizes[%x] strides[] box [32] of 4 swizzle 128 {rounded} :
  nvvm.tensormap.make %s, %p sizes[%x] strides[] box [32] of 4 swizzle 128 {rounded} : !nvvm.ptr<3>, !nvvm.ptr<1>
  // CHECK: nvvm.cp.async.bulk.tensor.load %s + 1024, %m[%x, %x], %s if %yes : !nvvm.ptr<3>, !nvvm.ptr<0>, !nvvm.ptr<3>
  nvvm.cp.async.bulk.tensor.load %s + 1024, %m[%x, %x], %s if %yes : !nvvm.ptr<3>, !nvvm.ptr<0>, !nvvm.ptr<3>
  // CHECK: nvvm.cp.async.bulk.tensor.load %s, %m[%x, %x, %x, %x, %x], %s gather4 if %yes :
  nvvm.cp.async.bulk.tensor.load %s, %m[%x, %x, %x, %x, %x], %s gather4 if %yes : !nvvm.ptr<3>, !nvvm.ptr<0>, !nvvm.ptr<3>
  // CHECK: nvvm.cp.async.bulk.tensor.load %s, %v[%x], %s multicast 3 if %yes : !nvvm.ptr<3>
  nvvm.cp.async.bulk.tensor.load %s, %v[%x], %s multicast 3 if %yes : !nvvm.ptr<3>, !nvvm.ptr<0>, !nvvm.ptr<3>
  // CHECK: nvvm.cp.async.bulk.tensor.load %s, %v[%x], %s : !nvvm.ptr<3>, !nvvm.ptr<0>, !nvvm.ptr<3>
  nvvm.cp.async.bulk.tensor.load %s, %v[%x], %s : !nvvm.ptr<3>, !nvvm.ptr<0>, !nvvm.ptr<3>
  %far = nvvm.mapa %s of %x : !nvvm.ptr<3>, i32 -> !nvvm.ptr<7>
  // CHECK: nvvm.cp.async.bulk.tensor.load %s, %v[%x], %far if %yes {two_ctas} : !nvvm.ptr<3>, !nvvm.ptr<0>, !nvvm.ptr<7>
  nvvm.cp.async.bulk.tensor.load %s, %v[%x], %far if %yes {two_ctas} : !nvvm.ptr<3>, !nvvm.ptr<0>, !nvvm.ptr<7>
  // CHECK: nvvm.cp.async.bulk.tensor.store %m[%x, %x], %s + 2048 if %yes : !nvvm.ptr<0>, !nvvm.ptr<3>
  nvvm.cp.async.bulk.tensor.store %m[%x, %x], %s + 2048 if %yes : !nvvm.ptr<0>, !nvvm.ptr<3>
  // CHECK: nvvm.cp.async.bulk.tensor.store %v[%x], %s : !nvvm.ptr<0>, !nvvm.ptr<3>
  nvvm.cp.async.bulk.tensor.store %v[%x], %s : !nvvm.ptr<0>, !nvvm.ptr<3>
  // CHECK: %halves = nvvm.tensormap.param %p sizes[%n] strides[] box [32] of 2 {float = "f16"} : !nvvm.ptr<1> -> !nvvm.ptr<0>
  %halves = nvvm.tensormap.param %p sizes[%n] strides[] box [32] of 2 {float = "f16"} : !nvvm.ptr<1> -> !nvvm.ptr<0>
  // CHECK: nvvm.tensormap.make %s, %p sizes[%x] strides[] box [32] of 4 swizzle 128 {float = "f32"} : !nvvm.ptr<3>, !nvvm.ptr<1>
  nvvm.tensormap.make %s, %p sizes[%x] strides[] box [32] of 4 swizzle 128 {float = "f32"} : !nvvm.ptr<3>, !nvvm.ptr<1>
  // CHECK: nvvm.cp.reduce.async.bulk.tensor add %m[%x, %x], %s + 2048 if %yes : !nvvm.ptr<0>, !nvvm.ptr<3>
  nvvm.cp.reduce.async.bulk.tensor add %m[%x, %x], %s + 2048 if %yes : !nvvm.ptr<0>, !nvvm.ptr<3>
  // CHECK: nvvm.cp.reduce.async.bulk.tensor umax %v[%x], %s : !nvvm.ptr<0>, !nvvm.ptr<3>
  nvvm.cp.reduce.async.bulk.tensor umax %v[%x], %s : !nvvm.ptr<0>, !nvvm.ptr<3>
  // CHECK: nvvm.tensormap.make %s, %p sizes[%x, %x] strides[%n] box [64, 8] of 2 swizzle 128 : !nvvm.ptr<3>, !nvvm.ptr<1>
  nvvm.tensormap.make %s, %p sizes[%x, %x] strides[%n] box [64, 8] of 2 swizzle 128 : !nvvm.ptr<3>, !nvvm.ptr<1>
  // CHECK: nvvm.tensormap.make %s, %p sizes[%x] strides[] box [64] of 4 : !nvvm.ptr<3>, !nvvm.ptr<1>
  nvvm.tensormap.make %s, %p sizes[%x] strides[] box [64] of 4 : !nvvm.ptr<3>, !nvvm.ptr<1>
  // CHECK: nvvm.tensormap.release %p, %s : !nvvm.ptr<1>, !nvvm.ptr<3>
  nvvm.tensormap.release %p, %s : !nvvm.ptr<1>, !nvvm.ptr<3>
  // CHECK: nvvm.fence.proxy.tensormap.acquire %p : !nvvm.ptr<1>
  nvvm.fence.proxy.tensormap.acquire %p : !nvvm.ptr<1>
  // CHECK: nvvm.fence.proxy.tensormap.acquire %p if %yes : !nvvm.ptr<1>
  nvvm.fence.proxy.tensormap.acquire %p if %yes : !nvvm.ptr<1>
  // CHECK: %slot = nvvm.tensormap.take_slot %p of 64 with 2 per sm : !nvvm.ptr<1> -> i32
  %slot = nvvm.tensormap.take_slot %p of 64 with 2 per sm : !nvvm.ptr<1> -> i32
  // CHECK: nvvm.tensormap.give_slot %p, %slot : !nvvm.ptr<1>, i32
  nvvm.tensormap.give_slot %p, %slot : !nvvm.ptr<1>, i32
  // CHECK: nvvm.tensormap.give_slot %p, %slot if %yes : !nvvm.ptr<1>, i32
  nvvm.tensormap.give_slot %p, %slot if %yes : !nvvm.ptr<1>, i32
  nvvm.return
}
