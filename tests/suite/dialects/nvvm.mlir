// RUN: tile-opt %s | tile-opt - | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt - | FileCheck %s

// Every operation of nvvm, with every optional clause, in both forms.

// CHECK-LABEL: nvvm.global @table = dense<[1, 2]> : tensor<2xi32>
nvvm.global @table = dense<[1, 2]> : tensor<2xi32>
// CHECK-LABEL: nvvm.global @aligned = dense<0.000000e+00> : tensor<4xf32> {alignment = 128 : i64}
nvvm.global @aligned = dense<0.000000e+00> : tensor<4xf32> {alignment = 128 : i64}

// CHECK-LABEL: nvvm.func @bare() {
nvvm.func @bare() {
  // CHECK: nvvm.return
  nvvm.return
}

// The kernel spec stays beside the directives that were made of it. Where warps had roles they need not be a power of two.
// CHECK-LABEL: nvvm.func @spec() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 3, persistent>, nvvm.reqntid = array<i32: 96>} {
nvvm.func @spec() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 3, persistent>, nvvm.reqntid = array<i32: 96>} {
  nvvm.return
}

// CHECK-LABEL: nvvm.func @clustered() attributes {nvvm.maxclusterrank = 8 : i32, nvvm.blocksareclusters} {
nvvm.func @clustered() attributes {nvvm.maxclusterrank = 8 : i32, nvvm.blocksareclusters} {
  nvvm.return
}

// CHECK-LABEL: nvvm.func @bounds(%a: !nvvm.ptr<1>, %b: i1, %c: i8, %d: i16, %e: f16, %f: bf16, %g: f8E4M3FN) attributes {nvvm.reqntid = array<i32: 32, 4, 1>, nvvm.minctasm = 2 : i32, nvvm.maxnreg = 128 : i32, nvvm.cluster_dim = array<i32: 2>, nvvm.shared_bytes = 4096 : i32, nvvm.param_aligns = array<i64: 16, 1, 1, 1, 1, 1, 1>, note = "kept"} {
nvvm.func @bounds(%a: !nvvm.ptr<1>, %b: i1, %c: i8, %d: i16, %e: f16, %f: bf16, %g: f8E4M3FN) attributes {nvvm.reqntid = array<i32: 32, 4, 1>, nvvm.minctasm = 2 : i32, nvvm.maxnreg = 128 : i32, nvvm.cluster_dim = array<i32: 2>, nvvm.shared_bytes = 4096 : i32, nvvm.param_aligns = array<i64: 16, 1, 1, 1, 1, 1, 1>, note = "kept"} {
  // CHECK: nvvm.return
  nvvm.return
}

