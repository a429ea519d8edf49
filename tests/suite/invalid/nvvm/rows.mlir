// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What the rows of nvvm reject, without rules of their own.

%a = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.barrier' op requires zero operands, but found 1}}
"nvvm.barrier"(%a) : (i32) -> ()

// -----

// expected-error@+1 {{'nvvm.barrier' op requires zero results, but found 1}}
%r = "nvvm.barrier"() : () -> i32

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.cp.async.commit.group' op requires zero operands, but found 1}}
"nvvm.cp.async.commit.group"(%a) : (i32) -> ()

// -----

// expected-error@+1 {{'nvvm.cp.async.commit.group' op requires zero results, but found 1}}
%r = "nvvm.cp.async.commit.group"() : () -> i32

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.griddepcontrol.wait' op requires zero operands, but found 1}}
"nvvm.griddepcontrol.wait"(%a) : (i32) -> ()

// -----

// expected-error@+1 {{'nvvm.griddepcontrol.wait' op requires zero results, but found 1}}
%r = "nvvm.griddepcontrol.wait"() : () -> i32

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.griddepcontrol.launch.dependents' op requires zero operands, but found 1}}
"nvvm.griddepcontrol.launch.dependents"(%a) : (i32) -> ()

// -----

// expected-error@+1 {{'nvvm.griddepcontrol.launch.dependents' op requires zero results, but found 1}}
%r = "nvvm.griddepcontrol.launch.dependents"() : () -> i32

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.trap' op requires zero operands, but found 1}}
"nvvm.trap"(%a) : (i32) -> ()

// -----

// expected-error@+1 {{'nvvm.trap' op requires zero results, but found 1}}
%r = "nvvm.trap"() : () -> i32

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.fence.proxy.alias' op requires zero operands, but found 1}}
"nvvm.fence.proxy.alias"(%a) : (i32) -> ()

// -----

// expected-error@+1 {{'nvvm.fence.proxy.alias' op requires zero results, but found 1}}
%r = "nvvm.fence.proxy.alias"() : () -> i32

// -----

// expected-error@+1 {{'nvvm.read.ptx.sreg.tid.x' op result #0 must be i32, but got 'i64'}}
%r = nvvm.read.ptx.sreg.tid.x : i64

// -----

// expected-error@+1 {{'nvvm.read.ptx.sreg.ctaid.x' op result #0 must be i32, but got 'i64'}}
%r = nvvm.read.ptx.sreg.ctaid.x : i64

// -----

// expected-error@+1 {{'nvvm.read.ptx.sreg.ctaid.y' op result #0 must be i32, but got 'i64'}}
%r = nvvm.read.ptx.sreg.ctaid.y : i64

// -----

// expected-error@+1 {{'nvvm.read.ptx.sreg.ctaid.z' op result #0 must be i32, but got 'i64'}}
%r = nvvm.read.ptx.sreg.ctaid.z : i64

// -----

// expected-error@+1 {{'nvvm.read.ptx.sreg.nctaid.x' op result #0 must be i32, but got 'i64'}}
%r = nvvm.read.ptx.sreg.nctaid.x : i64

// -----

// expected-error@+1 {{'nvvm.read.ptx.sreg.nctaid.y' op result #0 must be i32, but got 'i64'}}
%r = nvvm.read.ptx.sreg.nctaid.y : i64

// -----

// expected-error@+1 {{'nvvm.read.ptx.sreg.nctaid.z' op result #0 must be i32, but got 'i64'}}
%r = nvvm.read.ptx.sreg.nctaid.z : i64

// -----

// expected-error@+1 {{'nvvm.read.ptx.sreg.laneid' op result #0 must be i32, but got 'i64'}}
%r = nvvm.read.ptx.sreg.laneid : i64

// -----

// expected-error@+1 {{'nvvm.read.ptx.sreg.clusterid.x' op result #0 must be i32, but got 'i64'}}
%r = nvvm.read.ptx.sreg.clusterid.x : i64

// -----

// expected-error@+1 {{'nvvm.read.ptx.sreg.clusterid.y' op result #0 must be i32, but got 'i64'}}
%r = nvvm.read.ptx.sreg.clusterid.y : i64

// -----

// expected-error@+1 {{'nvvm.read.ptx.sreg.clusterid.z' op result #0 must be i32, but got 'i64'}}
%r = nvvm.read.ptx.sreg.clusterid.z : i64

// -----

// expected-error@+1 {{'nvvm.read.ptx.sreg.nclusterid.x' op result #0 must be i32, but got 'i64'}}
%r = nvvm.read.ptx.sreg.nclusterid.x : i64

// -----

