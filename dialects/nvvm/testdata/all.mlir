nvvm.global @table = dense<[1.0, 2.0, 0.0, 0.0]> : tensor<4xf32> {alignment = 16 : i64}
nvvm.global @zeros = dense<0> : tensor<8xi64>
nvvm.func @atomic(%x: !nvvm.ptr<1>, %i: i32, %l: i64, %f: f32, %d: f64, %h: f16, %b: bf16, %p: i1) attributes {nvvm.reqntid = array<i32: 32>, nvvm.shared_bytes = 64 : i32} {
  %0 = nvvm.atom add %x, %i {ordering = "relaxed", scope = "gpu"} : !nvvm.ptr<1>, i32
  %1 = nvvm.atom add %x + 8, %f if %p {scope = "gpu"} : !nvvm.ptr<1>, f32
  %mw = nvvm.mul.wide %i, %i
  %mu = nvvm.mul.wide unsigned %i, %i
  %ml = nvvm.mad.lo %l, %mw, %mu : i64, i64, i64
  %mp = nvvm.mad.lo %l, %l, %x : i64, i64, !nvvm.ptr<1>
  %pl, %ph = nvvm.add.f32x2 %f, %f, %f, %f
  %halves = nvvm.cvt.e2m1x2 %f, %pl
  %ql, %qh = nvvm.sub.f32x2 %pl, %ph, %f, %f ftz
  %rl, %rh = nvvm.mul.f32x2 %ql, %qh, %f, %f
  %ul, %uh = nvvm.fma.f32x2 %rl, %rh, %f, %f, %pl, %ph ftz
  %2 = nvvm.atom add %x, %d {scope = "sys"} : !nvvm.ptr<1>, f64
  %3 = nvvm.atom add %x, %h {scope = "gpu"} : !nvvm.ptr<1>, f16
  %4 = nvvm.atom add %x, %b {scope = "gpu"} : !nvvm.ptr<1>, bf16
  %5 = nvvm.atom max %x, %i {ordering = "acq_rel", scope = "gpu"} : !nvvm.ptr<1>, i32
  %6 = nvvm.atom umin %x, %l {ordering = "release", scope = "cta"} : !nvvm.ptr<1>, i64
  %7 = nvvm.atom exch %x, %f if %p {ordering = "acquire", scope = "cluster"} : !nvvm.ptr<1>, f32
  %8 = nvvm.atom or %x, %i if %p {scope = "gpu"} : !nvvm.ptr<1>, i32
  %9 = nvvm.atom.cas %x, %i, %8 {ordering = "acq_rel", scope = "gpu"} : !nvvm.ptr<1>, i32, i32
  %10 = nvvm.atom.cas %x + 16, %l, %6 if %p {scope = "gpu"} : !nvvm.ptr<1>, i64, i64
  %s = nvvm.shared_base : !nvvm.ptr<3>
  %11 = nvvm.atom xor %s, %9 {scope = "cta"} : !nvvm.ptr<3>, i32
  nvvm.red %x + 16, %f, %f, %f, %f if %p {ordering = "release", scope = "gpu"} : !nvvm.ptr<1>, f32, f32, f32, f32
  nvvm.red %x, %h, %h {scope = "sys"} : !nvvm.ptr<1>, f16, f16
  nvvm.fence gpu
  nvvm.griddepcontrol.wait
  nvvm.cp.async %s + 16, %x + 32 {size = 16 : i32, cache = "cg"} : !nvvm.ptr<3>, !nvvm.ptr<1>
  nvvm.cp.async %s, %x read %i {size = 4 : i32} : !nvvm.ptr<3>, !nvvm.ptr<1>
  nvvm.cp.async.commit.group
  nvvm.cp.async.mbarrier.arrive %s : !nvvm.ptr<3>
  nvvm.cp.async.wait.group 1
  nvvm.griddepcontrol.launch.dependents
  %t = nvvm.addressof @table : !nvvm.ptr<1>
  %z = nvvm.addressof @zeros : !nvvm.ptr<1>
  %v = nvvm.ld %t + 4 : !nvvm.ptr<1> -> f32
  nvvm.st %z, %10 : !nvvm.ptr<1>, i64
  nvvm.st %x + 64, %v, %7, %1 , %v: !nvvm.ptr<1>, f32, f32, f32, f32
  cf.cond_br %p, ^bad, ^good
^bad:
  nvvm.trap
  cf.br ^good
^good:
  nvvm.return
}
nvvm.func @warp(%x: !nvvm.ptr<1>, %n: i32) attributes {nvvm.reqntid = array<i32: 64, 2>, nvvm.minctasm = 2 : i32, nvvm.maxnreg = 128 : i32, nvvm.cluster_dim = array<i32: 2>, nvvm.shared_bytes = 65536 : i32} {
  %lane = nvvm.read.ptx.sreg.laneid : i32
  %rank = nvvm.read.ptx.sreg.cluster_ctarank : i32
  %c3 = arith.constant 3 : i32
  %up = nvvm.shfl.sync up %lane, %c3 : i32
  %elected = nvvm.elect.sync
  %any = nvvm.vote.any.sync %elected
  %down = nvvm.shfl.sync down %lane, %n : i32
  %at = nvvm.shfl.sync idx %lane, %c3 : i32
  %base = nvvm.shared_base : !nvvm.ptr<3>
  %row = nvvm.ptradd %base, %lane : !nvvm.ptr<3>, i32
  %m0, %m1, %m2, %m3 = nvvm.ldmatrix %row + 512 trans : !nvvm.ptr<3> -> i32, i32, i32, i32
  %k = nvvm.ldmatrix %row : !nvvm.ptr<3> -> i32
  nvvm.stmatrix %row + 16, %k : !nvvm.ptr<3>, i32
  %lo, %hi = nvvm.unpack %m0 : i32 -> f16, f16
  %p = nvvm.pack %hi, %lo : f16, f16 -> i32
  %c1 = arith.constant 1.0 : f16
  %q = nvvm.pack %c1, %c1 : f16, f16 -> i32
  %b0, %b1, %b2, %b3 = nvvm.unpack %m1 : i32 -> i8, i8, i8, i8
  %w0, %w1 = nvvm.cvt.f16x2 e5m2 %m1 : i32 -> i32, i32
  %b = nvvm.pack %b3, %b2, %b1, %b0 : i8, i8, i8, i8 -> i32
  %long = nvvm.pack %w0, %w1 : i32, i32 -> i64
  %l0, %l1 = nvvm.unpack %long : i64 -> i32, i32
  nvvm.barrier
  nvvm.barrier id 1 threads 128
  nvvm.barrier.arrive id 1 threads 128
  nvvm.bar.warp.sync
  nvvm.setmaxnreg 40
  nvvm.setmaxnreg more 232
  %v = nvvm.ld %x {ordering = "acquire", scope = "gpu"} : !nvvm.ptr<1> -> i32
  %w = nvvm.ld %x {cache = "nc"} : !nvvm.ptr<1> -> i32
  %cg = nvvm.ld %x {cache = "cg"} : !nvvm.ptr<1> -> i32
  nvvm.st %x, %p, %q, %b, %m2 : !nvvm.ptr<1>, i32, i32, i32, i32
  nvvm.st %x + 16, %up, %down, %at, %rank : !nvvm.ptr<1>, i32, i32, i32, i32
  nvvm.st %x + 32, %v, %w, %cg, %k : !nvvm.ptr<1>, i32, i32, i32, i32
  nvvm.st %x + 48, %m3 {ordering = "release", scope = "sys"} : !nvvm.ptr<1>, i32
  nvvm.return
}
nvvm.func @rest(%x: !nvvm.ptr<1>, %p: i1, %f: f32, %a: i32, %c: f32) {
  %l, %m = nvvm.ld %x + 8 if %p else %f, %c : !nvvm.ptr<1> -> f32, f32
  %n = nvvm.ld %x if %p else %a {cache = "nc"} : !nvvm.ptr<1> -> i32
  %d0, %d1, %d2, %d3 = nvvm.mma.sync [%a, %n], [%a], [%l, %m, %f, %c] {shape = "m16n8k8", a_type = "f16", b_type = "f16", d_type = "f32"} : i32, i32, f32
  %g0, %g1, %g2, %g3 = nvvm.mma.sync.block_scale [%a, %n, %a, %n], [%a, %n], [%d0, %d1, %d2, %d3], [%a], [%n] {shape = "m16n8k64", a_type = "e2m1", b_type = "e2m1", d_type = "f32", scale_type = "ue4m3", scale_block = 16 : i64, a_select = array<i64: 0, 1>, b_select = array<i64: 0, 3>} : i32, i32, f32, i32, i32
  %e0 = nvvm.ex2.approx %d0 : f32
  %e1 = nvvm.lg2.approx %e0 ftz : f32
  %e2 = nvvm.rcp.approx %e1 : f32
  %e3 = nvvm.sqrt.approx %e2 : f32
  %e4 = nvvm.rsqrt.approx %e3 ftz : f32
  %e5 = nvvm.sin.approx %e4 : f32
  %e6 = nvvm.cos.approx %e5 : f32
  %e7 = nvvm.tanh.approx %e6 : f32
  %e8 = nvvm.fma.sat %e5, %e6, %e7 : f32
  nvvm.st %x + 64, %e7, %d1 if %p : !nvvm.ptr<1>, f32, f32
  %bits = nvvm.ptrtoint %x : !nvvm.ptr<1> -> i64
  %back = nvvm.inttoptr %bits : i64 -> !nvvm.ptr<1>
  nvvm.st %back, %c : !nvvm.ptr<1>, f32
  %buf = nvvm.local_alloc 16 align 8 : !nvvm.ptr<5>
  %gen = nvvm.addrspacecast %buf : !nvvm.ptr<5> -> !nvvm.ptr<0>
  %printed = nvvm.call "vprintf"(%gen, %gen) : !nvvm.ptr<0>, !nvvm.ptr<0> -> i32
  nvvm.call "exit"(%printed) : i32
  nvvm.fence.proxy.alias
  nvvm.return
}