// CHECK-LABEL: nvvm.func @registers() {
nvvm.func @registers() {
  // CHECK: %r0 = nvvm.read.ptx.sreg.tid.x : i32
  %r0 = nvvm.read.ptx.sreg.tid.x : i32
  // CHECK: %r1 = nvvm.read.ptx.sreg.ctaid.x : i32
  %r1 = nvvm.read.ptx.sreg.ctaid.x : i32
  // CHECK: %r2 = nvvm.read.ptx.sreg.ctaid.y : i32
  %r2 = nvvm.read.ptx.sreg.ctaid.y : i32
  // CHECK: %r3 = nvvm.read.ptx.sreg.ctaid.z : i32
  %r3 = nvvm.read.ptx.sreg.ctaid.z : i32
  // CHECK: %r4 = nvvm.read.ptx.sreg.nctaid.x : i32
  %r4 = nvvm.read.ptx.sreg.nctaid.x : i32
  // CHECK: %r5 = nvvm.read.ptx.sreg.nctaid.y : i32
  %r5 = nvvm.read.ptx.sreg.nctaid.y : i32
  // CHECK: %r6 = nvvm.read.ptx.sreg.nctaid.z : i32
  %r6 = nvvm.read.ptx.sreg.nctaid.z : i32
  // CHECK: %r7 = nvvm.read.ptx.sreg.laneid : i32
  %r7 = nvvm.read.ptx.sreg.laneid : i32
  // CHECK: %r8 = nvvm.read.ptx.sreg.clusterid.x : i32
  %r8 = nvvm.read.ptx.sreg.clusterid.x : i32
  // CHECK: %r9 = nvvm.read.ptx.sreg.clusterid.y : i32
  %r9 = nvvm.read.ptx.sreg.clusterid.y : i32
  // CHECK: %r10 = nvvm.read.ptx.sreg.clusterid.z : i32
  %r10 = nvvm.read.ptx.sreg.clusterid.z : i32
  // CHECK: %r11 = nvvm.read.ptx.sreg.nclusterid.x : i32
  %r11 = nvvm.read.ptx.sreg.nclusterid.x : i32
  // CHECK: %r12 = nvvm.read.ptx.sreg.nclusterid.y : i32
  %r12 = nvvm.read.ptx.sreg.nclusterid.y : i32
  // CHECK: %r13 = nvvm.read.ptx.sreg.nclusterid.z : i32
  %r13 = nvvm.read.ptx.sreg.nclusterid.z : i32
  // CHECK: %r14 = nvvm.read.ptx.sreg.cluster_ctarank : i32
  %r14 = nvvm.read.ptx.sreg.cluster_ctarank : i32
  // CHECK: nvvm.return
  nvvm.return
}

// CHECK-LABEL: nvvm.func @addresses(%g: !nvvm.ptr<1>, %x: !nvvm.ptr<0>, %l: !nvvm.ptr<5>, %k: !nvvm.ptr<4>, %i: i32, %j: i64) {
nvvm.func @addresses(%g: !nvvm.ptr<1>, %x: !nvvm.ptr<0>, %l: !nvvm.ptr<5>, %k: !nvvm.ptr<4>, %i: i32, %j: i64) {
  // CHECK: %s = nvvm.shared_base : !nvvm.ptr<3>
  %s = nvvm.shared_base : !nvvm.ptr<3>
  // CHECK: %a = nvvm.ptradd %g, %j : !nvvm.ptr<1>, i64
  %a = nvvm.ptradd %g, %j : !nvvm.ptr<1>, i64
  // CHECK: %b = nvvm.ptradd %s, %i {note = "kept"} : !nvvm.ptr<3>, i32
  %b = nvvm.ptradd %s, %i {note = "kept"} : !nvvm.ptr<3>, i32
  // CHECK: %c = nvvm.ptrtoint %g : !nvvm.ptr<1> -> i64
  %c = nvvm.ptrtoint %g : !nvvm.ptr<1> -> i64
  // CHECK: %d = nvvm.ptrtoint %s : !nvvm.ptr<3> -> i32
  %d = nvvm.ptrtoint %s : !nvvm.ptr<3> -> i32
  // CHECK: %e = nvvm.inttoptr %c : i64 -> !nvvm.ptr<0>
  %e = nvvm.inttoptr %c : i64 -> !nvvm.ptr<0>
  // CHECK: %f = nvvm.addressof @table : !nvvm.ptr<1>
  %f = nvvm.addressof @table : !nvvm.ptr<1>
  // CHECK: %h = nvvm.local_alloc 16 align 8 : !nvvm.ptr<5>
  %h = nvvm.local_alloc 16 align 8 : !nvvm.ptr<5>
  // CHECK: %m = nvvm.addrspacecast %h : !nvvm.ptr<5> -> !nvvm.ptr<0>
  %m = nvvm.addrspacecast %h : !nvvm.ptr<5> -> !nvvm.ptr<0>
  // CHECK: %n = nvvm.call "vprintf"(%m, %x) : !nvvm.ptr<0>, !nvvm.ptr<0> -> i32
  %n = nvvm.call "vprintf"(%m, %x) : !nvvm.ptr<0>, !nvvm.ptr<0> -> i32
  // CHECK: nvvm.call "f"(%i) {note = "kept"} : i32
  nvvm.call "f"(%i) {note = "kept"} : i32
  // CHECK: nvvm.call "g"()
  nvvm.call "g"()
  // CHECK: %q = nvvm.call "g"() -> f32
  %q = nvvm.call "g"() -> f32
  // CHECK: nvvm.return
  nvvm.return
}

