// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

%b = "t.v"() : () -> !nvvm.ptr<3>
// expected-error@+1 {{'nvvm.mbarrier.init' op count of arrivals must be from 1 to 1048575, but got 0}}
nvvm.mbarrier.init %b, 0 : !nvvm.ptr<3>

// -----

%b = "t.v"() : () -> !nvvm.ptr<3>
%p = "t.v"() : () -> !nvvm.ptr<1>
// expected-error@+1 {{'nvvm.cp.async.bulk.load' op copies a multiple of 16 bytes, but got 8}}
nvvm.cp.async.bulk.load %b, %p, %b {size = 8 : i32} : !nvvm.ptr<3>, !nvvm.ptr<1>, !nvvm.ptr<3>

// -----

%b = "t.v"() : () -> !nvvm.ptr<3>
%p = "t.v"() : () -> !nvvm.ptr<0>
// expected-error@+1 {{'nvvm.cp.async.bulk.store' op must have its other side in global memory, but got generic memory}}
nvvm.cp.async.bulk.store %p, %b {size = 16 : i32} : !nvvm.ptr<0>, !nvvm.ptr<3>

// -----

// expected-error@+1 {{'nvvm.fence.mbarrier.init' op requires zero results, but found 1}}
%r = "nvvm.fence.mbarrier.init"() : () -> i32

// -----

// expected-error@+1 {{'nvvm.fence.proxy.async' op requires zero results, but found 1}}
%r = "nvvm.fence.proxy.async"() : () -> i32

// -----

// expected-error@+1 {{'nvvm.fence.proxy.async.global' op requires zero results, but found 1}}
%r = "nvvm.fence.proxy.async.global"() : () -> i32

// -----

// expected-error@+1 {{'nvvm.cp.async.bulk.commit.group' op requires zero results, but found 1}}
%r = "nvvm.cp.async.bulk.commit.group"() : () -> i32

// -----

// expected-error@+1 {{'nvvm.cp.async.bulk.wait.group' op requires attribute 'count'}}
"nvvm.cp.async.bulk.wait.group"() : () -> ()

// -----

%b = "t.v"() : () -> !nvvm.ptr<1>
// expected-error@+1 {{'nvvm.mbarrier.arrive' op operand #0 must be pointer to shared memory, but got '!nvvm.ptr<1>'}}
nvvm.mbarrier.arrive %b : !nvvm.ptr<1>

// -----

%b = "t.v"() : () -> !nvvm.ptr<3>
%p = "t.v"() : () -> i64
// expected-error@+1 {{'nvvm.mbarrier.wait.parity' op operand #1 must be i32, but got 'i64'}}
nvvm.mbarrier.wait.parity %b, %p : !nvvm.ptr<3>, i64

// -----

%b = "t.v"() : () -> !nvvm.ptr<3>
// expected-error@+1 {{'nvvm.mbarrier.inval' op requires zero results, but found 1}}
%r = "nvvm.mbarrier.inval"(%b) : (!nvvm.ptr<3>) -> i32

// -----

// expected-error@+1 {{'nvvm.elect.sync' op result #0 must be i1, but got 'i32'}}
%r = "nvvm.elect.sync"() : () -> i32

// -----

%c = arith.constant 1 : i32
// expected-error@+1 {{'nvvm.vote.any.sync' op operand #0 must be i1, but got 'i32'}}
%r = "nvvm.vote.any.sync"(%c) : (i32) -> i1
