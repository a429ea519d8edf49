// RUN: tile-opt %s --split-input-file --canonicalize --cse --licm --gpu-name=sm_90 | FileCheck %s
// RUN: tile-opt %s --split-input-file --tileas-allocate-shared --tileas-insert-barriers --gpu-name=sm_90 | FileCheck %s --check-prefix=PLACED

#rows = #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">
#cols = #nv_tileas.layout<"{shape = [32, 4], register = [[8, 0], [16, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [], block = []}">
#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">

// Constants, what a loop repeats and what two roles have in common stay in the role that needs them: tensors there have layouts of that role's warps.
// CHECK-LABEL: nv_tileas.func @stays
// CHECK-NEXT: %[[M:.*]] = nv_tileas.alloc_shared
// CHECK-NOT: arith.constant
// CHECK: nv_tileas.warp_specialize
// CHECK-NEXT: role "a" warps(1)
// CHECK: arith.constant dense<7>
// CHECK: nv_tileas.local_store
// CHECK: role "b" warps(1)
// CHECK: arith.constant dense<7>
// CHECK: %[[S:.*]] = nv_tileas.splat
// CHECK: scf.for
// CHECK-NEXT: nv_tileas.local_store %[[S]]
// PLACED-LABEL: nv_tileas.func @stays
nv_tileas.func @stays(%x: i32, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<32x4xi32, #shared>
  %o = nv_tileas.alloc_shared : !nv_tileas.buffer<32x4xi32, #shared>
  nv_tileas.warp_specialize {
    role "a" warps(1) {
      %k = arith.constant dense<7> : tensor<32x4xi32> as tensor<32x4xi32, #rows>
      nv_tileas.local_store %k, %m : tensor<32x4xi32, #rows>, !nv_tileas.buffer<32x4xi32, #shared>
    }
    role "b" warps(1) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %k = arith.constant dense<7> : tensor<32x4xi32> as tensor<32x4xi32, #rows>
      nv_tileas.local_store %k, %o : tensor<32x4xi32, #rows>, !nv_tileas.buffer<32x4xi32, #shared>
      scf.for %i = %c0 to %n step %c1 : i32 {
        %s = nv_tileas.splat %x : i32 -> tensor<32x4xi32, #rows>
        nv_tileas.local_store %s, %o : tensor<32x4xi32, #rows>, !nv_tileas.buffer<32x4xi32, #shared>
        scf.continue
      }
    }
  }
  nv_tileas.return
}

// -----

#rows = #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">
#cols = #nv_tileas.layout<"{shape = [32, 4], register = [[8, 0], [16, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [], block = []}">
#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">

// Buffers of roles live through all of them; a role gets barriers of its own warps, with an id that nothing else uses.
// PLACED-LABEL: nv_tileas.func @placed
// PLACED: role "a"
// PLACED: nv_tileas.alloc_shared at [[A:0|512]] :
// PLACED: nv_tileas.local_store
// PLACED-NEXT: nv_tileas.barrier id 2 warps 1
// PLACED-NEXT: nv_tileas.local_load
// PLACED: nv_tileas.dealloc_shared
// PLACED: role "b"
// PLACED-NOT: nv_tileas.alloc_shared at [[A]] :
// PLACED: nv_tileas.barrier id 1 warps 1
// PLACED-NOT: nv_tileas.barrier
// PLACED: nv_tileas.return
nv_tileas.func @placed(%x: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  nv_tileas.warp_specialize {
    role "a" warps(1) {
      %s = nv_tileas.splat %x : i32 -> tensor<32x4xi32, #rows>
      %m = nv_tileas.alloc_shared : !nv_tileas.buffer<32x4xi32, #shared>
      nv_tileas.local_store %s, %m : tensor<32x4xi32, #rows>, !nv_tileas.buffer<32x4xi32, #shared>
      %t = nv_tileas.local_load %m : !nv_tileas.buffer<32x4xi32, #shared> -> tensor<32x4xi32, #cols>
      nv_tileas.dealloc_shared %m : !nv_tileas.buffer<32x4xi32, #shared>
    }
    role "b" warps(1) {
      %s = nv_tileas.splat %x : i32 -> tensor<32x4xi32, #rows>
      %m = nv_tileas.alloc_shared : !nv_tileas.buffer<32x4xi32, #shared>
      nv_tileas.local_store %s, %m : tensor<32x4xi32, #rows>, !nv_tileas.buffer<32x4xi32, #shared>
      nv_tileas.barrier id 1 warps 1
      %t = nv_tileas.local_load %m : !nv_tileas.buffer<32x4xi32, #shared> -> tensor<32x4xi32, #cols>
    }
  }
  nv_tileas.return
}
