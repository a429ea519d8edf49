// RUN: tile-opt %s --tileas-plan-copies --gpu-name=sm_80 | FileCheck %s --check-prefix=PLAN
// RUN: tile-opt %s --pass-pipeline='builtin.module(nv_tileas.func(tileas-plan-copies,tileas-materialize-copies))' --gpu-name=sm_80 | FileCheck %s --check-prefix=MADE
// RUN: tile-opt %s --lower-to=ptx --gpu-name=sm_80 --print-artifact=ptx | FileCheck %s --check-prefix=PTX

// Rows that pointers name go to a product by cp.async as those of a view do, in pieces of what is known to be one piece of memory.
// PLAN-LABEL: nv_tileas.func @rows
// PLAN: nv_tileas.load {{.*}}nv_tileas.transfer = "cp.async"
// MADE-LABEL: nv_tileas.func @rows
// MADE-NOT: nv_tileas.load
// MADE: %[[B:.*]] = nv_tileas.alloc_shared : !nv_tileas.buffer<64x64xf16
// MADE: nv_tileas.gather_async %[[B]], %ptrs mask %in : tensor<64x64xi1, {{#[a-z0-9]+}}> {runs = array<i64: 1, 8>}
// MADE: nv_tileas.wait_group 0
// MADE: nv_tileas.local_load %[[B]]
// What is masked off is filled with zeros: no bytes are read.
// PTX-LABEL: .entry rows
// PTX: selp.b32 [[READ:%[a-z0-9]+]], 16, 0, %
// PTX: cp.async.cg.shared.global {{.*}}, 16, [[READ]];

// Two halves at a time, where no more is known.
// PLAN-LABEL: nv_tileas.func @pairs
// PLAN: nv_tileas.load {{.*}}nv_tileas.transfer = "cp.async"
// PTX-LABEL: .entry pairs
// PTX: cp.async.ca.shared.global {{.*}}, 4, %

