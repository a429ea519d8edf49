// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

%p, %n = "t.v"() : () -> (!nvvm.ptr<1>, i64)
// expected-error@+1 {{'nvvm.tensormap.param' op needs from 1 to 5 sizes, a stride less, and as many extents of a box, but got 2, 2 and 2}}
%m = nvvm.tensormap.param %p sizes[%n, %n] strides[%n, %n] box [64, 8] of 2 : !nvvm.ptr<1> -> !nvvm.ptr<0>

// -----

%p, %n = "t.v"() : () -> (!nvvm.ptr<1>, i64)
// expected-error@+1 {{'nvvm.tensormap.param' op a box has from 1 to 256 elements along each dimension, but got [512]}}
%m = nvvm.tensormap.param %p sizes[%n] strides[] box [512] of 2 : !nvvm.ptr<1> -> !nvvm.ptr<0>

// -----

%p, %n = "t.v"() : () -> (!nvvm.ptr<1>, i64)
// expected-error@+1 {{'nvvm.tensormap.param' op elements have 1, 2, 4 or 8 bytes, but got 3}}
%m = nvvm.tensormap.param %p sizes[%n] strides[] box [64] of 3 : !nvvm.ptr<1> -> !nvvm.ptr<0>

// -----

%p, %n = "t.v"() : () -> (!nvvm.ptr<1>, i64)
// expected-error@+1 {{'nvvm.tensormap.param' op a swizzle is over 32, 64 or 128 bytes, but got 16}}
%m = nvvm.tensormap.param %p sizes[%n] strides[] box [8] of 2 swizzle 16 : !nvvm.ptr<1> -> !nvvm.ptr<0>

// -----

%m, %s, %x = "t.v"() : () -> (!nvvm.ptr<0>, !nvvm.ptr<3>, i32)
// expected-error@+1 {{'nvvm.cp.async.bulk.tensor.store' op needs from 1 to 5 coordinates, but got 6}}
nvvm.cp.async.bulk.tensor.store %m[%x, %x, %x, %x, %x, %x], %s : !nvvm.ptr<0>, !nvvm.ptr<3>

// -----

// expected-error@+1 {{'nvvm.func' op nvvm.shared_align must be a power of two up to 1024, but got 48}}
nvvm.func @f() attributes {nvvm.shared_align = 48 : i32} {
  nvvm.return
}

// -----

%m, %s = "t.v"() : () -> (!nvvm.ptr<0>, !nvvm.ptr<3>)
// expected-error@+1 {{'nvvm.cp.async.bulk.tensor.load' op needs from 1 to 5 coordinates, but got 0}}
nvvm.cp.async.bulk.tensor.load %s, %m[], %s : !nvvm.ptr<3>, !nvvm.ptr<0>, !nvvm.ptr<3>

// -----

%m, %s, %x = "t.v"() : () -> (!nvvm.ptr<0>, !nvvm.ptr<3>, i32)
// expected-error@+1 {{'nvvm.cp.async.bulk.tensor.load' op needs the first coordinate along rows and the numbers of four, and gathers for one CTA}}
nvvm.cp.async.bulk.tensor.load %s, %m[%x, %x], %s gather4 : !nvvm.ptr<3>, !nvvm.ptr<0>, !nvvm.ptr<3>

// -----

%p, %s, %x = "t.v"() : () -> (!nvvm.ptr<1>, !nvvm.ptr<3>, i32)
// expected-error@+1 {{'nvvm.tensormap.make' op a box has from 1 to 256 elements along each dimension, but got [0]}}
nvvm.tensormap.make %s, %p sizes[%x] strides[] box [0] of 4 : !nvvm.ptr<3>, !nvvm.ptr<1>

// -----

%p = "t.v"() : () -> i64
// expected-error@+1 {{'nvvm.fence.proxy.tensormap.acquire' op operand #0 must be pointer, but got 'i64'}}
nvvm.fence.proxy.tensormap.acquire %p : i64

// -----

%p = "t.v"() : () -> !nvvm.ptr<1>
// expected-error@+1 {{'nvvm.tensormap.take_slot' op slots come in words of 32, but got 48}}
%slot = nvvm.tensormap.take_slot %p of 48 with 1 per sm : !nvvm.ptr<1> -> i32

// -----

%p = "t.v"() : () -> !nvvm.ptr<1>
// expected-error@+1 {{'nvvm.tensormap.take_slot' op an SM has at least one slot, but got 0}}
%slot = nvvm.tensormap.take_slot %p of 64 with 0 per sm : !nvvm.ptr<1> -> i32

// -----

%p, %s = "t.v"() : () -> (!nvvm.ptr<1>, !nvvm.ptr<1>)
// expected-error@+1 {{'nvvm.tensormap.release' op operand #1 must be pointer to shared memory, but got '!nvvm.ptr<1>'}}
nvvm.tensormap.release %p, %s : !nvvm.ptr<1>, !nvvm.ptr<1>

// -----

%p, %slot = "t.v"() : () -> (!nvvm.ptr<1>, i64)
// expected-error@+1 {{'nvvm.tensormap.give_slot' op operand #1 must be i32, but got 'i64'}}
nvvm.tensormap.give_slot %p, %slot : !nvvm.ptr<1>, i64

// -----

%p, %n = "t.v"() : () -> (!nvvm.ptr<1>, i64)
// expected-error@+1 {{'nvvm.tensormap.param' op elements that are rounded have 4 bytes, but got 2}}
%m = nvvm.tensormap.param %p sizes[%n] strides[] box [64] of 2 {rounded} : !nvvm.ptr<1> -> !nvvm.ptr<0>

// -----

%m, %s, %x = "t.v"() : () -> (!nvvm.ptr<0>, !nvvm.ptr<3>, i32)
// expected-error@+1 {{'nvvm.cp.reduce.async.bulk.tensor' op needs from 1 to 5 coordinates, but got 6}}
nvvm.cp.reduce.async.bulk.tensor add %m[%x, %x, %x, %x, %x, %x], %s : !nvvm.ptr<0>, !nvvm.ptr<3>

// -----

%p, %n = "t.v"() : () -> (!nvvm.ptr<1>, i64)
// expected-error@+1 {{'nvvm.tensormap.param' op elements of type 'f16' do not have 4 bytes}}
%m = nvvm.tensormap.param %p sizes[%n] strides[] box [8] of 4 {float = "f16"} : !nvvm.ptr<1> -> !nvvm.ptr<0>
