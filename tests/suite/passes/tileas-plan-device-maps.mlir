// RUN: tile-opt %s --tileas-plan-copies=synchronous=true --gpu-name=sm_90 --tensor-maps=device | FileCheck %s --check-prefix=DEVICE
// RUN: tile-opt %s --pass-pipeline="builtin.module(nv_tileas.func(tileas-plan-copies{synchronous=true short=true}))" --gpu-name=sm_90 --tensor-maps=device | FileCheck %s --check-prefix=SHORT
// RUN: tile-opt %s --tileas-plan-copies=synchronous=true --gpu-name=sm_90 --tensor-maps=params | FileCheck %s --check-prefix=SHORT

// A map that each tile block makes must be paid for by the turns of loops: 3 x 493 cycles, of which a copy of 64x64 gains 12, and 16 for half of a fence and a barrier.
// SHORT-COUNT-7: nv_tileas.transfer = "tma"

// 52 turns are one less than that takes.
// DEVICE-LABEL: nv_tileas.func @short
// DEVICE: nv_tileas.rejected = "tma: a map that each CTA makes costs about 1479 cycles, and 52 copies gain about 28 each; cp.async:
// DEVICE-LABEL: nv_tileas.func @long
// DEVICE: nv_tileas.transfer = "tma"

// All turns count, of the loops outside too. A loop of which nothing is known is long, and so is one around others that
// are known, as that of a persistent kernel.
// DEVICE-LABEL: nv_tileas.func @nested
// DEVICE: nv_tileas.transfer = "tma"
// DEVICE-LABEL: nv_tileas.func @tiles
// DEVICE: nv_tileas.transfer = "tma"
// DEVICE-LABEL: nv_tileas.func @unknown
// DEVICE: nv_tileas.transfer = "tma"