// expected-error@+1 {{'nvvm.read.ptx.sreg.nclusterid.y' op result #0 must be i32, but got 'i64'}}
%r = nvvm.read.ptx.sreg.nclusterid.y : i64

// -----

// expected-error@+1 {{'nvvm.read.ptx.sreg.nclusterid.z' op result #0 must be i32, but got 'i64'}}
%r = nvvm.read.ptx.sreg.nclusterid.z : i64

// -----

// expected-error@+1 {{'nvvm.read.ptx.sreg.cluster_ctarank' op result #0 must be i32, but got 'i64'}}
%r = nvvm.read.ptx.sreg.cluster_ctarank : i64

// -----

// expected-error@+1 {{'nvvm.read.ptx.sreg.laneid' op requires one result, but found 0}}
"nvvm.read.ptx.sreg.laneid"() : () -> ()

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.lg2.approx' op operand #0 must be f16, bf16, f32 or f64, but got 'i32'}}
%r = nvvm.lg2.approx %a : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.lg2.approx' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for result #0}}
%r = "nvvm.lg2.approx"(%a) : (f32) -> f64

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.rcp.approx' op operand #0 must be f16, bf16, f32 or f64, but got 'i32'}}
%r = nvvm.rcp.approx %a : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.rcp.approx' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for result #0}}
%r = "nvvm.rcp.approx"(%a) : (f32) -> f64

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.sqrt.approx' op operand #0 must be f16, bf16, f32 or f64, but got 'i32'}}
%r = nvvm.sqrt.approx %a : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.sqrt.approx' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for result #0}}
%r = "nvvm.sqrt.approx"(%a) : (f32) -> f64

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.rsqrt.approx' op operand #0 must be f16, bf16, f32 or f64, but got 'i32'}}
%r = nvvm.rsqrt.approx %a : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.rsqrt.approx' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for result #0}}
%r = "nvvm.rsqrt.approx"(%a) : (f32) -> f64

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.sin.approx' op operand #0 must be f16, bf16, f32 or f64, but got 'i32'}}
%r = nvvm.sin.approx %a : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.sin.approx' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for result #0}}
%r = "nvvm.sin.approx"(%a) : (f32) -> f64

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.cos.approx' op operand #0 must be f16, bf16, f32 or f64, but got 'i32'}}
%r = nvvm.cos.approx %a : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.cos.approx' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for result #0}}
%r = "nvvm.cos.approx"(%a) : (f32) -> f64

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.tanh.approx' op operand #0 must be f16, bf16, f32 or f64, but got 'i32'}}
%r = nvvm.tanh.approx %a : i32

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.tanh.approx' op requires the same type for all operands and results, but got 'f32' for operand #0 and 'f64' for result #0}}
%r = "nvvm.tanh.approx"(%a) : (f32) -> f64

// -----

%a = "t.v"() : () -> i64
// expected-error@+1 {{'nvvm.mul.wide' op operand #0 must be i32, but got 'i64'}}
%r = "nvvm.mul.wide"(%a, %a) : (i64, i64) -> i64

// -----

%a, %b = "t.v"() : () -> (i32, i64)
// expected-error@+1 {{'nvvm.mad.lo' op requires factors of one type, but got 'i32' and 'i64'}}
%r = "nvvm.mad.lo"(%a, %b, %a) : (i32, i64, i32) -> i32

// -----

%a, %p = "t.v"() : () -> (i32, !nvvm.ptr<1>)
// expected-error@+1 {{'nvvm.mad.lo' op cannot add products of type 'i32' to '!nvvm.ptr<1>'}}
%r = nvvm.mad.lo %a, %a, %p : i32, i32, !nvvm.ptr<1>

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.add.f32x2' op expected 4 operands, the two of each of 2 pairs, but got 2}}
%l, %h = nvvm.add.f32x2 %a, %a

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.sub.f32x2' op expected 4 operands, the two of each of 2 pairs, but got 3}}
%l, %h = nvvm.sub.f32x2 %a, %a, %a

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.mul.f32x2' op expected 4 operands, the two of each of 2 pairs, but got 6}}
%l, %h = nvvm.mul.f32x2 %a, %a, %a, %a, %a, %a

// -----

%a = "t.v"() : () -> f32
// expected-error@+1 {{'nvvm.fma.f32x2' op expected 6 operands, the two of each of 3 pairs, but got 4}}
%l, %h = nvvm.fma.f32x2 %a, %a, %a, %a

// -----

%a = "t.v"() : () -> i32
// expected-error@+1 {{'nvvm.fma.sat' op operand #0 must be f16, bf16, f32 or f64, but got 'i32'}}
%r = nvvm.fma.sat %a, %a, %a : i32
