// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What each operation of nvvm rejects.

// expected-error@+1 {{unknown type 'nosuch' in dialect 'nvvm'}}
%r = "t.v"() : () -> !nvvm.nosuch

// -----

// expected-error@+1 {{unknown address space 2}}
%r = "t.v"() : () -> !nvvm.ptr<2>

// -----

// expected-error@+1 {{'nvvm.func' op parameter #0 must be a number or a pointer, but got 'tensor<4xf32>'}}
nvvm.func @f(%x: tensor<4xf32>) {
  nvvm.return
}

// -----

// expected-error@+1 {{'nvvm.func' op must have a body}}
"nvvm.func"() <{sym_name = "f"}> ({
}) : () -> ()

// -----

// expected-error@+1 {{'nvvm.func' op nvvm.reqntid must have one to three extents, but got 0}}
nvvm.func @f() attributes {nvvm.reqntid = array<i32>} {
  nvvm.return
}

// -----

// expected-error@+1 {{'nvvm.func' op nvvm.reqntid extent #1 must be from 1 to 1024, but got 0}}
nvvm.func @f() attributes {nvvm.reqntid = array<i32: 32, 0>} {
  nvvm.return
}

// -----

// expected-error@+1 {{'nvvm.func' op nvvm.reqntid must be at most 1024 threads of a block, but got 2048}}
nvvm.func @f() attributes {nvvm.reqntid = array<i32: 64, 32>} {
  nvvm.return
}

// -----

// expected-error@+1 {{'nvvm.func' op nvvm.reqntid has 64 threads, but 'nv_tileaa.kernel_spec' says num_warps = 4}}
nvvm.func @f() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nvvm.reqntid = array<i32: 32, 2>} {
  nvvm.return
}

// -----

// expected-error@+1 {{'nvvm.func' op nvvm.cluster_dim must be at most 16 blocks of a cluster, but got 32}}
nvvm.func @f() attributes {nvvm.cluster_dim = array<i32: 4, 8>} {
  nvvm.return
}

// -----

// expected-error@+1 {{'nvvm.func' op nvvm.maxnreg must be from 1 to 255, but got 256}}
nvvm.func @f() attributes {nvvm.maxnreg = 256 : i32} {
  nvvm.return
}

// -----

// expected-error@+1 {{'nvvm.func' op nvvm.minctasm must be positive, but got 0}}
nvvm.func @f() attributes {nvvm.minctasm = 0 : i32} {
  nvvm.return
}

// -----

// expected-error@+1 {{'nvvm.func' op nvvm.shared_bytes must not be negative, but got -1}}
nvvm.func @f() attributes {nvvm.shared_bytes = -1 : i32} {
  nvvm.return
}

// -----

// expected-error@+1 {{'nvvm.func' op nvvm.param_aligns needs an entry for each of 2 parameters, but got 1}}
nvvm.func @f(%a: i32, %b: i32) attributes {nvvm.param_aligns = array<i64: 1>} {
  nvvm.return
}

// -----

// expected-error@+1 {{'nvvm.func' op nvvm.param_aligns entry #0 must be a power of two, but got 3}}
nvvm.func @f(%a: i32) attributes {nvvm.param_aligns = array<i64: 3>} {
  nvvm.return
}

// -----

// expected-error@+1 {{'nvvm.func' op attribute 'nvvm.reqntid' failed to satisfy constraint: i32 dense array attribute, but got 32 : i32}}
nvvm.func @f() attributes {nvvm.reqntid = 32 : i32} {
  nvvm.return
}

// -----

// expected-error@+1 {{'nvvm.return' op expects parent op 'nvvm.func', but got 'builtin.module'}}
nvvm.return

// -----

// expected-error@+1 {{'nvvm.read.ptx.sreg.tid.x' op result #0 must be i32, but got 'i64'}}
%r = nvvm.read.ptx.sreg.tid.x : i64

// -----

