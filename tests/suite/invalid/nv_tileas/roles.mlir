// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  // expected-error@+1 {{'nv_tileas.warp_specialize' op has two roles "a"}}
  nv_tileas.warp_specialize {
    role "a" warps(1) {
    }
    role "a" warps(1) {
    }
  }
  nv_tileas.return
}

// -----

nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  // expected-error@+1 {{'nv_tileas.warp_specialize' op role "b" must have a power of two of warps, or do nothing, but got 3}}
  nv_tileas.warp_specialize {
    role "a" warps(1) {
    }
    role "b" warps(3) {
      nv_tileas.barrier
    }
  }
  nv_tileas.return
}

// -----

nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  // expected-error@+1 {{'nv_tileas.warp_specialize' op has 6 warps in its roles together, but the kernel has 8}}
  nv_tileas.warp_specialize {
    role "a" warps(4) {
    }
    role "b" warps(2) {
    }
  }
  nv_tileas.return
}

// -----

nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  // expected-error@+1 {{'nv_tileas.warp_specialize' op registers of role "a" must be a multiple of 8 from 24 to 256, but got 20}}
  nv_tileas.warp_specialize {
    role "a" warps(1) regs(20) {
    }
  }
  nv_tileas.return
}

// -----

nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  // expected-error@+1 {{'nv_tileas.warp_specialize' op must have a name, a number of warps and perhaps of registers for each of its roles, and at least one role, but has 0 regions}}
  nv_tileas.warp_specialize {
  }
  nv_tileas.return
}

// -----

nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  nv_tileas.warp_specialize {
    role "a" warps(1) {
      // expected-error@+1 {{'nv_tileas.warp_specialize' op stands in role "a", whose warps cannot part again}}
      nv_tileas.warp_specialize {
        role "b" warps(1) {
        }
      }
    }
  }
  nv_tileas.return
}

// -----

nv_tileas.func @k(%c: i1) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  nv_tileas.warp_specialize {
    role "a" warps(1) {
      scf.if %c {
        // expected-error@+1 {{'nv_tileas.return' op leaves a role before its end, where the other roles wait for it}}
        nv_tileas.return
      }
    }
  }
  nv_tileas.return
}

// -----

nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  nv_tileas.warp_specialize {
    role "a" warps(1) {
      %v = "t.v"() : () -> i32
      nv_tileas.end_role
    }
    role "b" warps(1) {
      // expected-error@+1 {{use of undeclared SSA value name}}
      "t.use"(%v) : (i32) -> ()
      nv_tileas.end_role
    }
  }
  nv_tileas.return
}

// -----

// expected-error@+1 {{'nv_tileas.barrier' op must have both an id and the number of warps that meet there, or neither}}
nv_tileas.barrier id 1

// -----

// expected-error@+1 {{'nv_tileas.barrier' op id must be from 1 to 15, but got 16}}
nv_tileas.barrier id 16 warps 4

// -----

// expected-error@+1 {{'nv_tileas.barrier_arrive' op id must be from 1 to 15, but got 0}}
nv_tileas.barrier_arrive id 0 warps 4

// -----

nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  // expected-error@+1 {{'nv_tileas.barrier' op stands in no role, so all 4 warps meet there, but got 2}}
  nv_tileas.barrier id 1 warps 2
  nv_tileas.return
}

// -----

nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  nv_tileas.warp_specialize {
    role "a" warps(2) {
      // expected-error@+1 {{'nv_tileas.barrier' op is met by from 2 warps, which role "a" has, to the 4 of the kernel, but got 1}}
      nv_tileas.barrier id 1 warps 1
    }
    role "b" warps(2) {
    }
  }
  nv_tileas.return
}

// -----

nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  // expected-error@+1 {{'nv_tileas.end_role' op}}
  nv_tileas.end_role
}

// -----

// expected-error@+1 {{'nv_tileas.pingpong_wait' op stands in no role, whose warps would alternate}}
nv_tileas.pingpong_wait id 1 groups 2

// -----

// expected-error@+1 {{'nv_tileas.pingpong_signal' op must be of 2 to 8 groups, but got 1}}
nv_tileas.pingpong_signal id 1 groups 1

// -----

// expected-error@+1 {{'nv_tileas.pingpong_signal' op ids must be from 1 to 15, but got 14 to 17}}
nv_tileas.pingpong_signal id 14 groups 4

// -----

nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  nv_tileas.warp_specialize {
    role "compute" warps(4) {
      // expected-error@+1 {{'nv_tileas.pingpong_wait' op parts the 4 warps of role "compute" into 3 groups, which are not of the same size}}
      nv_tileas.pingpong_wait id 1 groups 3
    }
  }
  nv_tileas.return
}