// What is not: ones where the mask is off, and elements that are not known to be neighbours.
// PLAN-LABEL: nv_tileas.func @unchanged_others
// PLAN: nv_tileas.load {{.*}}nv_tileas.rejected = "cp.async: elements that are masked off are not all zero, and cp.async fills with zeros only"
// PLAN-LABEL: nv_tileas.func @unchanged_alone
// PLAN: nv_tileas.load {{.*}}nv_tileas.rejected = "cp.async: no two of its pointers are known to be neighbours"
// MADE-LABEL: nv_tileas.func @unchanged_others
// MADE-NOT: gather_async
// They are loads of 16 bytes and of elements.
// PTX-LABEL: .entry unchanged_others
// PTX: ld.global.v4.b32
// PTX-LABEL: .entry unchanged_alone
// PTX: ld.global.b16
#rows = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}">
#a = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 0]], block = []}">
#b = #nv_tileas.layout<"{shape = [64, 64], register = [[1, 0], [8, 0], [16, 0], [32, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 32]], block = []}">
#c = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 32]], block = []}">
nv_tileas.func @rows(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64, %k: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %base = nv_tileas.splat %p : !nv_tileas.ptr<f16> -> tensor<64x64x!nv_tileas.ptr<f16>, #rows>
  %range = nv_tileas.make_range : tensor<64xi64, #nv_tileas.layout<"{shape = [64], register = [[1], [2], [4]], lane = [[8], [16], [32], [0], [0]], warp = [[0], [0]], block = []}">>
  %line = nv_tileas.reshape %range : tensor<64xi64, #nv_tileas.layout<"{shape = [64], register = [[1], [2], [4]], lane = [[8], [16], [32], [0], [0]], warp = [[0], [0]], block = []}">> -> tensor<1x64xi64, #nv_tileas.layout<"{shape = [1, 64], register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]], block = []}">>
  %columns = nv_tileas.broadcast %line : tensor<1x64xi64, #nv_tileas.layout<"{shape = [1, 64], register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]], block = []}">> -> tensor<64x64xi64, #rows>
  %end = nv_tileas.splat %k : i64 -> tensor<64x64xi64, #rows>
  %in = arith.cmpi ult, %columns, %end : tensor<64x64xi64, #rows>
  %ptrs = nv_tileas.addptr %base, %columns : tensor<64x64x!nv_tileas.ptr<f16>, #rows>, tensor<64x64xi64, #rows>
  %other = arith.constant dense<0.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #rows>
  %a, %at = nv_tileas.load %ptrs mask %in : tensor<64x64xi1, #rows> other %other : tensor<64x64xf16, #rows> {runs = array<i64: 1, 8>} : tensor<64x64x!nv_tileas.ptr<f16>, #rows> -> tensor<64x64xf16, #rows>, !nv_tileas.mem_token
  %b, %bt = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #rows>
  %0 = nv_tileas.convert_layout %a : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #a>
  %1 = nv_tileas.convert_layout %b : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #b>
  %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #c>
  %d = nv_tileas.dot %0, %1, %c {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x64xf16, #a>, tensor<64x64xf16, #b> -> tensor<64x64xf32, #c>
  %2 = nv_tileas.convert_layout %d : tensor<64x64xf32, #c> -> tensor<64x64xf32, #rows>
  %t = nv_tileas.tiled_store %2, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32, #rows>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
nv_tileas.func @pairs(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64, %k: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %base = nv_tileas.splat %p : !nv_tileas.ptr<f16> -> tensor<64x64x!nv_tileas.ptr<f16>, #rows>
  %range = nv_tileas.make_range : tensor<64xi64, #nv_tileas.layout<"{shape = [64], register = [[1], [2], [4]], lane = [[8], [16], [32], [0], [0]], warp = [[0], [0]], block = []}">>
  %line = nv_tileas.reshape %range : tensor<64xi64, #nv_tileas.layout<"{shape = [64], register = [[1], [2], [4]], lane = [[8], [16], [32], [0], [0]], warp = [[0], [0]], block = []}">> -> tensor<1x64xi64, #nv_tileas.layout<"{shape = [1, 64], register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]], block = []}">>
  %columns = nv_tileas.broadcast %line : tensor<1x64xi64, #nv_tileas.layout<"{shape = [1, 64], register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]], block = []}">> -> tensor<64x64xi64, #rows>
  %end = nv_tileas.splat %k : i64 -> tensor<64x64xi64, #rows>
  %in = arith.cmpi ult, %columns, %end : tensor<64x64xi64, #rows>
  %ptrs = nv_tileas.addptr %base, %columns : tensor<64x64x!nv_tileas.ptr<f16>, #rows>, tensor<64x64xi64, #rows>
  %other = arith.constant dense<0.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #rows>
  %a, %at = nv_tileas.load %ptrs mask %in : tensor<64x64xi1, #rows> other %other : tensor<64x64xf16, #rows> {runs = array<i64: 1, 2>} : tensor<64x64x!nv_tileas.ptr<f16>, #rows> -> tensor<64x64xf16, #rows>, !nv_tileas.mem_token
  %b, %bt = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #rows>
  %0 = nv_tileas.convert_layout %a : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #a>
  %1 = nv_tileas.convert_layout %b : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #b>
  %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #c>
  %d = nv_tileas.dot %0, %1, %c {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x64xf16, #a>, tensor<64x64xf16, #b> -> tensor<64x64xf32, #c>
  %2 = nv_tileas.convert_layout %d : tensor<64x64xf32, #c> -> tensor<64x64xf32, #rows>
  %t = nv_tileas.tiled_store %2, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32, #rows>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
nv_tileas.func @unchanged_others(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64, %k: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %base = nv_tileas.splat %p : !nv_tileas.ptr<f16> -> tensor<64x64x!nv_tileas.ptr<f16>, #rows>
  %range = nv_tileas.make_range : tensor<64xi64, #nv_tileas.layout<"{shape = [64], register = [[1], [2], [4]], lane = [[8], [16], [32], [0], [0]], warp = [[0], [0]], block = []}">>
  %line = nv_tileas.reshape %range : tensor<64xi64, #nv_tileas.layout<"{shape = [64], register = [[1], [2], [4]], lane = [[8], [16], [32], [0], [0]], warp = [[0], [0]], block = []}">> -> tensor<1x64xi64, #nv_tileas.layout<"{shape = [1, 64], register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]], block = []}">>
  %columns = nv_tileas.broadcast %line : tensor<1x64xi64, #nv_tileas.layout<"{shape = [1, 64], register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]], block = []}">> -> tensor<64x64xi64, #rows>
  %end = nv_tileas.splat %k : i64 -> tensor<64x64xi64, #rows>
  %in = arith.cmpi ult, %columns, %end : tensor<64x64xi64, #rows>
  %ptrs = nv_tileas.addptr %base, %columns : tensor<64x64x!nv_tileas.ptr<f16>, #rows>, tensor<64x64xi64, #rows>
  %other = arith.constant dense<1.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #rows>
  %a, %at = nv_tileas.load %ptrs mask %in : tensor<64x64xi1, #rows> other %other : tensor<64x64xf16, #rows> {runs = array<i64: 1, 8>} : tensor<64x64x!nv_tileas.ptr<f16>, #rows> -> tensor<64x64xf16, #rows>, !nv_tileas.mem_token
  %b, %bt = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #rows>
  %0 = nv_tileas.convert_layout %a : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #a>
  %1 = nv_tileas.convert_layout %b : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #b>
  %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #c>
  %d = nv_tileas.dot %0, %1, %c {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x64xf16, #a>, tensor<64x64xf16, #b> -> tensor<64x64xf32, #c>
  %2 = nv_tileas.convert_layout %d : tensor<64x64xf32, #c> -> tensor<64x64xf32, #rows>
  %t = nv_tileas.tiled_store %2, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32, #rows>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
nv_tileas.func @unchanged_alone(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64, %k: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %base = nv_tileas.splat %p : !nv_tileas.ptr<f16> -> tensor<64x64x!nv_tileas.ptr<f16>, #rows>
  %range = nv_tileas.make_range : tensor<64xi64, #nv_tileas.layout<"{shape = [64], register = [[1], [2], [4]], lane = [[8], [16], [32], [0], [0]], warp = [[0], [0]], block = []}">>
  %line = nv_tileas.reshape %range : tensor<64xi64, #nv_tileas.layout<"{shape = [64], register = [[1], [2], [4]], lane = [[8], [16], [32], [0], [0]], warp = [[0], [0]], block = []}">> -> tensor<1x64xi64, #nv_tileas.layout<"{shape = [1, 64], register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]], block = []}">>
  %columns = nv_tileas.broadcast %line : tensor<1x64xi64, #nv_tileas.layout<"{shape = [1, 64], register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]], block = []}">> -> tensor<64x64xi64, #rows>
  %end = nv_tileas.splat %k : i64 -> tensor<64x64xi64, #rows>
  %in = arith.cmpi ult, %columns, %end : tensor<64x64xi64, #rows>
  %ptrs = nv_tileas.addptr %base, %columns : tensor<64x64x!nv_tileas.ptr<f16>, #rows>, tensor<64x64xi64, #rows>
  %other = arith.constant dense<0.000000e+00> : tensor<64x64xf16> as tensor<64x64xf16, #rows>
  %a, %at = nv_tileas.load %ptrs mask %in : tensor<64x64xi1, #rows> other %other : tensor<64x64xf16, #rows> : tensor<64x64x!nv_tileas.ptr<f16>, #rows> -> tensor<64x64xf16, #rows>, !nv_tileas.mem_token
  %b, %bt = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16, #rows>
  %0 = nv_tileas.convert_layout %a : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #a>
  %1 = nv_tileas.convert_layout %b : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #b>
  %c = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #c>
  %d = nv_tileas.dot %0, %1, %c {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x64xf16, #a>, tensor<64x64xf16, #b> -> tensor<64x64xf32, #c>
  %2 = nv_tileas.convert_layout %d : tensor<64x64xf32, #c> -> tensor<64x64xf32, #rows>
  %t = nv_tileas.tiled_store %2, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32, #rows>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