// CHECK-LABEL: nvvm.func @accesses(%p: !nvvm.ptr<1>, %c: i1, %f: f32, %g: f32, %q: !nvvm.ptr<0>) {
nvvm.func @accesses(%p: !nvvm.ptr<1>, %c: i1, %f: f32, %g: f32, %q: !nvvm.ptr<0>) {
  // CHECK: %a = nvvm.ld %p : !nvvm.ptr<1> -> f32
  %a = nvvm.ld %p : !nvvm.ptr<1> -> f32
  // CHECK: %b, %b1 = nvvm.ld %p + 16 : !nvvm.ptr<1> -> f32, f32
  %b, %b1 = nvvm.ld %p + 16 : !nvvm.ptr<1> -> f32, f32
  // CHECK: %d, %d1 = nvvm.ld %p + -8 if %c else %f, %g {cache = "nc"} : !nvvm.ptr<1> -> f32, f32
  %d, %d1 = nvvm.ld %p + -8 if %c else %f, %g {cache = "nc"} : !nvvm.ptr<1> -> f32, f32
  // CHECK: %e = nvvm.ld %p {ordering = "acquire", scope = "gpu"} : !nvvm.ptr<1> -> i64
  %e = nvvm.ld %p {ordering = "acquire", scope = "gpu"} : !nvvm.ptr<1> -> i64
  // CHECK: %h = nvvm.ld %q {ordering = "volatile"} : !nvvm.ptr<0> -> !nvvm.ptr<0>
  %h = nvvm.ld %q {ordering = "volatile"} : !nvvm.ptr<0> -> !nvvm.ptr<0>
  // CHECK: nvvm.st %p, %f : !nvvm.ptr<1>, f32
  nvvm.st %p, %f : !nvvm.ptr<1>, f32
  // CHECK: nvvm.st %p + 32, %f, %g if %c {cache = "cs"} : !nvvm.ptr<1>, f32, f32
  nvvm.st %p + 32, %f, %g if %c {cache = "cs"} : !nvvm.ptr<1>, f32, f32
  // CHECK: nvvm.st %p, %f if %c {ordering = "release", scope = "sys"} : !nvvm.ptr<1>, f32
  nvvm.st %p, %f if %c {ordering = "release", scope = "sys"} : !nvvm.ptr<1>, f32
  // CHECK: nvvm.return
  nvvm.return
}

