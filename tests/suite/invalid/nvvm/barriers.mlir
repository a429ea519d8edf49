// RUN: tile-opt %s --split-input-file --verify-diagnostics

nvvm.func @k() {
  // expected-error@+1 {{'nvvm.barrier' op must have both an id and the number of threads that meet there, or neither}}
  nvvm.barrier id 1
  nvvm.return
}

// -----

nvvm.func @k() {
  // expected-error@+1 {{'nvvm.barrier' op id must be from 1 to 15, but got 16}}
  nvvm.barrier id 16 threads 64
  nvvm.return
}

// -----

nvvm.func @k() {
  // expected-error@+1 {{'nvvm.barrier.arrive' op must be of a multiple of 32 threads, at most 1024, but got 33}}
  nvvm.barrier.arrive id 1 threads 33
  nvvm.return
}

// -----

nvvm.func @k() {
  // expected-error@+1 {{'nvvm.setmaxnreg' op must ask for a multiple of 8 from 24 to 256 registers, but got 44}}
  nvvm.setmaxnreg 44
  nvvm.return
}

// -----

// expected-error@+1 {{'nvvm.bar.warp.sync' op requires zero results, but found 1}}
%r = "nvvm.bar.warp.sync"() : () -> i32