nvvm.func @bulk(%s: !nvvm.ptr<3>, %b: !nvvm.ptr<3>, %p: !nvvm.ptr<1>, %first: i1, %parity: i32) {
  nvvm.mbarrier.init %b, 1 : !nvvm.ptr<3>
  nvvm.mbarrier.inval %b if %first : !nvvm.ptr<3>
  nvvm.mbarrier.init %b, 33 if %first : !nvvm.ptr<3>
  nvvm.fence.mbarrier.init
  nvvm.mbarrier.arrive %b : !nvvm.ptr<3>
  nvvm.mbarrier.arrive %b if %first : !nvvm.ptr<3>
  nvvm.mbarrier.arrive %b expect 512 if %first : !nvvm.ptr<3>
  nvvm.cp.async.bulk.load %s, %p, %b {size = 512 : i32} : !nvvm.ptr<3>, !nvvm.ptr<1>, !nvvm.ptr<3>
  nvvm.cp.async.bulk.load %s, %p, %b if %first {size = 512 : i32} : !nvvm.ptr<3>, !nvvm.ptr<1>, !nvvm.ptr<3>
  nvvm.mbarrier.arrive.remote %b of %parity if %first : !nvvm.ptr<3>, i32
  nvvm.mbarrier.arrive.remote %b of %parity if %first cluster : !nvvm.ptr<3>, i32
  nvvm.barrier.cluster
  %far = nvvm.mapa %b of %parity : !nvvm.ptr<3>, i32 -> !nvvm.ptr<7>
  nvvm.mbarrier.wait.parity %b, %parity : !nvvm.ptr<3>, i32
  nvvm.fence.proxy.async
  nvvm.fence.proxy.async.global if %first
  nvvm.cp.async.bulk.store %p, %s {size = 512 : i32} : !nvvm.ptr<1>, !nvvm.ptr<3>
  nvvm.cp.async.bulk.store %p, %s if %first {size = 512 : i32} : !nvvm.ptr<1>, !nvvm.ptr<3>
  nvvm.cp.async.bulk.commit.group
  nvvm.cp.async.bulk.wait.group 1
  nvvm.return
}