// CHECK-LABEL: nvvm.func @atomics(%p: !nvvm.ptr<1>, %c: i1, %f: f32, %i: i32) {
nvvm.func @atomics(%p: !nvvm.ptr<1>, %c: i1, %f: f32, %i: i32) {
  // CHECK: nvvm.red %p + 8, %f, %f if %c {ordering = "relaxed", scope = "gpu"} : !nvvm.ptr<1>, f32, f32
  nvvm.red %p + 8, %f, %f if %c {ordering = "relaxed", scope = "gpu"} : !nvvm.ptr<1>, f32, f32
  // CHECK: nvvm.red %p, %f, %f {scope = "gpu"} : !nvvm.ptr<1>, f32, f32
  nvvm.red %p, %f, %f {scope = "gpu"} : !nvvm.ptr<1>, f32, f32
  // CHECK: %k0 = nvvm.atom add %p, %i {scope = "gpu"} : !nvvm.ptr<1>, i32
  %k0 = nvvm.atom add %p, %i {scope = "gpu"} : !nvvm.ptr<1>, i32
  // CHECK: %k1 = nvvm.atom and %p, %i {scope = "gpu"} : !nvvm.ptr<1>, i32
  %k1 = nvvm.atom and %p, %i {scope = "gpu"} : !nvvm.ptr<1>, i32
  // CHECK: %k2 = nvvm.atom or %p, %i {scope = "gpu"} : !nvvm.ptr<1>, i32
  %k2 = nvvm.atom or %p, %i {scope = "gpu"} : !nvvm.ptr<1>, i32
  // CHECK: %k3 = nvvm.atom xor %p, %i {scope = "gpu"} : !nvvm.ptr<1>, i32
  %k3 = nvvm.atom xor %p, %i {scope = "gpu"} : !nvvm.ptr<1>, i32
  // CHECK: %k4 = nvvm.atom min %p, %i {scope = "gpu"} : !nvvm.ptr<1>, i32
  %k4 = nvvm.atom min %p, %i {scope = "gpu"} : !nvvm.ptr<1>, i32
  // CHECK: %k5 = nvvm.atom max %p, %i {scope = "gpu"} : !nvvm.ptr<1>, i32
  %k5 = nvvm.atom max %p, %i {scope = "gpu"} : !nvvm.ptr<1>, i32
  // CHECK: %k6 = nvvm.atom umin %p, %i {scope = "gpu"} : !nvvm.ptr<1>, i32
  %k6 = nvvm.atom umin %p, %i {scope = "gpu"} : !nvvm.ptr<1>, i32
  // CHECK: %k7 = nvvm.atom umax %p, %i {scope = "gpu"} : !nvvm.ptr<1>, i32
  %k7 = nvvm.atom umax %p, %i {scope = "gpu"} : !nvvm.ptr<1>, i32
  // CHECK: %k8 = nvvm.atom exch %p, %i {scope = "gpu"} : !nvvm.ptr<1>, i32
  %k8 = nvvm.atom exch %p, %i {scope = "gpu"} : !nvvm.ptr<1>, i32
  // CHECK: %a = nvvm.atom add %p + 4, %f if %c {ordering = "acq_rel", scope = "cta"} : !nvvm.ptr<1>, f32
  %a = nvvm.atom add %p + 4, %f if %c {ordering = "acq_rel", scope = "cta"} : !nvvm.ptr<1>, f32
  // CHECK: %b = nvvm.atom.cas %p, %i, %i {scope = "cluster"} : !nvvm.ptr<1>, i32, i32
  %b = nvvm.atom.cas %p, %i, %i {scope = "cluster"} : !nvvm.ptr<1>, i32, i32
  // CHECK: %d = nvvm.atom.cas %p + 8, %i, %i if %c {ordering = "release", scope = "sys"} : !nvvm.ptr<1>, i32, i32
  %d = nvvm.atom.cas %p + 8, %i, %i if %c {ordering = "release", scope = "sys"} : !nvvm.ptr<1>, i32, i32
  // CHECK: nvvm.fence cta
  nvvm.fence cta
  // CHECK: nvvm.fence cluster
  nvvm.fence cluster
  // CHECK: nvvm.fence gpu
  nvvm.fence gpu
  // CHECK: nvvm.fence sys {note = "kept"}
  nvvm.fence sys {note = "kept"}
  // CHECK: nvvm.return
  nvvm.return
}

