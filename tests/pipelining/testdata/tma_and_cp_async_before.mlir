// TMA loads one operand in the loop, cp.async copies the other before it. The fence in the loop is for the latter.
#acc = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#b = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0], [1, 8], [2, 16], [4, 32]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">
#plainA = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]}">
!acc = tensor<64x64xf32, #acc>
!bufB = !nv_tileas.buffer<32x64xf16, #b>
!bufA = !nv_tileas.buffer<64x32xf16, #plainA>
!bar = !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
!mapA = !nv_tileas.tma_map<64x32xf16, order = [1, 0]>
nv_tileas.func @k(%out: !nv_tileas.ptr<f32>, %p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %lo: i32, %hi: i32, %by: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %rows = arith.constant 64 : i64
  %wide = arith.constant 704 : i64
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %none = arith.constant dense<0.0> : tensor<64x64xf32> as !acc
  %ma = nv_tileas.tensor_map %p sizes [%rows, %wide] strides [%wide, %c1] : !nv_tileas.ptr<f16> -> !mapA
  %bar = nv_tileas.alloc_shared : !bar
  nv_tileas.mbarrier_init %bar, 1 : !bar
  %b = nv_tileas.alloc_shared : !bufB
  %tb = nv_tileas.copy_async %b, %q[%c0, %c0] sizes [%wide, %rows] strides [%rows, %c1] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 2>} : !bufB, !nv_tileas.ptr<f16>
  %gb = nv_tileas.commit_group : !nv_tileas.group
  nv_tileas.wait_group 0 for %gb : !nv_tileas.group
  %sum:2 = scf.for %i = %lo to %hi step %by iter_args(%acc = %none, %parity = %z) -> (!acc, i32) : i32 {
    %wide_i = arith.extsi %i : i32 to i64
    %x = arith.muli %wide_i, %c32 : i64
    %a = nv_tileas.alloc_shared : !bufA
    nv_tileas.mbarrier_expect %bar, 4096 : !bar
    %ta = nv_tileas.tma_load %a, %ma[%c0, %x], %bar : !bufA, !mapA, !bar -> !nv_tileas.mem_token
    nv_tileas.mbarrier_wait %bar, %parity : !bar, i32
    nv_tileas.fence_async
    %d = nv_tileas.dot_async %a, %b, %acc {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>} : !bufA, !bufB -> !acc
    %e = nv_tileas.dot_wait %d {pending = 0 : i32} : !acc
    %next = arith.xori %parity, %one : i32
    scf.continue %e, %next : !acc, i32
  }
  %all = arith.addf %sum#0, %none : !acc
  %done = nv_tileas.tiled_store %all, %out[%c0, %c0] sizes [%rows, %rows] strides [%rows, %c1] token %start {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 0>} : !acc, !nv_tileas.ptr<f32>
  nv_tileas.return
}