// expected-error@+1 {{'nvvm.shared_base' op result #0 must be pointer to shared memory, but got '!nvvm.ptr<1>'}}
%r = nvvm.shared_base : !nvvm.ptr<1>

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
%b = "t.v"() : () -> i64
// expected-error@+1 {{'nvvm.ptradd' op result must have the type '!nvvm.ptr<1>' of the base, but got '!nvvm.ptr<3>'}}
%r = "nvvm.ptradd"(%a, %b) : (!nvvm.ptr<1>, i64) -> !nvvm.ptr<3>

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
%b = "t.v"() : () -> i16
// expected-error@+1 {{'nvvm.ptradd' op operand #1 must be i32 or i64, but got 'i16'}}
%r = nvvm.ptradd %a, %b : !nvvm.ptr<1>, i16

// -----

%a = "t.v"() : () -> !nvvm.ptr<3>
// expected-error@+1 {{'nvvm.ptrtoint' op operand and result must be equally wide, but got 32 bits to 64}}
%r = nvvm.ptrtoint %a : !nvvm.ptr<3> -> i64

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.inttoptr' op operand and result must be equally wide, but got 32 bits to 64}}
%r = nvvm.inttoptr %a : i32 -> !nvvm.ptr<1>

// -----

// expected-error@+1 {{'nvvm.addressof' op result #0 must be pointer, but got 'i64'}}
%r = nvvm.addressof @x : i64

// -----

// expected-error@+1 {{'nvvm.global' op needs dense elements, but got 1 : i32}}
"nvvm.global"() <{sym_name = "g", value = 1 : i32}> : () -> ()

// -----

// expected-error@+1 {{'nvvm.global' op alignment must be a power of two, but got 6}}
nvvm.global @g = dense<1> : tensor<4xi32> {alignment = 6 : i64}

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
// expected-error@+1 {{'nvvm.ld' op accesses 1, 2, 4, 8, 16 or 32 values, but got 3}}
%r:3 = nvvm.ld %a : !nvvm.ptr<1> -> f32, f32, f32

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
// expected-error@+1 {{'nvvm.ld' op accesses 1, 2, 4, 8, 16 or 32 values, but got 0}}
"nvvm.ld"(%a) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!nvvm.ptr<1>) -> ()

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
// expected-error@+1 {{'nvvm.ld' op accesses at most 256 bits, but got 512}}
%r:8 = nvvm.ld %a : !nvvm.ptr<1> -> i64, i64, i64, i64, i64, i64, i64, i64

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
// expected-error@+1 {{'nvvm.ld' op values must all have one type, but got 'f32' and 'i32'}}
%r:2 = nvvm.ld %a : !nvvm.ptr<1> -> f32, i32

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
// expected-error@+1 {{'nvvm.ld' op result #0 must be variadic of number or pointer, but got 'tensor<4xf32>'}}
%r = nvvm.ld %a : !nvvm.ptr<1> -> tensor<4xf32>

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
%b = "t.v"() : () -> i1
// expected-error@+1 {{'nvvm.ld' op needs a value for each result in place of what a predicate keeps from loading: expected 1, but got 0}}
%r = "nvvm.ld"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (!nvvm.ptr<1>, i1) -> f32

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
%b = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.ld' op needs a value for each result in place of what a predicate keeps from loading: expected 0, but got 1}}
%r = "nvvm.ld"(%a, %b) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (!nvvm.ptr<1>, f32) -> f32

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
%b = "t.v"() : () -> i1
%c = "t.v"() : () -> f16
// expected-error@+1 {{'nvvm.ld' op other value #0 must have the type 'f32' of its result, but got 'f16'}}
%r = "nvvm.ld"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!nvvm.ptr<1>, i1, f16) -> f32

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
// expected-error@+1 {{'nvvm.ld' op memory ordering must be one of {weak, relaxed, acquire, volatile}, but got 'release'}}
%r = nvvm.ld %a {ordering = "release", scope = "gpu"} : !nvvm.ptr<1> -> f32

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
// expected-error@+1 {{'nvvm.ld' op a scope needs a memory ordering beyond weak and volatile, but got scope 'gpu'}}
%r = nvvm.ld %a {scope = "gpu"} : !nvvm.ptr<1> -> f32

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
// expected-error@+1 {{'nvvm.ld' op cache operator must be one of {ca, cg, cs, lu, cv, nc}, but got 'wb'}}
%r = nvvm.ld %a {cache = "wb"} : !nvvm.ptr<1> -> f32

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
%b = "t.v"() : () -> f32
%c = "t.v"() : () -> f32
%d = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.st' op accesses 1, 2, 4, 8, 16 or 32 values, but got 3}}
nvvm.st %a, %b, %c, %d : !nvvm.ptr<1>, f32, f32, f32

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
%b = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.st' op cache operator must be one of {wb, cg, cs, wt}, but got 'nc'}}
nvvm.st %a, %b {cache = "nc"} : !nvvm.ptr<1>, f32

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
%b = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.st' op memory ordering must be one of {weak, relaxed, release, volatile}, but got 'acquire'}}
nvvm.st %a, %b {ordering = "acquire", scope = "gpu"} : !nvvm.ptr<1>, f32

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
%b = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.atom' op 'min' is for integers only, but got 'f32'}}
%r = nvvm.atom min %a, %b {scope = "gpu"} : !nvvm.ptr<1>, f32

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
%b = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.red' op adds f32, f16 or bf16, but got 'i32'}}
nvvm.red %a, %b, %b {scope = "gpu"} : !nvvm.ptr<1>, i32, i32

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
%b = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.red' op adds 2, 4 or 8 values of at most 128 bits, but got 3 of 32}}
nvvm.red %a, %b, %b, %b {scope = "gpu"} : !nvvm.ptr<1>, f32, f32, f32

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
%b = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.red' op adds 2, 4 or 8 values of at most 128 bits, but got 8 of 32}}
nvvm.red %a, %b, %b, %b, %b, %b, %b, %b, %b {scope = "gpu"} : !nvvm.ptr<1>, f32, f32, f32, f32, f32, f32, f32, f32

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
%b = "t.v"() : () -> f32
%c = "t.v"() : () -> f16
// expected-error@+1 {{'nvvm.red' op values must all have one type, but got 'f32' and 'f16'}}
nvvm.red %a, %b, %c {scope = "gpu"} : !nvvm.ptr<1>, f32, f16

