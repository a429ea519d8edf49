// RUN: tile-opt %s --split-input-file --convert-tileas-to-nvvm --gpu-name=sm_90 --verify-diagnostics

// Only groups of four warps, all of which execute setmaxnreg, get a number of registers of their own.
nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  // expected-error@+1 {{'nv_tileas.warp_specialize' op gives 40 registers to each thread of role "a", which has warps 0 to 0: only a warpgroup, 4 warps, can have its own number}}
  nv_tileas.warp_specialize {
    role "a" warps(1) regs(40) {
    }
    role "b" warps(1) {
    }
  }
  nv_tileas.return
}

// -----

nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 5>} {
  // expected-error@+1 {{gives 40 registers to each thread of role "b", which has warps 1 to 4}}
  nv_tileas.warp_specialize {
    role "a" warps(1) {
    }
    role "b" warps(4) regs(40) {
    }
  }
  nv_tileas.return
}

// -----

// What one role takes another one must have given away.
nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 12>} {
  // expected-error@+1 {{asks for 73728 registers in all lanes of its 12 warps together, of which there are 64512: roles that take more would wait for ever}}
  nv_tileas.warp_specialize {
    role "a" warps(8) regs(240) {
    }
    role "b" warps(4) regs(96) {
    }
  }
  nv_tileas.return
}

// -----

#shared = #nv_tileas.shared<"{shape = [1], offset = []}">

nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 6>, nv_tileas.shared_bytes = 512 : i32} {
  %m = nv_tileas.alloc_shared at 0 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
  nv_tileas.mbarrier_init %m, 3 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
  nv_tileas.warp_specialize {
    role "a" warps(4) {
      // expected-error@+1 {{makes 3 arrivals, which no set of threads does: one thread makes 1, one of each warp make 4, and all of them make 128}}
      nv_tileas.mbarrier_arrive %m, 3 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
    }
    role "b" warps(2) {
    }
  }
  nv_tileas.return
}

// -----

// The other role would not come to the barrier behind which threads see a map.
#words = #nv_tileas.shared<"{shape = [32], offset = [[1], [2], [4], [8], [16]]}">

nv_tileas.func @k(%p: !nv_tileas.ptr<f16>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 5>, nv_tileas.shared_bytes = 512 : i32} {
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  nv_tileas.warp_specialize {
    role "a" warps(4) {
      %s = nv_tileas.alloc_shared at 128 : !nv_tileas.buffer<32xi32, #words>
      // expected-error@+1 {{'nv_tileas.build_tensor_map' op is in role "a": all warps of the CTA meet where a map is made}}
      %m = nv_tileas.build_tensor_map %s, %p sizes [%c64, %c64] strides [%c64, %c1] : !nv_tileas.buffer<32xi32, #words>, !nv_tileas.ptr<f16> -> !nv_tileas.tma_map<64x32xf16, order = [1, 0], swizzle = 64>
    }
    role "b" warps(1) {
    }
  }
  nv_tileas.return
}
