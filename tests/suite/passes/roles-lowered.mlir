// RUN: tile-opt %s --split-input-file --convert-tileas-to-nvvm --gpu-name=sm_90 | FileCheck %s
// RUN: tile-opt %s --split-input-file --pass-pipeline='builtin.module(convert-tileas-to-nvvm,nvvm.func(nvvm-expand-math,nvvm-legalize-arith),emit-ptx)' --gpu-name=sm_90 --print-artifact=ptx | FileCheck %s --check-prefix=PTX
// RUN: tile-opt %s --split-input-file --pass-pipeline='builtin.module(convert-tileas-to-nvvm,nvvm.func(nvvm-expand-math,nvvm-legalize-arith),emit-ptx)' --gpu-name=sm_80 --print-artifact=ptx | FileCheck %s --check-prefix=OLD

#rows = #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0], [0, 0]], block = []}">
#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">

// Twelve warps are launched with as many registers as they can all have; four of them give back, eight take. All meet where roles begin, not where the kernel ends behind them. Barriers of one role have its threads
// as participants, and threads are counted from its first.
// CHECK-LABEL: nvvm.func @registers
// CHECK-SAME: nvvm.reqntid = array<i32: 384>
// CHECK-SAME: nvvm.maxnreg = 168 : i32
// CHECK: nvvm.barrier{{$}}
// CHECK: cf.cond_br
// CHECK: nvvm.setmaxnreg more 240
// CHECK: nvvm.barrier id 1 threads 256
// CHECK: nvvm.setmaxnreg 24
// CHECK: nvvm.barrier.arrive id 2 threads 384
// CHECK-NOT: nvvm.barrier{{$}}
// CHECK: nvvm.return
// PTX-LABEL: .entry registers
// PTX: .maxnreg 168
// PTX: setmaxnreg.inc.sync.aligned.u32 240;
// PTX: bar.sync 1, 256;
// PTX: setmaxnreg.dec.sync.aligned.u32 24;
// PTX: bar.arrive 2, 384;
// OLD-LABEL: .entry registers
// OLD-NOT: setmaxnreg
nv_tileas.func @registers(%x: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 12>, nv_tileas.shared_bytes = 512 : i32} {
  %m = nv_tileas.alloc_shared at 0 : !nv_tileas.buffer<32x4xi32, #shared>
  nv_tileas.warp_specialize {
    role "compute" warps(8) regs(240) {
      nv_tileas.barrier id 1 warps 8
      nv_tileas.barrier id 2 warps 12
    }
    role "load" warps(4) regs(24) {
      %s = nv_tileas.splat %x : i32 -> tensor<32x4xi32, #rows>
      nv_tileas.local_store %s, %m : tensor<32x4xi32, #rows>, !nv_tileas.buffer<32x4xi32, #shared>
      nv_tileas.barrier_arrive id 2 warps 12
    }
  }
  nv_tileas.return
}

// -----

#shared = #nv_tileas.shared<"{shape = [1], offset = []}">

// Three roles, the last of one warp; one lane of each warp arrives, and something stands behind the roles.
// CHECK-LABEL: nvvm.func @three
// CHECK-NOT: nvvm.maxnreg
// CHECK: nvvm.barrier{{$}}
// CHECK: cf.cond_br
// CHECK: nvvm.elect.sync
// CHECK: nvvm.bar.warp.sync
// CHECK: nvvm.mbarrier.arrive %{{.*}} if %{{.*}} :
// CHECK: nvvm.mbarrier.wait.parity
// CHECK: nvvm.barrier{{$}}
// CHECK: nvvm.mbarrier.inval
// PTX-LABEL: .entry three
// PTX: bar.warp.sync 0xffffffff;
// OLD-LABEL: .entry three
nv_tileas.func @three(%p: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>, nv_tileas.shared_bytes = 512 : i32} {
  %m = nv_tileas.alloc_shared at 0 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
  nv_tileas.mbarrier_init %m, 2 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
  nv_tileas.warp_specialize {
    role "a" warps(2) {
      nv_tileas.mbarrier_arrive %m, 2 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
    }
    role "b" warps(1) {
      nv_tileas.mbarrier_wait %m, %p : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>, i32
    }
    role "c" warps(1) {
    }
  }
  nv_tileas.mbarrier_inval %m : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared>
  nv_tileas.return
}