// -----

%a = "t.v"() : () -> !nvvm.ptr<3>
%b = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.red' op cannot access shared memory}}
nvvm.red %a, %b, %b {scope = "cta"} : !nvvm.ptr<3>, f32, f32

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
%b = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.red' op cannot have ordering 'acq_rel'}}
nvvm.red %a, %b, %b {scope = "gpu", ordering = "acq_rel"} : !nvvm.ptr<1>, f32, f32

// -----

%a = "t.v"() : () -> !nvvm.ptr<4>
%b = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.atom' op cannot access const memory}}
%r = nvvm.atom add %a, %b {scope = "gpu"} : !nvvm.ptr<4>, i32

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
%b = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.atom' op requires attribute 'scope'}}
%r = nvvm.atom add %a, %b : !nvvm.ptr<1>, i32

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
%b = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.atom' op cannot have ordering 'weak'}}
%r = nvvm.atom add %a, %b {scope = "gpu", ordering = "weak"} : !nvvm.ptr<1>, i32

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
%b = "t.v"() : () -> i32
%c = "t.v"() : () -> i64
// expected-error@+1 {{'nvvm.atom.cas' op requires the same type for the value and what memory is compared with, but got 'i32' and 'i64'}}
%r = nvvm.atom.cas %a, %b, %c {scope = "gpu"} : !nvvm.ptr<1>, i32, i64

// -----

