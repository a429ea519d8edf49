// RUN: tile-opt %s --split-input-file --verify-diagnostics

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
!two = !nv_tileas.buffer<2 x [32x4xf32], #shared>
!p = !nv_tileas.pipe<threads -> threads, !two>
nv_tileas.func @k() {
  %a = nv_tileas.alloc_shared : !two
  %p = nv_tileas.pipe_create %a : !two -> !p
  // expected-error@+1 {{'nv_tileas.pipe_acquire' op stands in no role, and a pipe is between two}}
  %x = nv_tileas.pipe_acquire %p : !p
  // expected-error@+1 {{'nv_tileas.pipe_commit' op stands in no role, and a pipe is between two}}
  nv_tileas.pipe_commit %p : !p
  nv_tileas.return
}

// -----

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
!two = !nv_tileas.buffer<2 x [32x4xf32], #shared>
// expected-error@+1 {{TMA loads and copies fill stages and do not read them}}
!p = !nv_tileas.pipe<threads -> tma, !two>

// -----

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
// expected-error@+1 {{a pipe has at least one buffer}}
!p = !nv_tileas.pipe<tma -> threads>

// -----

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
// expected-error@+1 {{expected an end of a pipe, 'threads', 'tma', 'mma' or 'copies'}}
!p = !nv_tileas.pipe<warps -> threads, !nv_tileas.buffer<32x4xf32, #shared>>

// -----

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
// expected-error@+1 {{all buffers of a pipe have as many stages, but got 2 and 1}}
!p = !nv_tileas.pipe<tma -> threads, !nv_tileas.buffer<2 x [32x4xf32], #shared>, !nv_tileas.buffer<32x4xf32, #shared>>

// -----

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
// expected-error@+1 {{MMAs fill stages in TMEM, and otherwise only those that come back are there}}
!p = !nv_tileas.pipe<mma -> threads, !nv_tileas.buffer<32x4xf32, #shared>>

// -----

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
// expected-error@+1 {{MMAs fill stages in TMEM, and otherwise only those that come back are there}}
!p = !nv_tileas.pipe<threads <-> mma, !nv_tileas.buffer<32x4xf32, #shared>>

// -----

#accumulator = #nv_tileas.shared<"{shape = [128, 64], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]}">
// expected-error@+1 {{a pipe whose stage comes back is from threads to MMAs, with one stage}}
!p = !nv_tileas.pipe<threads <-> mma, !nv_tileas.buffer<2 x [128x64xf32], #accumulator, space = tmem>>

// -----

#accumulator = #nv_tileas.shared<"{shape = [128, 64], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]}">
// expected-error@+1 {{a pipe whose stage comes back is from threads to MMAs, with one stage}}
!p = !nv_tileas.pipe<mma <-> threads, !nv_tileas.buffer<128x64xf32, #accumulator, space = tmem>>

// -----

// expected-error@+1 {{the stages of a pipe hold tiles, and it has the mbarriers for them itself}}
!p = !nv_tileas.pipe<tma -> threads, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #nv_tileas.shared<"{shape = [1], offset = []}">>>

// -----

// expected-error@+1 {{expected a buffer, of which a pipe has up to 64}}
!p = !nv_tileas.pipe<tma -> threads, i32>

// -----

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
!two = !nv_tileas.buffer<2 x [32x4xf32], #shared>
!p = !nv_tileas.pipe<threads -> threads, !two>
nv_tileas.func @k(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = nv_tileas.alloc_shared : !two
  // expected-error@+1 {{'nv_tileas.pipe_create' op has a pipe '!nv_tileas.pipe<threads -> threads, !nv_tileas.buffer<2 x [32x4xf32], #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>>', which is of other buffers}}
  %p = nv_tileas.pipe_create %a, %a : !two, !two -> !p
  nv_tileas.warp_specialize {
    role "fill" warps(1) {
      %x = nv_tileas.pipe_acquire %p : !p
      nv_tileas.pipe_commit %p : !p
    }
    role "read" warps(1) {
      %y = nv_tileas.pipe_wait %p : !p
      nv_tileas.pipe_release %p : !p
    }
  }
  nv_tileas.return
}

// -----

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
!two = !nv_tileas.buffer<2 x [32x4xf32], #shared>
!p = !nv_tileas.pipe<threads -> threads, !two>
nv_tileas.func @k(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = nv_tileas.alloc_shared : !two
  %p = nv_tileas.pipe_create %a : !two -> !p
  nv_tileas.warp_specialize {
    role "fill" warps(1) {
      // expected-error@+1 {{'nv_tileas.pipe_acquire' op is alone in its block, without 'nv_tileas.pipe_commit'}}
      %x = nv_tileas.pipe_acquire %p : !p
    }
    role "read" warps(1) {
      %y = nv_tileas.pipe_wait %p : !p
      nv_tileas.pipe_release %p : !p
    }
  }
  nv_tileas.return
}

