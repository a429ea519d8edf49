// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

%m = "t.v"() : () -> !nvvm.ptr<0>
%s = "t.v"() : () -> !nvvm.ptr<3>
%x = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.cp.async.bulk.tensor.load' op the mask of a multicast has a bit for each of 16 CTAs, and one at least, but got 65536}}
nvvm.cp.async.bulk.tensor.load %s, %m[%x], %s multicast 65536 : !nvvm.ptr<3>, !nvvm.ptr<0>, !nvvm.ptr<3>

// -----

%s = "t.v"() : () -> !nvvm.ptr<1>
%x = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.mbarrier.arrive.remote' op operand #0 must be}}
nvvm.mbarrier.arrive.remote %s of %x : !nvvm.ptr<1>, i32

// -----

%s = "t.v"() : () -> !nvvm.ptr<3>
// expected-error@+1 {{'nvvm.barrier.cluster' op}}
"nvvm.barrier.cluster"(%s) : (!nvvm.ptr<3>) -> ()

// -----

%s = "t.v"() : () -> !nvvm.ptr<1>
%x = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.mapa' op operand #0 must be}}
%p = nvvm.mapa %s of %x : !nvvm.ptr<1>, i32 -> !nvvm.ptr<7>
