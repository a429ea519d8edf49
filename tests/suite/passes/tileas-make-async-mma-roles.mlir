// RUN: not tile-opt %s --tileas-make-async-mma --gpu-name=sm_90 2>&1 | FileCheck %s

// A fence in a role does not cover what was stored before the roles. The pass tries one before the loop, and says what
// is left.
// CHECK: error: 'nv_tileas.dot_async' op accesses asynchronously what 'nv_tileas.local_store' has accessed, and no fence_async stands between them on some way
#a = #nv_tileas.shared<"{shape = [64, 16], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]}">
#b = #nv_tileas.shared<"{shape = [16, 8], offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]}">
#la = #nv_tileas.layout<"{shape = [64, 16], register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0], [0, 0]], block = []}">
#lb = #nv_tileas.layout<"{shape = [16, 8], register = [[0, 1], [0, 2]], lane = [[0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[0, 0], [0, 0], [0, 0]], block = []}">
#lc = #nv_tileas.layout<"{shape = [64, 8], register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}">
#mma = #nv_tileas.mma<wgmma, m64n8k16, warps = [4, 1]>

nv_tileas.func @outside(%m: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %a = arith.constant dense<1.0> : tensor<64x16xf16> as tensor<64x16xf16, #la>
  %b = arith.constant dense<2.0> : tensor<16x8xf16> as tensor<16x8xf16, #lb>
  %x = nv_tileas.alloc_shared : !nv_tileas.buffer<64x16xf16, #a>
  %y = nv_tileas.alloc_shared : !nv_tileas.buffer<16x8xf16, #b>
  nv_tileas.local_store %a, %x : tensor<64x16xf16, #la>, !nv_tileas.buffer<64x16xf16, #a>
  nv_tileas.local_store %b, %y : tensor<16x8xf16, #lb>, !nv_tileas.buffer<16x8xf16, #b>
  nv_tileas.warp_specialize {
    role "load" warps(4) regs(40) {
    }
    role "compute" warps(4) regs(232) {
      %i0 = arith.constant 0 : i32
      %i1 = arith.constant 1 : i32
      %c = arith.constant dense<0.0> : tensor<64x8xf32> as tensor<64x8xf32, #lc>
      %s = scf.for %i = %i0 to %m step %i1 iter_args(%acc = %c) -> (tensor<64x8xf32, #lc>) : i32 {
        %d = nv_tileas.dot_async %x, %y, %acc {mma = #mma} : !nv_tileas.buffer<64x16xf16, #a>, !nv_tileas.buffer<16x8xf16, #b> -> tensor<64x8xf32, #lc>
        %r = nv_tileas.dot_wait %d {pending = 0 : i32} : tensor<64x8xf32, #lc>
        scf.continue %r : tensor<64x8xf32, #lc>
      }
    }
  }
  nv_tileas.return
}
