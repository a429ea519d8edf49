// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

%b = "t.v"() : () -> i64
// expected-error@+1 {{'nvvm.wgmma.mma_async' op takes A from registers or by a descriptor}}
%d:4 = nvvm.wgmma.mma_async by %b {shape = "m64n8k16", a_type = "f16", b_type = "f16", d_type = "f32"} -> f32, f32, f32, f32

// -----

%b = "t.v"() : () -> i64
// expected-error@+1 {{'nvvm.wgmma.mma_async' op shape must be as "m64n8k16", but got "64"}}
%d:4 = nvvm.wgmma.mma_async from %b by %b {shape = "64", a_type = "f16", b_type = "f16", d_type = "f32"} -> f32, f32, f32, f32

// -----

%b = "t.v"() : () -> i64
%c = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.wgmma.mma_async' op has 1 registers but 4 results}}
%d:4 = nvvm.wgmma.mma_async from %b by %b add %c : f32 {shape = "m64n8k16", a_type = "f16", b_type = "f16", d_type = "f32"} -> f32, f32, f32, f32

// -----

// expected-error@+1 {{'nvvm.wgmma.wait_group' op cannot leave -1 groups pending}}
nvvm.wgmma.wait_group -1

// -----

%c = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.wgmma.wait_group' op result #0 must have the type 'f32' of its register, but got 'i32'}}
%d = "nvvm.wgmma.wait_group"(%c) {count = 0 : i32} : (f32) -> i32

// -----

%c = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.wgmma.fence' op requires zero operands, but found 1}}
"nvvm.wgmma.fence"(%c) : (f32) -> ()

// -----

// expected-error@+1 {{'nvvm.wgmma.commit_group' op requires zero results, but found 1}}
%r = "nvvm.wgmma.commit_group"() : () -> i32