// Iterations are counted no further than a number of 64 bits goes, whether bounds say so or versions of a loop.
// DEVICE-LABEL: nv_tileas.func @endless
// DEVICE: nv_tileas.transfer = "tma"
// DEVICE-LABEL: nv_tileas.func @versions
// DEVICE: nv_tileas.transfer = "tma"
#layout = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}">
#layout1 = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 0]], block = []}">
#layout2 = #nv_tileas.layout<"{shape = [64, 64], register = [[1, 0], [8, 0], [16, 0], [32, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 32]], block = []}">
#layout3 = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 32]], block = []}">
module {
  nv_tileas.func @short(%p: !nv_tileas.ptr<f16>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %u = arith.constant 52 : i32
    %o = arith.constant 1 : i32
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #layout3>
    %f = arith.constant dense<0.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #layout2>
    %r = scf.for %i = %i0 to %o step %i1 iter_args(%acc = %c) -> (tensor<64x64xf32, #layout3>) : i32 {
      %v = scf.for %j = %i0 to %u step %i1 iter_args(%sum = %acc) -> (tensor<64x64xf32, #layout3>) : i32 {
        %jj = arith.extsi %j : i32 to i64
        %a, %at = nv_tileas.tiled_load %p[%jj, %z] sizes [%s, %s] strides [%s, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout>
        %0 = nv_tileas.convert_layout %a : tensor<64x64xf16, #layout> -> tensor<64x64xf16, #layout1>
        %d = nv_tileas.dot %0, %f, %sum {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x64xf16, #layout1>, tensor<64x64xf16, #layout2> -> tensor<64x64xf32, #layout3>
        scf.continue %d : tensor<64x64xf32, #layout3>
      }
      scf.continue %v : tensor<64x64xf32, #layout3>
    }
    nv_tileas.return
  }
  nv_tileas.func @long(%p: !nv_tileas.ptr<f16>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %u = arith.constant 53 : i32
    %o = arith.constant 1 : i32
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #layout3>
    %f = arith.constant dense<0.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #layout2>
    %r = scf.for %i = %i0 to %o step %i1 iter_args(%acc = %c) -> (tensor<64x64xf32, #layout3>) : i32 {
      %v = scf.for %j = %i0 to %u step %i1 iter_args(%sum = %acc) -> (tensor<64x64xf32, #layout3>) : i32 {
        %jj = arith.extsi %j : i32 to i64
        %a, %at = nv_tileas.tiled_load %p[%jj, %z] sizes [%s, %s] strides [%s, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout>
        %0 = nv_tileas.convert_layout %a : tensor<64x64xf16, #layout> -> tensor<64x64xf16, #layout1>
        %d = nv_tileas.dot %0, %f, %sum {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x64xf16, #layout1>, tensor<64x64xf16, #layout2> -> tensor<64x64xf32, #layout3>
        scf.continue %d : tensor<64x64xf32, #layout3>
      }
      scf.continue %v : tensor<64x64xf32, #layout3>
    }
    nv_tileas.return
  }
  nv_tileas.func @nested(%p: !nv_tileas.ptr<f16>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %u = arith.constant 30 : i32
    %o = arith.constant 4 : i32
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #layout3>
    %f = arith.constant dense<0.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #layout2>
    %r = scf.for %i = %i0 to %o step %i1 iter_args(%acc = %c) -> (tensor<64x64xf32, #layout3>) : i32 {
      %v = scf.for %j = %i0 to %u step %i1 iter_args(%sum = %acc) -> (tensor<64x64xf32, #layout3>) : i32 {
        %jj = arith.extsi %j : i32 to i64
        %a, %at = nv_tileas.tiled_load %p[%jj, %z] sizes [%s, %s] strides [%s, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout>
        %0 = nv_tileas.convert_layout %a : tensor<64x64xf16, #layout> -> tensor<64x64xf16, #layout1>
        %d = nv_tileas.dot %0, %f, %sum {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x64xf16, #layout1>, tensor<64x64xf16, #layout2> -> tensor<64x64xf32, #layout3>
        scf.continue %d : tensor<64x64xf32, #layout3>
      }
      scf.continue %v : tensor<64x64xf32, #layout3>
    }
    nv_tileas.return
  }
  nv_tileas.func @tiles(%p: !nv_tileas.ptr<f16>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %u = arith.constant 30 : i32
    %o = arith.constant 1 : i32
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #layout3>
    %f = arith.constant dense<0.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #layout2>
    %r = scf.for %i = %i0 to %n step %i1 iter_args(%acc = %c) -> (tensor<64x64xf32, #layout3>) : i32 {
      %v = scf.for %j = %i0 to %u step %i1 iter_args(%sum = %acc) -> (tensor<64x64xf32, #layout3>) : i32 {
        %jj = arith.extsi %j : i32 to i64
        %a, %at = nv_tileas.tiled_load %p[%jj, %z] sizes [%s, %s] strides [%s, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout>
        %0 = nv_tileas.convert_layout %a : tensor<64x64xf16, #layout> -> tensor<64x64xf16, #layout1>
        %d = nv_tileas.dot %0, %f, %sum {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x64xf16, #layout1>, tensor<64x64xf16, #layout2> -> tensor<64x64xf32, #layout3>
        scf.continue %d : tensor<64x64xf32, #layout3>
      }
      scf.continue %v : tensor<64x64xf32, #layout3>
    }
    nv_tileas.return
  }
  nv_tileas.func @unknown(%p: !nv_tileas.ptr<f16>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %u = arith.constant 1 : i32
    %o = arith.constant 1 : i32
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #layout3>
    %f = arith.constant dense<0.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #layout2>
    %r = scf.for %i = %i0 to %o step %i1 iter_args(%acc = %c) -> (tensor<64x64xf32, #layout3>) : i32 {
      %v = scf.for %j = %i0 to %n step %i1 iter_args(%sum = %acc) -> (tensor<64x64xf32, #layout3>) : i32 {
        %jj = arith.extsi %j : i32 to i64
        %a, %at = nv_tileas.tiled_load %p[%jj, %z] sizes [%s, %s] strides [%s, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout>
        %0 = nv_tileas.convert_layout %a : tensor<64x64xf16, #layout> -> tensor<64x64xf16, #layout1>
        %d = nv_tileas.dot %0, %f, %sum {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x64xf16, #layout1>, tensor<64x64xf16, #layout2> -> tensor<64x64xf32, #layout3>
        scf.continue %d : tensor<64x64xf32, #layout3>
      }
      scf.continue %v : tensor<64x64xf32, #layout3>
    }
    nv_tileas.return
  }
  nv_tileas.func @endless(%p: !nv_tileas.ptr<f16>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %u = arith.addi %n, %i0 : i32
    %o = arith.constant 4611686018427387904 : i64
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #layout3>
    %f = arith.constant dense<0.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #layout2>
    %r = scf.for %i = %z to %o step %one iter_args(%acc = %c) -> (tensor<64x64xf32, #layout3>) : i64 {
      %v = scf.for %j = %i0 to %u step %i1 iter_args(%sum = %acc) -> (tensor<64x64xf32, #layout3>) : i32 {
        %jj = arith.extsi %j : i32 to i64
        %a, %at = nv_tileas.tiled_load %p[%jj, %z] sizes [%s, %s] strides [%s, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout>
        %0 = nv_tileas.convert_layout %a : tensor<64x64xf16, #layout> -> tensor<64x64xf16, #layout1>
        %d = nv_tileas.dot %0, %f, %sum {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x64xf16, #layout1>, tensor<64x64xf16, #layout2> -> tensor<64x64xf32, #layout3>
        scf.continue %d : tensor<64x64xf32, #layout3>
      }
      scf.continue %v : tensor<64x64xf32, #layout3>
    }
    nv_tileas.return
  }
  nv_tileas.func @versions(%p: !nv_tileas.ptr<f16>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %u = arith.addi %n, %i0 : i32
    %o = arith.constant 4 : i32
    %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #layout3>
    %f = arith.constant dense<0.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #layout2>
    %r = scf.for %i = %i0 to %o step %i1 iter_args(%acc = %c) -> (tensor<64x64xf32, #layout3>) : i32 {
      %v = scf.for %j = %i0 to %u step %i1 iter_args(%sum = %acc) -> (tensor<64x64xf32, #layout3>) : i32 {
        %jj = arith.extsi %j : i32 to i64
        %a, %at = nv_tileas.tiled_load %p[%jj, %z] sizes [%s, %s] strides [%s, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #layout>
        %0 = nv_tileas.convert_layout %a : tensor<64x64xf16, #layout> -> tensor<64x64xf16, #layout1>
        %d = nv_tileas.dot %0, %f, %sum {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x64xf16, #layout1>, tensor<64x64xf16, #layout2> -> tensor<64x64xf32, #layout3>
        scf.continue %d : tensor<64x64xf32, #layout3>
      }
      scf.continue %v : tensor<64x64xf32, #layout3>
    } {nv_tileaa.version = "otherwise", nv_tileaa.trips = 4611686018427387904 : i64}
    nv_tileas.return
  }
}