// -----

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
!two = !nv_tileas.buffer<2 x [32x4xf32], #shared>
!p = !nv_tileas.pipe<threads -> threads, !two>
nv_tileas.func @k(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = nv_tileas.alloc_shared : !two
  %p = nv_tileas.pipe_create %a : !two -> !p
  nv_tileas.warp_specialize {
    role "fill" warps(1) {
      %x = nv_tileas.pipe_acquire %p : !p
      nv_tileas.pipe_commit %p : !p
    }
    role "read" warps(1) {
      // expected-error@+1 {{'nv_tileas.pipe_release' op closes a stage that no 'nv_tileas.pipe_wait' opened in its block}}
      nv_tileas.pipe_release %p : !p
      %y = nv_tileas.pipe_wait %p : !p
    }
  }
  nv_tileas.return
}

// -----

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
!two = !nv_tileas.buffer<2 x [32x4xf32], #shared>
!p = !nv_tileas.pipe<threads -> threads, !two>
nv_tileas.func @k(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = nv_tileas.alloc_shared : !two
  %p = nv_tileas.pipe_create %a : !two -> !p
  nv_tileas.warp_specialize {
    role "fill" warps(1) {
      %x = nv_tileas.pipe_acquire %p : !p
      nv_tileas.pipe_commit %p : !p
    }
    role "read" warps(1) {
      // expected-note@+1 {{the other}}
      %y = nv_tileas.pipe_wait %p : !p
      // expected-error@+1 {{'nv_tileas.pipe_wait' op follows another one, with no 'nv_tileas.pipe_release' in between}}
      %w = nv_tileas.pipe_wait %p : !p
      nv_tileas.pipe_release %p : !p
    }
  }
  nv_tileas.return
}

// -----

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
!two = !nv_tileas.buffer<2 x [32x4xf32], #shared>
!p = !nv_tileas.pipe<threads -> threads, !two>
nv_tileas.func @k(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = nv_tileas.alloc_shared : !two
  %p = nv_tileas.pipe_create %a : !two -> !p
  nv_tileas.warp_specialize {
    role "fill" warps(1) {
      %x = nv_tileas.pipe_acquire %p : !p
      nv_tileas.pipe_commit %p : !p
    }
    role "read" warps(1) {
      // expected-note@+1 {{the one stage}}
      %y = nv_tileas.pipe_wait %p : !p
      // expected-error@+1 {{'scf.for' op uses another stage between 'nv_tileas.pipe_wait' and what belongs to it}}
      scf.for %i = %z to %n step %one : i32 {
        %w = nv_tileas.pipe_wait %p : !p
        nv_tileas.pipe_release %p : !p
        scf.continue
      }
      nv_tileas.pipe_release %p : !p
    }
  }
  nv_tileas.return
}

// -----

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
!two = !nv_tileas.buffer<2 x [32x4xf32], #shared>
!p = !nv_tileas.pipe<threads -> threads, !two>
nv_tileas.func @k(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = nv_tileas.alloc_shared : !two
  %p = nv_tileas.pipe_create %a : !two -> !p
  nv_tileas.warp_specialize {
    role "fill" warps(1) {
      %x = nv_tileas.pipe_acquire %p : !p
      nv_tileas.pipe_commit %p : !p
      // expected-note@-2 {{the other}}
    }
    role "read" warps(1) {
      // expected-error@+1 {{'nv_tileas.pipe_acquire' op stands in role "read", but role "fill" executes 'nv_tileas.pipe_acquire' of the same pipe}}
      %w = nv_tileas.pipe_acquire %p : !p
      nv_tileas.pipe_commit %p : !p
      %y = nv_tileas.pipe_wait %p : !p
      nv_tileas.pipe_release %p : !p
    }
  }
  nv_tileas.return
}

// -----

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
!two = !nv_tileas.buffer<2 x [32x4xf32], #shared>
!p = !nv_tileas.pipe<threads -> threads, !two>
nv_tileas.func @k(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = nv_tileas.alloc_shared : !two
  %p = nv_tileas.pipe_create %a : !two -> !p
  nv_tileas.warp_specialize {
    role "fill" warps(1) {
      scf.for %i = %z to %n step %one : i32 {
        // expected-error@+1 {{'nv_tileas.pipe_acquire' op stands in a loop, and nothing releases the stages of its pipe}}
        %x = nv_tileas.pipe_acquire %p : !p
        nv_tileas.pipe_commit %p : !p
        scf.continue
      }
    }
    role "read" warps(1) {
      %y = nv_tileas.pipe_wait %p : !p
    }
  }
  nv_tileas.return
}

// -----

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
!two = !nv_tileas.buffer<2 x [32x4xf32], #shared>
!p = !nv_tileas.pipe<threads -> threads, !two>
nv_tileas.func @k(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = nv_tileas.alloc_shared : !two
  %p = nv_tileas.pipe_create %a : !two -> !p
  nv_tileas.warp_specialize {
    role "fill" warps(1) {
      %x = nv_tileas.pipe_acquire %p : !p
      nv_tileas.pipe_commit %p : !p
    }
    role "read" warps(1) {
      %y = nv_tileas.pipe_wait %p : !p
      // expected-error@+1 {{'nv_tileas.pipe_release' op can lag by 1 to 1 stages, but got 2}}
      nv_tileas.pipe_release %p lag 2 : !p
    }
  }
  nv_tileas.return
}