// CHECK-LABEL: nvvm.func @copies(%s: !nvvm.ptr<3>, %p: !nvvm.ptr<1>, %n: i32) {
nvvm.func @copies(%s: !nvvm.ptr<3>, %p: !nvvm.ptr<1>, %n: i32) {
  // CHECK: nvvm.cp.async %s, %p {size = 4 : i32} : !nvvm.ptr<3>, !nvvm.ptr<1>
  nvvm.cp.async %s, %p {size = 4 : i32} : !nvvm.ptr<3>, !nvvm.ptr<1>
  // CHECK: nvvm.cp.async %s, %p read %n if %given {size = 4 : i32} : !nvvm.ptr<3>, !nvvm.ptr<1>
  %given = arith.constant true
  nvvm.cp.async %s, %p read %n if %given {size = 4 : i32} : !nvvm.ptr<3>, !nvvm.ptr<1>
  // CHECK: nvvm.cp.async %s + 16, %p + 32 read %n {size = 16 : i32, cache = "cg"} : !nvvm.ptr<3>, !nvvm.ptr<1>
  nvvm.cp.async %s + 16, %p + 32 read %n {size = 16 : i32, cache = "cg"} : !nvvm.ptr<3>, !nvvm.ptr<1>
  // CHECK: nvvm.cp.async.commit.group
  nvvm.cp.async.commit.group
  // CHECK: nvvm.cp.async.mbarrier.arrive %s : !nvvm.ptr<3>
  nvvm.cp.async.mbarrier.arrive %s : !nvvm.ptr<3>
  // CHECK: nvvm.cp.async.wait.group 1
  nvvm.cp.async.wait.group 1
  // CHECK: nvvm.griddepcontrol.wait
  nvvm.griddepcontrol.wait
  // CHECK: nvvm.griddepcontrol.launch.dependents
  nvvm.griddepcontrol.launch.dependents
  // CHECK: nvvm.fence.proxy.alias
  nvvm.fence.proxy.alias
  // CHECK: nvvm.barrier
  nvvm.barrier
  // CHECK: nvvm.trap
  nvvm.trap
  // CHECK: nvvm.return
  nvvm.return
}