%a = "t.v"() : () -> !nvvm.ptr<1>
%b = "t.v"() : () -> i32
%c = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.atom.cas' op result must have the type 'i32' of the value, but got 'i64'}}
%r = "nvvm.atom.cas"(%a, %b, %c) <{scope = "gpu", operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (!nvvm.ptr<1>, i32, i32) -> i64

// -----

// expected-error@+1 {{expected memory scope, one of {cta, cluster, gpu, sys}, but got 'grid'}}
nvvm.fence grid

// -----

// expected-error@+1 {{'nvvm.fence' op attribute 'scope' failed to satisfy constraint: memory scope, one of {cta, cluster, gpu, sys}, but got 1 : i32}}
"nvvm.fence"() <{scope = 1 : i32}> : () -> ()

// -----

%a = "t.v"() : () -> !nvvm.ptr<3>
%b = "t.v"() : () -> !nvvm.ptr<1>
// expected-error@+1 {{'nvvm.cp.async' op copies 4, 8 or 16 bytes, but got 12}}
nvvm.cp.async %a, %b {size = 12 : i32} : !nvvm.ptr<3>, !nvvm.ptr<1>

// -----

%a = "t.v"() : () -> !nvvm.ptr<3>
%b = "t.v"() : () -> !nvvm.ptr<3>
// expected-error@+1 {{'nvvm.cp.async' op cannot copy from shared memory}}
nvvm.cp.async %a, %b {size = 4 : i32} : !nvvm.ptr<3>, !nvvm.ptr<3>

// -----

%a = "t.v"() : () -> !nvvm.ptr<3>
%b = "t.v"() : () -> !nvvm.ptr<1>
// expected-error@+1 {{'nvvm.cp.async' op with cache operator 'cg' copies 16 bytes, but got 4}}
nvvm.cp.async %a, %b {size = 4 : i32, cache = "cg"} : !nvvm.ptr<3>, !nvvm.ptr<1>

// -----

%b = "t.v"() : () -> !nvvm.ptr<1>
// expected-error@+1 {{'nvvm.cp.async.mbarrier.arrive' op operand #0 must be}}
nvvm.cp.async.mbarrier.arrive %b : !nvvm.ptr<1>

// -----

// expected-error@+1 {{'nvvm.cp.async.wait.group' op requires attribute 'count'}}
"nvvm.cp.async.wait.group"() : () -> ()

// -----

%a = "t.v"() : () -> f16
// expected-error@+1 {{'nvvm.pack' op parts must have 32 bits together, but got 16}}
%r = nvvm.pack %a : f16 -> i32

// -----

%a = "t.v"() : () -> f16
%b = "t.v"() : () -> i16
// expected-error@+1 {{'nvvm.pack' op parts must all have one type, but got 'f16' and 'i16'}}
%r = nvvm.pack %a, %b : f16, i16 -> i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.pack' op operand #0 must be variadic of number of 8 or 16 bits, or i32, but got 'f32'}}
%r = nvvm.pack %a : f32 -> i32

// -----

%a = "t.v"() : () -> i16
// expected-error@+1 {{'nvvm.pack' op parts of 64 bits must be two, but got 4}}
%r = nvvm.pack %a, %a, %a, %a : i16, i16, i16, i16 -> i64

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.unpack' op parts must have 32 bits together, but got 24}}
%r:3 = nvvm.unpack %a : i32 -> i8, i8, i8

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.cvt.f16x2' op attribute 'type' failed to satisfy constraint: 8-bit float, one of {e4m3, e5m2}, but got "e2m1"}}
%r:2 = "nvvm.cvt.f16x2"(%a) {type = "e2m1"} : (i32) -> (i32, i32)

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.cvt.e2m1x2' op result #0 must be i8, but got 'i16'}}
%r = "nvvm.cvt.e2m1x2"(%a, %a) : (f32, f32) -> i16

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.shfl.sync' op result must have the type 'f32' of the value, but got 'i32'}}
%r = "nvvm.shfl.sync"(%a, %b) <{mode = "idx"}> : (f32, i32) -> i32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.shfl.sync' op segment 24 must be a mask of lane bits, in mode idx}}
%r = nvvm.shfl.sync up %a, %b {segment = 24 : i32} : f32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.shfl.sync' op segment 32 must be a mask of lane bits, in mode idx}}
%r = nvvm.shfl.sync idx %a, %b {segment = 32 : i32} : f32

// -----

%a = "t.v"() : () -> f32
%b = "t.v"() : () -> i32
// expected-error@+1 {{expected shuffle mode, one of {idx, up, down, bfly}, but got 'left'}}
%r = nvvm.shfl.sync left %a, %b : f32

// -----

%a = "t.v"() : () -> f64
%b = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.shfl.sync' op operand #0 must be i32 or f32, but got 'f64'}}
%r = nvvm.shfl.sync idx %a, %b : f64

// -----

%a = "t.v"() : () -> !nvvm.ptr<3>
// expected-error@+1 {{'nvvm.ldmatrix' op loads 1, 2 or 4 matrices, but got 3}}
%r:3 = nvvm.ldmatrix %a : !nvvm.ptr<3> -> i32, i32, i32

// -----

%a, %b = "t.v"() : () -> (!nvvm.ptr<3>, i32)
// expected-error@+1 {{'nvvm.stmatrix' op stores 1, 2 or 4 matrices, but got 3}}
nvvm.stmatrix %a, %b, %b, %b : !nvvm.ptr<3>, i32, i32, i32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.mma.sync' op shape must be as "m16n8k16", but got "16x8x8"}}
%r = nvvm.mma.sync [%a], [%a], [%b] {shape = "16x8x8", a_type = "f16", b_type = "f16", d_type = "f32"} : i32, i32, f32

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.mma.sync' op needs registers of 'c'}}
nvvm.mma.sync [%a], [%a], [] {shape = "m16n8k8", a_type = "f16", b_type = "f16", d_type = "f32"} : i32, i32, f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i64
%c = "t.v"() : () -> i32
%d = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.mma.sync' op registers of 'a' must all have one type, but got 'i32' and 'i64'}}
%r = "nvvm.mma.sync"(%a, %b, %c, %d) <{operandSegmentSizes = array<i32: 2, 1, 1>, shape = "m16n8k8", a_type = "f16", b_type = "f16", d_type = "f32"}> : (i32, i64, i32, f32) -> f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
%c = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.mma.sync' op has 1 accumulator registers but 0 results}}
"nvvm.mma.sync"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1>, shape = "m16n8k8", a_type = "f16", b_type = "f16", d_type = "f32"}> : (i32, i32, f32) -> ()

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> i32
%c = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.mma.sync' op result #0 must have the type 'f32' of its accumulator, but got 'i32'}}
%r = "nvvm.mma.sync"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1>, shape = "m16n8k8", a_type = "f16", b_type = "f16", d_type = "f32"}> : (i32, i32, f32) -> i32

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{expected the register types of a, b and c, but got 2 types}}
%r = nvvm.mma.sync [%a], [%a], [%a] {shape = "m16n8k8", a_type = "f16", b_type = "f16", d_type = "f32"} : i32, i32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> f32
// expected-error@+1 {{expected the register types of a, b, c, a_scale and b_scale, but got 3 types}}
%r = nvvm.mma.sync.block_scale [%a], [%a], [%b], [%a], [%a] {shape = "m16n8k32", a_type = "e4m3", b_type = "e4m3", d_type = "f32", scale_type = "ue8m0", scale_block = 32 : i64, a_select = array<i64: 0, 1>, b_select = array<i64: 0, 3>} : i32, i32, f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.mma.sync.block_scale' op needs one register of 'a_scale', of type 'i32'}}
%r = nvvm.mma.sync.block_scale [%a], [%a], [%b], [%a, %a], [%a] {shape = "m16n8k32", a_type = "e4m3", b_type = "e4m3", d_type = "f32", scale_type = "ue8m0", scale_block = 32 : i64, a_select = array<i64: 0, 1>, b_select = array<i64: 0, 3>} : i32, i32, f32, i32, i32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.mma.sync.block_scale' op needs one register of 'b_scale', of type 'i32'}}
%r = nvvm.mma.sync.block_scale [%a], [%a], [%b], [%a], [%b] {shape = "m16n8k32", a_type = "e4m3", b_type = "e4m3", d_type = "f32", scale_type = "ue8m0", scale_block = 32 : i64, a_select = array<i64: 0, 1>, b_select = array<i64: 0, 3>} : i32, i32, f32, i32, f32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.mma.sync.block_scale' op 'a_select' must be a byte from 0 to 3 and a number of threads from 0 to 1}}
%r = nvvm.mma.sync.block_scale [%a], [%a], [%b], [%a], [%a] {shape = "m16n8k32", a_type = "e4m3", b_type = "e4m3", d_type = "f32", scale_type = "ue8m0", scale_block = 32 : i64, a_select = array<i64: 0, 2>, b_select = array<i64: 0, 3>} : i32, i32, f32, i32, i32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.mma.sync.block_scale' op 'b_select' must be a byte from 0 to 3 and a number of threads from 0 to 3}}
%r = nvvm.mma.sync.block_scale [%a], [%a], [%b], [%a], [%a] {shape = "m16n8k32", a_type = "e4m3", b_type = "e4m3", d_type = "f32", scale_type = "ue8m0", scale_block = 32 : i64, a_select = array<i64: 0, 1>, b_select = array<i64: 4, 0>} : i32, i32, f32, i32, i32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.mma.sync.block_scale' op 'b_select' must be a byte from 0 to 3 and a number of threads from 0 to 3}}
%r = nvvm.mma.sync.block_scale [%a], [%a], [%b], [%a], [%a] {shape = "m16n8k32", a_type = "e4m3", b_type = "e4m3", d_type = "f32", scale_type = "ue8m0", scale_block = 32 : i64, a_select = array<i64: 0, 1>, b_select = array<i64: 1>} : i32, i32, f32, i32, i32