nvvm.func @tensors(%p: !nvvm.ptr<1>, %n: i64, %x: i32, %yes: i1) attributes {nvvm.shared_bytes = 4096 : i32, nvvm.shared_align = 1024 : i32} {
  %s = nvvm.shared_base : !nvvm.ptr<3>
  %m = nvvm.tensormap.param %p sizes[%n, %n] strides[%n] box [64, 8] of 2 swizzle 128 : !nvvm.ptr<1> -> !nvvm.ptr<0>
  %v = nvvm.tensormap.param %p sizes[%n] strides[] box [64] of 4 : !nvvm.ptr<1> -> !nvvm.ptr<0>
  nvvm.cp.async.bulk.tensor.load %s + 1024, %m[%x, %x], %s if %yes : !nvvm.ptr<3>, !nvvm.ptr<0>, !nvvm.ptr<3>
  nvvm.cp.async.bulk.tensor.load %s, %v[%x], %s : !nvvm.ptr<3>, !nvvm.ptr<0>, !nvvm.ptr<3>
  nvvm.cp.async.bulk.tensor.store %m[%x, %x], %s + 2048 if %yes : !nvvm.ptr<0>, !nvvm.ptr<3>
  nvvm.cp.async.bulk.tensor.store %v[%x], %s : !nvvm.ptr<0>, !nvvm.ptr<3>
  %halves = nvvm.tensormap.param %p sizes[%n] strides[] box [32] of 2 {float = "f16"} : !nvvm.ptr<1> -> !nvvm.ptr<0>
  nvvm.tensormap.make %s, %p sizes[%x] strides[] box [32] of 4 swizzle 128 {float = "f32"} : !nvvm.ptr<3>, !nvvm.ptr<1>
  nvvm.cp.reduce.async.bulk.tensor add %m[%x, %x], %s + 2048 if %yes : !nvvm.ptr<0>, !nvvm.ptr<3>
  nvvm.cp.reduce.async.bulk.tensor umax %v[%x], %s : !nvvm.ptr<0>, !nvvm.ptr<3>
  nvvm.tensormap.make %s, %p sizes[%x, %x] strides[%n] box [64, 8] of 2 swizzle 128 : !nvvm.ptr<3>, !nvvm.ptr<1>
  nvvm.tensormap.make %s, %p sizes[%x] strides[] box [64] of 4 : !nvvm.ptr<3>, !nvvm.ptr<1>
  nvvm.tensormap.release %p, %s : !nvvm.ptr<1>, !nvvm.ptr<3>
  nvvm.fence.proxy.tensormap.acquire %p : !nvvm.ptr<1>
  %slot = nvvm.tensormap.take_slot %p of 64 with 2 per sm : !nvvm.ptr<1> -> i32
  nvvm.tensormap.give_slot %p, %slot : !nvvm.ptr<1>, i32
  nvvm.tensormap.give_slot %p, %slot if %yes : !nvvm.ptr<1>, i32
  nvvm.return
}

