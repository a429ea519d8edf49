// sm_90
nvvm.global @table = dense<[1.0, 2.0, 0.0, 0.0]> : tensor<4xf32> {alignment = 16 : i64}
nvvm.global @zeros = dense<0> : tensor<8xi64>
nvvm.func @atomic(%x: !nvvm.ptr<1>, %i: i32, %l: i64, %f: f32, %d: f64, %h: f16, %b: bf16, %p: i1) attributes {nvvm.reqntid = array<i32: 32>, nvvm.shared_bytes = 64 : i32} {
  %0 = nvvm.atom add %x, %i {ordering = "relaxed", scope = "gpu"} : !nvvm.ptr<1>, i32
  %1 = nvvm.atom add %x + 8, %f if %p {scope = "gpu"} : !nvvm.ptr<1>, f32
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
  nvvm.fence gpu
  nvvm.griddepcontrol.wait
  nvvm.cp.async %s + 16, %x + 32 {size = 16 : i32, cache = "cg"} : !nvvm.ptr<3>, !nvvm.ptr<1>
  nvvm.cp.async %s, %x read %i {size = 4 : i32} : !nvvm.ptr<3>, !nvvm.ptr<1>
  nvvm.cp.async.commit.group
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