// -----

%a = "t.v"() : () -> i32
%b = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.mma.sync.block_scale' op 'scale_block' must be 16 or 32, but got 8}}
%r = nvvm.mma.sync.block_scale [%a], [%a], [%b], [%a], [%a] {shape = "m16n8k32", a_type = "e4m3", b_type = "e4m3", d_type = "f32", scale_type = "ue8m0", scale_block = 8 : i64, a_select = array<i64: 0, 1>, b_select = array<i64: 0, 3>} : i32, i32, f32, i32, i32

// -----

%a = "t.v"() : () -> tf32
// expected-error@+1 {{'nvvm.ex2.approx' op operand #0 must be f16, bf16, f32 or f64, but got 'tf32'}}
%r = nvvm.ex2.approx %a : tf32

// -----

// expected-error@+1 {{'nvvm.call' op needs the name of a function}}
%r = nvvm.call ""() -> i32

// -----

// expected-error@+1 {{'nvvm.local_alloc' op result must be an address of local memory, but got one of global memory}}
%r = nvvm.local_alloc 16 align 8 : !nvvm.ptr<1>

// -----

// expected-error@+1 {{'nvvm.local_alloc' op size must be positive, but got 0}}
%r = nvvm.local_alloc 0 align 8 : !nvvm.ptr<5>

// -----

// expected-error@+1 {{'nvvm.local_alloc' op alignment must be a power of two up to 128, but got 3}}
%r = nvvm.local_alloc 8 align 3 : !nvvm.ptr<5>

// -----

%a = "t.v"() : () -> !nvvm.ptr<5>
// expected-error@+1 {{'nvvm.addrspacecast' op result must be a generic address, but got one of global memory}}
%r = nvvm.addrspacecast %a : !nvvm.ptr<5> -> !nvvm.ptr<1>

// -----

// expected-error@+1 {{'nvvm.global' op alignment must be at least the 8 bytes of an element, but got 4}}
nvvm.global @g = dense<1> : tensor<4xi64> {alignment = 4 : i64}

// -----

%a = "t.v"() : () -> !nvvm.ptr<0>
// expected-error@+1 {{'nvvm.call' op of 'vprintf' needs 2 arguments and 1 results, but got 3 and 1}}
%r = nvvm.call "vprintf"(%a, %a, %a) : !nvvm.ptr<0>, !nvvm.ptr<0>, !nvvm.ptr<0> -> i32