// -----

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
!two = !nv_tileas.buffer<2 x [32x4xf32], #shared>
!p = !nv_tileas.pipe<threads -> threads, !two>
nv_tileas.func @k(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = nv_tileas.alloc_shared : !two
  %p = nv_tileas.pipe_create %a : !two -> !p
  nv_tileas.warp_specialize {
    role "fill" warps(1) {
      %x = nv_tileas.pipe_acquire %p : !p
      nv_tileas.pipe_commit %p : !p
    }
    role "read" warps(1) {
      %y = nv_tileas.pipe_wait %p : !p
      // expected-note@+1 {{the other}}
      nv_tileas.pipe_release %p lag 1 : !p
      %w = nv_tileas.pipe_wait %p : !p
      // expected-error@+1 {{'nv_tileas.pipe_release' op lags by 0 stages, but another one of its pipe by 1}}
      nv_tileas.pipe_release %p : !p
    }
  }
  nv_tileas.return
}

// -----

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
!two = !nv_tileas.buffer<2 x [32x4xf32], #shared>
!p = !nv_tileas.pipe<threads -> threads, !two>
nv_tileas.func @k(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = nv_tileas.alloc_shared : !two
  %p = nv_tileas.pipe_create %a : !two -> !p
  nv_tileas.warp_specialize {
    role "fill" warps(1) {
      %x = nv_tileas.pipe_acquire %p : !p
      nv_tileas.pipe_commit %p : !p
      // expected-error@+1 {{'nv_tileas.pipe_drain' op drains what MMAs fill or read, but got '!nv_tileas.pipe<threads -> threads, !nv_tileas.buffer<2 x [32x4xf32], #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>>'}}
      nv_tileas.pipe_drain %p : !p
    }
    role "read" warps(1) {
      %y = nv_tileas.pipe_wait %p : !p
      nv_tileas.pipe_release %p : !p
    }
  }
  nv_tileas.return
}

// -----

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
!two = !nv_tileas.buffer<2 x [32x4xf32], #shared>
!p = !nv_tileas.pipe<threads -> threads, !two>
nv_tileas.func @k(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = nv_tileas.alloc_shared : !two
  %p = nv_tileas.pipe_create %a : !two -> !p
  nv_tileas.warp_specialize {
    role "fill" warps(1) {
      %x = nv_tileas.pipe_acquire %p : !p
      nv_tileas.pipe_commit %p : !p
      // expected-error@+1 {{'nv_tileas.pipe_drain' op waits for TMA loads of one CTA, but got '!nv_tileas.pipe<threads -> threads, !nv_tileas.buffer<2 x [32x4xf32], #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">>>'}}
      nv_tileas.pipe_drain %p landed : !p
    }
    role "read" warps(1) {
      %y = nv_tileas.pipe_wait %p : !p
      nv_tileas.pipe_release %p : !p
    }
  }
  nv_tileas.return
}

// -----

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
!two = !nv_tileas.buffer<2 x [32x4xf32], #shared>
!p = !nv_tileas.pipe<threads -> threads, !two>
nv_tileas.func @k(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = nv_tileas.alloc_shared : !two
  %p = nv_tileas.pipe_create %a : !two -> !p
  nv_tileas.warp_specialize {
    role "fill" warps(1) {
      %x = nv_tileas.pipe_acquire %p : !p
      nv_tileas.pipe_commit %p : !p
    }
    role "read" warps(1) {
      %yes = arith.constant true
      // expected-error@+1 {{'arith.select' op uses a pipe, which only operations of pipes do}}
      %q = arith.select %yes, %p, %p : i1, !p
      // expected-error@+1 {{'nv_tileas.pipe_wait' op must use a pipe where it is made, but got one that control flow passes on}}
      %y = nv_tileas.pipe_wait %q : !p
    }
  }
  nv_tileas.return
}

// -----

// A stage that comes back may be acquired again, and still must be acquired before it is handed over.
#accumulator = #nv_tileas.shared<"{shape = [128, 64], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]}">
!c = !nv_tileas.buffer<128x64xf32, #accumulator, space = tmem>
!p = !nv_tileas.pipe<threads <-> mma, !c>
nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 5>} {
  %c = nv_tileas.alloc_tmem : !c
  %p = nv_tileas.pipe_create %c : !c -> !p
  nv_tileas.warp_specialize {
    role "compute" warps(4) {
      %x = nv_tileas.pipe_acquire %p : !p
      %y = nv_tileas.pipe_acquire %p : !p
      nv_tileas.pipe_commit %p : !p
      // expected-error@+1 {{'nv_tileas.pipe_commit' op closes a stage that no 'nv_tileas.pipe_acquire' opened in its block}}
      nv_tileas.pipe_commit %p : !p
    }
    role "mma" warps(1) {
      %x:2 = nv_tileas.pipe_wait %p : !p
      nv_tileas.pipe_release %p : !p
    }
  }
  nv_tileas.return
}
