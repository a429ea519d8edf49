// sm_90
nvvm.func @warp(%x: !nvvm.ptr<1>, %n: i32) attributes {nvvm.reqntid = array<i32: 64, 2>, nvvm.minctasm = 2 : i32, nvvm.maxnreg = 128 : i32, nvvm.cluster_dim = array<i32: 2>, nvvm.shared_bytes = 65536 : i32} {
  %lane = nvvm.read.ptx.sreg.laneid : i32
  %rank = nvvm.read.ptx.sreg.cluster_ctarank : i32
  %c3 = arith.constant 3 : i32
  %up = nvvm.shfl.sync up %lane, %c3 : i32
  %down = nvvm.shfl.sync down %lane, %n : i32
  %at = nvvm.shfl.sync idx %lane, %c3 : i32
  %base = nvvm.shared_base : !nvvm.ptr<3>
  %row = nvvm.ptradd %base, %lane : !nvvm.ptr<3>, i32
  %m0, %m1, %m2, %m3 = nvvm.ldmatrix %row + 512 trans : !nvvm.ptr<3> -> i32, i32, i32, i32
  %k = nvvm.ldmatrix %row : !nvvm.ptr<3> -> i32
  %lo, %hi = nvvm.unpack %m0 : i32 -> f16, f16
  %p = nvvm.pack %hi, %lo : f16, f16 -> i32
  %c1 = arith.constant 1.0 : f16
  %q = nvvm.pack %c1, %c1 : f16, f16 -> i32
  %b0, %b1, %b2, %b3 = nvvm.unpack %m1 : i32 -> i8, i8, i8, i8
  %b = nvvm.pack %b3, %b2, %b1, %b0 : i8, i8, i8, i8 -> i32
  nvvm.barrier
  %v = nvvm.ld %x {ordering = "acquire", scope = "gpu"} : !nvvm.ptr<1> -> i32
  %w = nvvm.ld %x {cache = "nc"} : !nvvm.ptr<1> -> i32
  %cg = nvvm.ld %x {cache = "cg"} : !nvvm.ptr<1> -> i32
  nvvm.st %x, %p, %q, %b, %m2 : !nvvm.ptr<1>, i32, i32, i32, i32
  nvvm.st %x + 16, %up, %down, %at, %rank : !nvvm.ptr<1>, i32, i32, i32, i32
  nvvm.st %x + 32, %v, %w, %cg, %k : !nvvm.ptr<1>, i32, i32, i32, i32
  nvvm.st %x + 48, %m3 {ordering = "release", scope = "sys"} : !nvvm.ptr<1>, i32
  nvvm.return
}