nvvm.func @products(%a: i64, %b: i64, %w: i32, %x: f32) {
  nvvm.wgmma.fence
  %d:4 = nvvm.wgmma.mma_async from %a by %b {shape = "m64n8k16", a_type = "f16", b_type = "f16", d_type = "f32", trans_a, trans_b} -> f32, f32, f32, f32
  %e:4 = nvvm.wgmma.mma_async registers %w, %w, %w, %w : i32, i32, i32, i32 by %b add %d#0, %d#1, %d#2, %d#3 : f32, f32, f32, f32 {shape = "m64n8k16", a_type = "f16", b_type = "f16", d_type = "f32"} -> f32, f32, f32, f32
  nvvm.wgmma.commit_group
  nvvm.wgmma.wait_group 1
  %r:2 = nvvm.wgmma.wait_group 0 for %e#0, %e#1 : f32, f32
  nvvm.return
}

nvvm.func @tensor_memory(%s: !nvvm.ptr<3>, %done: !nvvm.ptr<3>, %a: i64, %b: i64, %descriptor: i32, %parity: i32, %x: f32) {
  %add = arith.constant 1 : i1
  // By a warp as a whole; the others read the address behind the barrier.
  nvvm.tcgen05.alloc %s, 32 : !nvvm.ptr<3>
  nvvm.tcgen05.fence.before_thread_sync
  nvvm.barrier
  nvvm.tcgen05.fence.after_thread_sync
  %t = nvvm.ld %s : !nvvm.ptr<3> -> i32
  nvvm.tcgen05.st %t + 2, %x, %x : i32, f32, f32
  nvvm.tcgen05.st %t + 2 split 8, %x : i32, f32
  // By one thread.
  nvvm.tcgen05.mma "f16" %t, %a, %b, %descriptor if %add : i64
  nvvm.tcgen05.commit %done : !nvvm.ptr<3>
  nvvm.mbarrier.wait.parity %done, %parity : !nvvm.ptr<3>, i32
  %r:4 = nvvm.tcgen05.ld %t : i32 -> f32, f32, f32, f32
  %h:2 = nvvm.tcgen05.ld %t split 2 : i32 -> f32, f32
  nvvm.tcgen05.dealloc %t, 32 : i32
  nvvm.return
}