// CHECK-LABEL: nvvm.func @bits(%h: f16, %b: i8, %i: i32, %f: f32, %s: !nvvm.ptr<3>) {
nvvm.func @bits(%h: f16, %b: i8, %i: i32, %f: f32, %s: !nvvm.ptr<3>) {
  // CHECK: %a = nvvm.pack %h, %h : f16, f16 -> i32
  %a = nvvm.pack %h, %h : f16, f16 -> i32
  // CHECK: %c = nvvm.pack %b, %b, %b, %b : i8, i8, i8, i8 -> i32
  %c = nvvm.pack %b, %b, %b, %b : i8, i8, i8, i8 -> i32
  // CHECK: %d, %d1 = nvvm.unpack %i : i32 -> bf16, bf16
  %d, %d1 = nvvm.unpack %i : i32 -> bf16, bf16
  // CHECK: %e, %e1, %e2, %e3 = nvvm.unpack %i {note = "kept"} : i32 -> i8, i8, i8, i8
  %e, %e1, %e2, %e3 = nvvm.unpack %i {note = "kept"} : i32 -> i8, i8, i8, i8
  // CHECK: %long = nvvm.pack %i, %i : i32, i32 -> i64
  %long = nvvm.pack %i, %i : i32, i32 -> i64
  // CHECK: %l0, %l1 = nvvm.unpack %long : i64 -> i32, i32
  %l0, %l1 = nvvm.unpack %long : i64 -> i32, i32
  // CHECK: %h0, %h1 = nvvm.cvt.f16x2 e4m3 %i : i32 -> i32, i32
  %h0, %h1 = nvvm.cvt.f16x2 e4m3 %i : i32 -> i32, i32
  // CHECK: %halves = nvvm.cvt.e2m1x2 %f, %f{{$}}
  %halves = nvvm.cvt.e2m1x2 %f, %f
  // CHECK: %m0 = nvvm.shfl.sync idx %f, %i : f32
  %m0 = nvvm.shfl.sync idx %f, %i : f32
  // CHECK: %elected = nvvm.elect.sync{{$}}
  %elected = nvvm.elect.sync
  // CHECK: %any = nvvm.vote.any.sync %elected
  %any = nvvm.vote.any.sync %elected
  // CHECK: %m4 = nvvm.shfl.sync idx %f, %i {segment = 24 : i32} : f32
  %m4 = nvvm.shfl.sync idx %f, %i {segment = 24 : i32} : f32
  // CHECK: %m1 = nvvm.shfl.sync up %f, %i : f32
  %m1 = nvvm.shfl.sync up %f, %i : f32
  // CHECK: %m2 = nvvm.shfl.sync down %f, %i : f32
  %m2 = nvvm.shfl.sync down %f, %i : f32
  // CHECK: %m3 = nvvm.shfl.sync bfly %f, %i : f32
  %m3 = nvvm.shfl.sync bfly %f, %i : f32
  // CHECK: %n = nvvm.shfl.sync bfly %i, %i {note = "kept"} : i32
  %n = nvvm.shfl.sync bfly %i, %i {note = "kept"} : i32
  // CHECK: %r = nvvm.ldmatrix %s : !nvvm.ptr<3> -> i32
  %r = nvvm.ldmatrix %s : !nvvm.ptr<3> -> i32
  // CHECK: nvvm.stmatrix %s, %r : !nvvm.ptr<3>, i32
  nvvm.stmatrix %s, %r : !nvvm.ptr<3>, i32
  // CHECK: nvvm.stmatrix %s + 64 trans, %r, %r : !nvvm.ptr<3>, i32, i32
  nvvm.stmatrix %s + 64 trans, %r, %r : !nvvm.ptr<3>, i32, i32
  // CHECK: %t, %t1, %t2, %t3 = nvvm.ldmatrix %s + 64 trans : !nvvm.ptr<3> -> i32, i32, i32, i32
  %t, %t1, %t2, %t3 = nvvm.ldmatrix %s + 64 trans : !nvvm.ptr<3> -> i32, i32, i32, i32
  // CHECK: %x, %x1, %x2, %x3 = nvvm.mma.sync [%i, %i, %i, %i], [%i, %i], [%f, %f, %f, %f] {shape = "m16n8k16", a_type = "f16", b_type = "f16", d_type = "f32"} : i32, i32, f32
  %x, %x1, %x2, %x3 = nvvm.mma.sync [%i, %i, %i, %i], [%i, %i], [%f, %f, %f, %f] {shape = "m16n8k16", a_type = "f16", b_type = "f16", d_type = "f32"} : i32, i32, f32
  // CHECK: %bs, %bs1, %bs2, %bs3 = nvvm.mma.sync.block_scale [%i, %i, %i, %i], [%i, %i], [%f, %f, %f, %f], [%i], [%i] {shape = "m16n8k64", a_type = "e2m1", b_type = "e2m1", d_type = "f32", scale_type = "ue8m0", scale_block = 32 : i64, a_select = array<i64: 2, 1>, b_select = array<i64: 0, 3>} : i32, i32, f32, i32, i32
  %bs, %bs1, %bs2, %bs3 = nvvm.mma.sync.block_scale [%i, %i, %i, %i], [%i, %i], [%f, %f, %f, %f], [%i], [%i] {shape = "m16n8k64", a_type = "e2m1", b_type = "e2m1", d_type = "f32", scale_type = "ue8m0", scale_block = 32 : i64, a_select = array<i64: 2, 1>, b_select = array<i64: 0, 3>} : i32, i32, f32, i32, i32
  // CHECK: %mw = nvvm.mul.wide %i, %i
  %mw = nvvm.mul.wide %i, %i
  // CHECK: %mu = nvvm.mul.wide unsigned %i, %i
  %mu = nvvm.mul.wide unsigned %i, %i
  // CHECK: %ml = nvvm.mad.lo %i, %i, %i : i32, i32, i32
  %ml = nvvm.mad.lo %i, %i, %i : i32, i32, i32
  // CHECK: %mp = nvvm.mad.lo %i, %i, %s : i32, i32, !nvvm.ptr<3>
  %mp = nvvm.mad.lo %i, %i, %s : i32, i32, !nvvm.ptr<3>
  // CHECK: %p0, %q0 = nvvm.add.f32x2 %f, %f, %f, %f
  %p0, %q0 = nvvm.add.f32x2 %f, %f, %f, %f
  // CHECK: %r0x, %s0 = nvvm.add.f32x2 %f, %f, %f, %f ftz
  %r0x, %s0 = nvvm.add.f32x2 %f, %f, %f, %f ftz
  // CHECK: %p1, %q1 = nvvm.sub.f32x2 %f, %f, %f, %f
  %p1, %q1 = nvvm.sub.f32x2 %f, %f, %f, %f
  // CHECK: %r1x, %s1 = nvvm.sub.f32x2 %f, %f, %f, %f ftz
  %r1x, %s1 = nvvm.sub.f32x2 %f, %f, %f, %f ftz
  // CHECK: %p2, %q2 = nvvm.mul.f32x2 %f, %f, %f, %f
  %p2, %q2 = nvvm.mul.f32x2 %f, %f, %f, %f
  // CHECK: %r2x, %s2 = nvvm.mul.f32x2 %f, %f, %f, %f ftz
  %r2x, %s2 = nvvm.mul.f32x2 %f, %f, %f, %f ftz
  // CHECK: %p3, %q3 = nvvm.fma.f32x2 %f, %f, %f, %f, %f, %f
  %p3, %q3 = nvvm.fma.f32x2 %f, %f, %f, %f, %f, %f
  // CHECK: %r3x, %s3 = nvvm.fma.f32x2 %f, %f, %f, %f, %f, %f ftz
  %r3x, %s3 = nvvm.fma.f32x2 %f, %f, %f, %f, %f, %f ftz
  // CHECK: %y = nvvm.fma.sat %f, %f, %f : f32
  %y = nvvm.fma.sat %f, %f, %f : f32
  // CHECK: %y0 = nvvm.ex2.approx %f : f32
  %y0 = nvvm.ex2.approx %f : f32
  // CHECK: %z0 = nvvm.ex2.approx %f ftz : f32
  %z0 = nvvm.ex2.approx %f ftz : f32
  // CHECK: %y1 = nvvm.lg2.approx %f : f32
  %y1 = nvvm.lg2.approx %f : f32
  // CHECK: %z1 = nvvm.lg2.approx %f ftz : f32
  %z1 = nvvm.lg2.approx %f ftz : f32
  // CHECK: %y2 = nvvm.rcp.approx %f : f32
  %y2 = nvvm.rcp.approx %f : f32
  // CHECK: %z2 = nvvm.rcp.approx %f ftz : f32
  %z2 = nvvm.rcp.approx %f ftz : f32
  // CHECK: %y3 = nvvm.sqrt.approx %f : f32
  %y3 = nvvm.sqrt.approx %f : f32
  // CHECK: %z3 = nvvm.sqrt.approx %f ftz : f32
  %z3 = nvvm.sqrt.approx %f ftz : f32
  // CHECK: %y4 = nvvm.rsqrt.approx %f : f32
  %y4 = nvvm.rsqrt.approx %f : f32
  // CHECK: %z4 = nvvm.rsqrt.approx %f ftz : f32
  %z4 = nvvm.rsqrt.approx %f ftz : f32
  // CHECK: %y5 = nvvm.sin.approx %f : f32
  %y5 = nvvm.sin.approx %f : f32
  // CHECK: %z5 = nvvm.sin.approx %f ftz : f32
  %z5 = nvvm.sin.approx %f ftz : f32
  // CHECK: %y6 = nvvm.cos.approx %f : f32
  %y6 = nvvm.cos.approx %f : f32
  // CHECK: %z6 = nvvm.cos.approx %f ftz : f32
  %z6 = nvvm.cos.approx %f ftz : f32
  // CHECK: %y7 = nvvm.tanh.approx %f : f32
  %y7 = nvvm.tanh.approx %f : f32
  // CHECK: %z7 = nvvm.tanh.approx %f ftz : f32
  %z7 = nvvm.tanh.approx %f ftz : f32
  // CHECK: nvvm.return
  nvvm.return
}
