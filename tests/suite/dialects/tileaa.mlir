// RUN: tile-opt %s | tile-opt - | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt - | FileCheck %s

// Every operation of nv_tileaa, with every optional clause, in both forms.
// The same rows exist in nv_tileas: see tileas.mlir.

// CHECK-LABEL: nv_tileaa.global @table = dense<[1, 2, 3, 4]> : tensor<4xi32>
nv_tileaa.global @table = dense<[1, 2, 3, 4]> : tensor<4xi32>
// CHECK-LABEL: nv_tileaa.global @flags = dense<0> : tensor<8xi8> {alignment = 128 : i64, constant}
nv_tileaa.global @flags = dense<0> : tensor<8xi8> {alignment = 128 : i64, constant}

// The fields of the kernel spec are printed in their order, those that say nothing not at all.
// CHECK-LABEL: nv_tileaa.func @spec() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, occupancy = 2, num_stages = 3, persistent>} {
nv_tileaa.func @spec() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<persistent, num_stages = 3, occupancy = 2, num_ctas = 1, num_warps = 4>} {
  nv_tileaa.return
}
// CHECK-LABEL: nv_tileaa.func @spec_open() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_stages = 1>} {
nv_tileaa.func @spec_open() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_stages = 0x1>} {
  nv_tileaa.return
}
// CHECK-LABEL: nv_tileaa.func @structure(%p: !nv_tileaa.ptr<f32>, %i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 2, occupancy = 4>} {
nv_tileaa.func @structure(%p: !nv_tileaa.ptr<f32>, %i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 2, occupancy = 4>} {
  // CHECK: %x, %y, %z = nv_tileaa.get_program_id : i32, i32, i32
  %x, %y, %z = nv_tileaa.get_program_id : i32, i32, i32
  // CHECK: %rank = nv_tileaa.get_cta_rank : i32
  %rank = nv_tileaa.get_cta_rank : i32
  %ranks = nv_tileaa.splat %rank : i32 -> tensor<4x1xi32>
  // CHECK: nv_tileaa.all_gather %ranks dim 1 : tensor<4x1xi32> -> tensor<4x2xi32>
  %all_ranks = nv_tileaa.all_gather %ranks dim 1 : tensor<4x1xi32> -> tensor<4x2xi32>
  // CHECK: %together = nv_tileaa.cluster_sync -> !nv_tileaa.mem_token
  %together = nv_tileaa.cluster_sync -> !nv_tileaa.mem_token
  // CHECK: %again = nv_tileaa.cluster_sync %together : !nv_tileaa.mem_token -> !nv_tileaa.mem_token
  %again = nv_tileaa.cluster_sync %together : !nv_tileaa.mem_token -> !nv_tileaa.mem_token
  // CHECK: %w, %h, %d = nv_tileaa.get_num_programs : i32, i32, i32
  %w, %h, %d = nv_tileaa.get_num_programs : i32, i32, i32
  // CHECK: %g = nv_tileaa.get_global "table" : !nv_tileaa.ptr<i32>
  %g = nv_tileaa.get_global "table" : !nv_tileaa.ptr<i32>
  // CHECK: nv_tileaa.return
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @shapes(%p: !nv_tileaa.ptr<f32>, %i: i32, %f: f32) attributes {note = "kept"} {
nv_tileaa.func @shapes(%p: !nv_tileaa.ptr<f32>, %i: i32, %f: f32) attributes {note = "kept"} {
  // CHECK: %s = nv_tileaa.splat %i : i32 -> tensor<1x4xi32>
  %s = nv_tileaa.splat %i : i32 -> tensor<1x4xi32>
  // CHECK: %ps = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<4x!nv_tileaa.ptr<f32>>
  %ps = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<4x!nv_tileaa.ptr<f32>>
  // CHECK: %one = nv_tileaa.splat %f : f32 -> tensor<1xf32>
  %one = nv_tileaa.splat %f : f32 -> tensor<1xf32>
  // CHECK: %u = nv_tileaa.unsplat %one : tensor<1xf32> -> f32
  %u = nv_tileaa.unsplat %one : tensor<1xf32> -> f32
  // CHECK: %r = nv_tileaa.reshape %s : tensor<1x4xi32> -> tensor<2x2xi32>
  %r = nv_tileaa.reshape %s : tensor<1x4xi32> -> tensor<2x2xi32>
  // CHECK: %b = nv_tileaa.broadcast %s : tensor<1x4xi32> -> tensor<8x4xi32>
  %b = nv_tileaa.broadcast %s : tensor<1x4xi32> -> tensor<8x4xi32>
  // CHECK: %t = nv_tileaa.permute %b [1, 0] : tensor<8x4xi32> -> tensor<4x8xi32>
  %t = nv_tileaa.permute %b [1, 0] : tensor<8x4xi32> -> tensor<4x8xi32>
  // CHECK: %n = nv_tileaa.make_range : tensor<4xi32>
  %n = nv_tileaa.make_range : tensor<4xi32>
  // CHECK: %q = nv_tileaa.addptr %ps, %n : tensor<4x!nv_tileaa.ptr<f32>>, tensor<4xi32>
  %q = nv_tileaa.addptr %ps, %n : tensor<4x!nv_tileaa.ptr<f32>>, tensor<4xi32>
  // CHECK: %q0 = nv_tileaa.addptr %p, %i {note = "kept"} : !nv_tileaa.ptr<f32>, i32
  %q0 = nv_tileaa.addptr %p, %i {note = "kept"} : !nv_tileaa.ptr<f32>, i32
  // CHECK: %part = nv_tileaa.extract %t[%i, %i] : tensor<4x8xi32>, i32, i32 -> tensor<2x4xi32>
  %part = nv_tileaa.extract %t[%i, %i] : tensor<4x8xi32>, i32, i32 -> tensor<2x4xi32>
  // CHECK: %whole = nv_tileaa.insert %part, %t[%i, %i] : tensor<2x4xi32>, tensor<4x8xi32>, i32, i32
  %whole = nv_tileaa.insert %part, %t[%i, %i] : tensor<2x4xi32>, tensor<4x8xi32>, i32, i32
  // CHECK: %cat = nv_tileaa.cat %part, %part dim 0 : tensor<2x4xi32>, tensor<2x4xi32> -> tensor<4x4xi32>
  %cat = nv_tileaa.cat %part, %part dim 0 : tensor<2x4xi32>, tensor<2x4xi32> -> tensor<4x4xi32>
  // CHECK: %bytes = nv_tileaa.pack %n : tensor<4xi32> -> tensor<16xi8>
  %bytes = nv_tileaa.pack %n : tensor<4xi32> -> tensor<16xi8>
  // CHECK: %halves = nv_tileaa.unpack %bytes : tensor<16xi8> -> tensor<8xf16>
  %halves = nv_tileaa.unpack %bytes : tensor<16xi8> -> tensor<8xf16>
  // CHECK: %a = nv_tileaa.ptr_to_int %ps : tensor<4x!nv_tileaa.ptr<f32>> -> tensor<4xi64>
  %a = nv_tileaa.ptr_to_int %ps : tensor<4x!nv_tileaa.ptr<f32>> -> tensor<4xi64>
  // CHECK: %c = nv_tileaa.int_to_ptr %a : tensor<4xi64> -> tensor<4x!nv_tileaa.ptr<f32>>
  %c = nv_tileaa.int_to_ptr %a : tensor<4xi64> -> tensor<4x!nv_tileaa.ptr<f32>>
  // CHECK: %e = nv_tileaa.ptr_to_ptr %c : tensor<4x!nv_tileaa.ptr<f32>> -> tensor<4x!nv_tileaa.ptr<i8>>
  %e = nv_tileaa.ptr_to_ptr %c : tensor<4x!nv_tileaa.ptr<f32>> -> tensor<4x!nv_tileaa.ptr<i8>>
  // CHECK: %pp = nv_tileaa.ptr_to_ptr %p : !nv_tileaa.ptr<f32> -> !nv_tileaa.ptr<!nv_tileaa.ptr<f32>>
  %pp = nv_tileaa.ptr_to_ptr %p : !nv_tileaa.ptr<f32> -> !nv_tileaa.ptr<!nv_tileaa.ptr<f32>>
  // CHECK: nv_tileaa.return
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @combine(%i: i32, %f: f32, %h: f16, %e: f8E4M3FN, %m: f8E8M0FNU, %b: i8, %c: i1) {
nv_tileaa.func @combine(%i: i32, %f: f32, %h: f16, %e: f8E4M3FN, %m: f8E8M0FNU, %b: i8, %c: i1) {
  // CHECK: %x = nv_tileaa.splat %f : f32 -> tensor<4x8xf32>
  %x = nv_tileaa.splat %f : f32 -> tensor<4x8xf32>
  // CHECK: %n = nv_tileaa.splat %i : i32 -> tensor<4x8xi32>
  %n = nv_tileaa.splat %i : i32 -> tensor<4x8xi32>
  // CHECK: %sum = nv_tileaa.reduce (%x) {dim = 1 : i64} : (tensor<4x8xf32>) -> tensor<4xf32> (%acc: f32, %elem: f32) {
  %sum = nv_tileaa.reduce (%x) {dim = 1 : i64} : (tensor<4x8xf32>) -> tensor<4xf32> (%acc: f32, %elem: f32) {
    // CHECK: %s = arith.addf %acc, %elem : f32
    %s = arith.addf %acc, %elem : f32
    // CHECK: nv_tileaa.yield %s : f32
    nv_tileaa.yield %s : f32
  }
  // CHECK: %all = nv_tileaa.reduce (%sum) {dim = 0 : i64, identities = [0.000000e+00 : f32]} : (tensor<4xf32>) -> f32 (%acc: f32, %elem: f32) {
  %all = nv_tileaa.reduce (%sum) {dim = 0 : i64, identities = [0.000000e+00 : f32]} : (tensor<4xf32>) -> f32 (%acc: f32, %elem: f32) {
    // CHECK: nv_tileaa.yield %elem : f32
    nv_tileaa.yield %elem : f32
  }
  // CHECK: %arg:2 = nv_tileaa.reduce (%x, %n) {dim = 0 : i64} : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<8xf32>, tensor<8xi32>) (%a: f32, %v: f32, %j: i32, %k: i32) {
  %arg:2 = nv_tileaa.reduce (%x, %n) {dim = 0 : i64} : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<8xf32>, tensor<8xi32>) (%a: f32, %v: f32, %j: i32, %k: i32) {
    // CHECK: nv_tileaa.yield %v, %k : f32, i32
    nv_tileaa.yield %v, %k : f32, i32
  }
  // CHECK: %up = nv_tileaa.scan (%x) {dim = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32> (%acc: f32, %elem: f32) {
  %up = nv_tileaa.scan (%x) {dim = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32> (%acc: f32, %elem: f32) {
    // CHECK: %s = arith.mulf %acc, %elem : f32
    %s = arith.mulf %acc, %elem : f32
    // CHECK: nv_tileaa.yield %s : f32
    nv_tileaa.yield %s : f32
  }
  // CHECK: %down = nv_tileaa.scan (%n) {dim = 0 : i64, reverse, identities = [0 : i32]} : (tensor<4x8xi32>) -> tensor<4x8xi32> (%acc: i32, %elem: i32) {
  %down = nv_tileaa.scan (%n) {dim = 0 : i64, reverse, identities = [0 : i32]} : (tensor<4x8xi32>) -> tensor<4x8xi32> (%acc: i32, %elem: i32) {
    // CHECK: nv_tileaa.yield %acc : i32
    nv_tileaa.yield %acc : i32
  }
  // CHECK: %lhs = nv_tileaa.splat %h : f16 -> tensor<16x8xf16>
  %lhs = nv_tileaa.splat %h : f16 -> tensor<16x8xf16>
  // CHECK: %rhs = nv_tileaa.splat %h : f16 -> tensor<8x16xf16>
  %rhs = nv_tileaa.splat %h : f16 -> tensor<8x16xf16>
  // CHECK: %zero = nv_tileaa.splat %f : f32 -> tensor<16x16xf32>
  %zero = nv_tileaa.splat %f : f32 -> tensor<16x16xf32>
  // CHECK: %p = nv_tileaa.dot %lhs, %rhs, %zero : tensor<16x8xf16>, tensor<8x16xf16> -> tensor<16x16xf32>
  %p = nv_tileaa.dot %lhs, %rhs, %zero : tensor<16x8xf16>, tensor<8x16xf16> -> tensor<16x16xf32>
  // CHECK: %bl = nv_tileaa.splat %b : i8 -> tensor<2x16x32xi8>
  %bl = nv_tileaa.splat %b : i8 -> tensor<2x16x32xi8>
  // CHECK: %br = nv_tileaa.splat %b : i8 -> tensor<2x32x8xi8>
  %br = nv_tileaa.splat %b : i8 -> tensor<2x32x8xi8>
  // CHECK: %bc = nv_tileaa.splat %i : i32 -> tensor<2x16x8xi32>
  %bc = nv_tileaa.splat %i : i32 -> tensor<2x16x8xi32>
  // CHECK: %q = nv_tileaa.dot %bl, %br, %bc {unsigned_lhs, unsigned_rhs} : tensor<2x16x32xi8>, tensor<2x32x8xi8> -> tensor<2x16x8xi32>
  %q = nv_tileaa.dot %bl, %br, %bc {unsigned_lhs, unsigned_rhs} : tensor<2x16x32xi8>, tensor<2x32x8xi8> -> tensor<2x16x8xi32>
  // CHECK: %sl = nv_tileaa.splat %e : f8E4M3FN -> tensor<16x64xf8E4M3FN>
  %sl = nv_tileaa.splat %e : f8E4M3FN -> tensor<16x64xf8E4M3FN>
  // CHECK: %sr = nv_tileaa.splat %e : f8E4M3FN -> tensor<64x16xf8E4M3FN>
  %sr = nv_tileaa.splat %e : f8E4M3FN -> tensor<64x16xf8E4M3FN>
  // CHECK: %ml = nv_tileaa.splat %m : f8E8M0FNU -> tensor<16x2xf8E8M0FNU>
  %ml = nv_tileaa.splat %m : f8E8M0FNU -> tensor<16x2xf8E8M0FNU>
  // CHECK: %mr = nv_tileaa.splat %m : f8E8M0FNU -> tensor<2x16xf8E8M0FNU>
  %mr = nv_tileaa.splat %m : f8E8M0FNU -> tensor<2x16xf8E8M0FNU>
  // CHECK: %scaled = nv_tileaa.dot_scaled %sl, %sr, %zero, %ml, %mr : tensor<16x64xf8E4M3FN>, tensor<64x16xf8E4M3FN>, tensor<16x2xf8E8M0FNU>, tensor<2x16xf8E8M0FNU> -> tensor<16x16xf32>
  %scaled = nv_tileaa.dot_scaled %sl, %sr, %zero, %ml, %mr : tensor<16x64xf8E4M3FN>, tensor<64x16xf8E4M3FN>, tensor<16x2xf8E8M0FNU>, tensor<2x16xf8E8M0FNU> -> tensor<16x16xf32>
  // CHECK: nv_tileaa.return
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @order(%c: i1) {
nv_tileaa.func @order(%c: i1) {
  // CHECK: %t = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
  %t = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
  // CHECK: %u = nv_tileaa.join_mem_token %t
  %u = nv_tileaa.join_mem_token %t
  // CHECK: %v = nv_tileaa.join_mem_token %t, %u {note = "kept"}
  %v = nv_tileaa.join_mem_token %t, %u {note = "kept"}
  // CHECK: %a = nv_tileaa.grid_wait -> !nv_tileaa.mem_token
  %a = nv_tileaa.grid_wait -> !nv_tileaa.mem_token
  // CHECK: %b = nv_tileaa.grid_wait %v : !nv_tileaa.mem_token -> !nv_tileaa.mem_token
  %b = nv_tileaa.grid_wait %v : !nv_tileaa.mem_token -> !nv_tileaa.mem_token
  // CHECK: %d = nv_tileaa.grid_launch_dependents -> !nv_tileaa.mem_token
  %d = nv_tileaa.grid_launch_dependents -> !nv_tileaa.mem_token
  // CHECK: %e = nv_tileaa.grid_launch_dependents %b : !nv_tileaa.mem_token -> !nv_tileaa.mem_token
  %e = nv_tileaa.grid_launch_dependents %b : !nv_tileaa.mem_token -> !nv_tileaa.mem_token
  // CHECK: %f = nv_tileaa.fence_alias -> !nv_tileaa.mem_token
  %f = nv_tileaa.fence_alias -> !nv_tileaa.mem_token
  // CHECK: %g = nv_tileaa.fence_alias %e : !nv_tileaa.mem_token -> !nv_tileaa.mem_token
  %g = nv_tileaa.fence_alias %e : !nv_tileaa.mem_token -> !nv_tileaa.mem_token
  // CHECK: nv_tileaa.assert %c, "must hold" : i1
  nv_tileaa.assert %c, "must hold" : i1
  // CHECK: %h = nv_tileaa.print "text" -> !nv_tileaa.mem_token
  %h = nv_tileaa.print "text" -> !nv_tileaa.mem_token
  // CHECK: %i = nv_tileaa.print "%i %i", %c, %c : i1, i1 token %h : !nv_tileaa.mem_token -> !nv_tileaa.mem_token
  %i = nv_tileaa.print "%i %i", %c, %c : i1, i1 token %h : !nv_tileaa.mem_token -> !nv_tileaa.mem_token
  // CHECK: nv_tileaa.return
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @tiles(%p: !nv_tileaa.ptr<f32>, %o: i64, %n: i64, %s: i64, %x: f32) {
nv_tileaa.func @tiles(%p: !nv_tileaa.ptr<f32>, %o: i64, %n: i64, %s: i64, %x: f32) {
  // CHECK: %t = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
  %t = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
  // CHECK: %a, %a0 = nv_tileaa.tiled_load %p[%o] sizes [%n] strides [%s] {bounds = array<i1: true>} : !nv_tileaa.ptr<f32> -> tensor<8xf32>
  %a, %a0 = nv_tileaa.tiled_load %p[%o] sizes [%n] strides [%s] {bounds = array<i1: true>} : !nv_tileaa.ptr<f32> -> tensor<8xf32>
  // CHECK: %b, %b0 = nv_tileaa.tiled_load %p[%o, %o] sizes [%n, %n] strides [%n, %s] token %t {padding = "neg_inf", bounds = array<i1: true, false>, base_div = 16 : i64, offset_div = array<i64: 8, 32>, size_div = array<i64: 1, 8>, stride_div = array<i64: 8, 1>, latency = 2 : i64, no_tma, objects = #nv_tileaa.objects<arg 0>} : !nv_tileaa.ptr<f32> -> tensor<8x8xf32>
  %b, %b0 = nv_tileaa.tiled_load %p[%o, %o] sizes [%n, %n] strides [%n, %s] token %t {padding = "neg_inf", bounds = array<i1: true, false>, base_div = 16 : i64, offset_div = array<i64: 8, 32>, size_div = array<i64: 1, 8>, stride_div = array<i64: 8, 1>, latency = 2 : i64, no_tma, objects = #nv_tileaa.objects<arg 0>} : !nv_tileaa.ptr<f32> -> tensor<8x8xf32>
  // CHECK: %c, %c0 = nv_tileaa.tiled_load %p[] sizes [] strides [] {bounds = array<i1>} : !nv_tileaa.ptr<f32> -> f32
  %c, %c0 = nv_tileaa.tiled_load %p[] sizes [] strides [] {bounds = array<i1>} : !nv_tileaa.ptr<f32> -> f32
  // CHECK: %d, %d0 = nv_tileaa.tiled_load %p[%o] sizes [%n] strides [%s] {bounds = array<i1: true>, ordering = "acquire", scope = "device"} : !nv_tileaa.ptr<f32> -> tensor<8xf32>
  %d, %d0 = nv_tileaa.tiled_load %p[%o] sizes [%n] strides [%s] {bounds = array<i1: true>, ordering = "acquire", scope = "device"} : !nv_tileaa.ptr<f32> -> tensor<8xf32>
  // CHECK: %e = nv_tileaa.tiled_store %a, %p[%o] sizes [%n] strides [%s] {bounds = array<i1: true>} : tensor<8xf32>, !nv_tileaa.ptr<f32>
  %e = nv_tileaa.tiled_store %a, %p[%o] sizes [%n] strides [%s] {bounds = array<i1: true>} : tensor<8xf32>, !nv_tileaa.ptr<f32>
  // CHECK: %f = nv_tileaa.tiled_store %b, %p[%o, %o] sizes [%n, %n] strides [%n, %s] token %b0 {padding = "zero", bounds = array<i1: true, true>, base_div = 8 : i64, offset_div = array<i64: 1, 2>, size_div = array<i64: 1, 1>, stride_div = array<i64: 1, 2>, latency = 10 : i64, no_tma, ordering = "release", scope = "sys", objects = #nv_tileaa.objects<unknown>} : tensor<8x8xf32>, !nv_tileaa.ptr<f32>
  %f = nv_tileaa.tiled_store %b, %p[%o, %o] sizes [%n, %n] strides [%n, %s] token %b0 {padding = "zero", bounds = array<i1: true, true>, base_div = 8 : i64, offset_div = array<i64: 1, 2>, size_div = array<i64: 1, 1>, stride_div = array<i64: 1, 2>, latency = 10 : i64, no_tma, ordering = "release", scope = "sys", objects = #nv_tileaa.objects<unknown>} : tensor<8x8xf32>, !nv_tileaa.ptr<f32>
  // CHECK: %g = nv_tileaa.tiled_store %x, %p[] sizes [] strides [] {bounds = array<i1>, ordering = "weak"} : f32, !nv_tileaa.ptr<f32>
  %g = nv_tileaa.tiled_store %x, %p[] sizes [] strides [] {bounds = array<i1>, ordering = "weak"} : f32, !nv_tileaa.ptr<f32>
  // CHECK: %h = nv_tileaa.tiled_atomic_rmw %a, %p[%o] sizes [%n] strides [%s] {mode = "addf", bounds = array<i1: true>} : tensor<8xf32>, !nv_tileaa.ptr<f32>
  %h = nv_tileaa.tiled_atomic_rmw %a, %p[%o] sizes [%n] strides [%s] {mode = "addf", bounds = array<i1: true>} : tensor<8xf32>, !nv_tileaa.ptr<f32>
  // CHECK: %i = nv_tileaa.tiled_atomic_rmw %a, %p[%o] sizes [%n] strides [%s] token %h {mode = "xchg", bounds = array<i1: false>, base_div = 16 : i64, offset_div = array<i64: 8>, size_div = array<i64: 4>, stride_div = array<i64: 1>, no_tma, ordering = "relaxed", scope = "device", objects = #nv_tileaa.objects<arg 1, alloca 0, global @table>} : tensor<8xf32>, !nv_tileaa.ptr<f32>
  %i = nv_tileaa.tiled_atomic_rmw %a, %p[%o] sizes [%n] strides [%s] token %h {mode = "xchg", bounds = array<i1: false>, base_div = 16 : i64, offset_div = array<i64: 8>, size_div = array<i64: 4>, stride_div = array<i64: 1>, no_tma, ordering = "relaxed", scope = "device", objects = #nv_tileaa.objects<arg 1, alloca 0, global @table>} : tensor<8xf32>, !nv_tileaa.ptr<f32>
  // CHECK: nv_tileaa.return
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @pointers(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<i32>, %c: i1, %f: f32, %i: i32) {
nv_tileaa.func @pointers(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<i32>, %c: i1, %f: f32, %i: i32) {
  // CHECK: %t = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
  %t = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
  // CHECK: %ps = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<4x!nv_tileaa.ptr<f32>>
  %ps = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<4x!nv_tileaa.ptr<f32>>
  // CHECK: %qs = nv_tileaa.splat %q : !nv_tileaa.ptr<i32> -> tensor<4x!nv_tileaa.ptr<i32>>
  %qs = nv_tileaa.splat %q : !nv_tileaa.ptr<i32> -> tensor<4x!nv_tileaa.ptr<i32>>
  // CHECK: %m = nv_tileaa.splat %c : i1 -> tensor<4xi1>
  %m = nv_tileaa.splat %c : i1 -> tensor<4xi1>
  // CHECK: %a, %a0 = nv_tileaa.load %p : !nv_tileaa.ptr<f32> -> f32, !nv_tileaa.mem_token
  %a, %a0 = nv_tileaa.load %p : !nv_tileaa.ptr<f32> -> f32, !nv_tileaa.mem_token
  // CHECK: %b, %b0 = nv_tileaa.load %ps mask %m : tensor<4xi1> : tensor<4x!nv_tileaa.ptr<f32>> -> tensor<4xf32>, !nv_tileaa.mem_token
  %b, %b0 = nv_tileaa.load %ps mask %m : tensor<4xi1> : tensor<4x!nv_tileaa.ptr<f32>> -> tensor<4xf32>, !nv_tileaa.mem_token
  // CHECK: %d, %d0 = nv_tileaa.load %ps mask %m : tensor<4xi1> other %b : tensor<4xf32> token %t : !nv_tileaa.mem_token {ordering = "relaxed", scope = "tl_blk", objects = #nv_tileaa.objects<arg 3, unknown>} : tensor<4x!nv_tileaa.ptr<f32>> -> tensor<4xf32>, !nv_tileaa.mem_token
  %d, %d0 = nv_tileaa.load %ps mask %m : tensor<4xi1> other %b : tensor<4xf32> token %t : !nv_tileaa.mem_token {ordering = "relaxed", scope = "tl_blk", objects = #nv_tileaa.objects<arg 3, unknown>} : tensor<4x!nv_tileaa.ptr<f32>> -> tensor<4xf32>, !nv_tileaa.mem_token
  // CHECK: %hr, %hr0 = nv_tileaa.load %ps {runs = array<i64: 4>} : tensor<4x!nv_tileaa.ptr<f32>> -> tensor<4xf32>, !nv_tileaa.mem_token
  %hr, %hr0 = nv_tileaa.load %ps {runs = array<i64: 4>} : tensor<4x!nv_tileaa.ptr<f32>> -> tensor<4xf32>, !nv_tileaa.mem_token
  // CHECK: %jr = nv_tileaa.store %ps, %hr {runs = array<i64: 4>} : tensor<4x!nv_tileaa.ptr<f32>>, tensor<4xf32> -> !nv_tileaa.mem_token
  %jr = nv_tileaa.store %ps, %hr {runs = array<i64: 4>} : tensor<4x!nv_tileaa.ptr<f32>>, tensor<4xf32> -> !nv_tileaa.mem_token
  // CHECK: %e = nv_tileaa.store %p, %f : !nv_tileaa.ptr<f32>, f32 -> !nv_tileaa.mem_token
  %e = nv_tileaa.store %p, %f : !nv_tileaa.ptr<f32>, f32 -> !nv_tileaa.mem_token
  // CHECK: %g = nv_tileaa.store %ps, %b mask %m : tensor<4xi1> token %t : !nv_tileaa.mem_token {ordering = "release", scope = "sys", objects = #nv_tileaa.objects<arg 1, alloca 0, global @table>} : tensor<4x!nv_tileaa.ptr<f32>>, tensor<4xf32> -> !nv_tileaa.mem_token
  %g = nv_tileaa.store %ps, %b mask %m : tensor<4xi1> token %t : !nv_tileaa.mem_token {ordering = "release", scope = "sys", objects = #nv_tileaa.objects<arg 1, alloca 0, global @table>} : tensor<4x!nv_tileaa.ptr<f32>>, tensor<4xf32> -> !nv_tileaa.mem_token
  // CHECK: %h, %h0 = nv_tileaa.atomic_rmw addf %p, %f : !nv_tileaa.ptr<f32>, f32 -> f32, !nv_tileaa.mem_token
  %h, %h0 = nv_tileaa.atomic_rmw addf %p, %f : !nv_tileaa.ptr<f32>, f32 -> f32, !nv_tileaa.mem_token
  // CHECK: %n = nv_tileaa.make_range : tensor<4xi32>
  %n = nv_tileaa.make_range : tensor<4xi32>
  // CHECK: %j, %j0 = nv_tileaa.atomic_rmw umax %qs, %n mask %m : tensor<4xi1> token %t : !nv_tileaa.mem_token {ordering = "acq_rel", scope = "device", objects = #nv_tileaa.objects<unknown>} : tensor<4x!nv_tileaa.ptr<i32>>, tensor<4xi32> -> tensor<4xi32>, !nv_tileaa.mem_token
  %j, %j0 = nv_tileaa.atomic_rmw umax %qs, %n mask %m : tensor<4xi1> token %t : !nv_tileaa.mem_token {ordering = "acq_rel", scope = "device", objects = #nv_tileaa.objects<unknown>} : tensor<4x!nv_tileaa.ptr<i32>>, tensor<4xi32> -> tensor<4xi32>, !nv_tileaa.mem_token
  // CHECK: %ja, %ja0 = nv_tileaa.atomic_rmw addf %ps, %hr {runs = array<i64: 4>, ordering = "relaxed", scope = "device"} : tensor<4x!nv_tileaa.ptr<f32>>, tensor<4xf32> -> tensor<4xf32>, !nv_tileaa.mem_token
  %ja, %ja0 = nv_tileaa.atomic_rmw addf %ps, %hr {runs = array<i64: 4>, ordering = "relaxed", scope = "device"} : tensor<4x!nv_tileaa.ptr<f32>>, tensor<4xf32> -> tensor<4xf32>, !nv_tileaa.mem_token
  // CHECK: %k, %k0 = nv_tileaa.atomic_cas %q, %i : i32, %i : !nv_tileaa.ptr<i32>, i32 -> i32, !nv_tileaa.mem_token
  %k, %k0 = nv_tileaa.atomic_cas %q, %i : i32, %i : !nv_tileaa.ptr<i32>, i32 -> i32, !nv_tileaa.mem_token
  // CHECK: %l, %l0 = nv_tileaa.atomic_cas %qs, %n : tensor<4xi32>, %n mask %m : tensor<4xi1> token %t : !nv_tileaa.mem_token {ordering = "acquire", scope = "sys", objects = #nv_tileaa.objects<unknown>} : tensor<4x!nv_tileaa.ptr<i32>>, tensor<4xi32> -> tensor<4xi32>, !nv_tileaa.mem_token
  %l, %l0 = nv_tileaa.atomic_cas %qs, %n : tensor<4xi32>, %n mask %m : tensor<4xi1> token %t : !nv_tileaa.mem_token {ordering = "acquire", scope = "sys", objects = #nv_tileaa.objects<unknown>} : tensor<4x!nv_tileaa.ptr<i32>>, tensor<4xi32> -> tensor<4xi32>, !nv_tileaa.mem_token
  // CHECK: nv_tileaa.return
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @facts(%p: !nv_tileaa.ptr<f32>, %i: i32) {
nv_tileaa.func @facts(%p: !nv_tileaa.ptr<f32>, %i: i32) {
  // CHECK: %a = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<f32>
  %a = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<f32>
  // CHECK: %b = nv_tileaa.assume %i lower<0> : i32
  %b = nv_tileaa.assume %i lower<0> : i32
  // CHECK: %c = nv_tileaa.assume %b upper<100> : i32
  %c = nv_tileaa.assume %b upper<100> : i32
  // CHECK: %d = nv_tileaa.assume %c div_by<4> lower<-8> upper<8> {note = "kept"} : i32
  %d = nv_tileaa.assume %c div_by<4> lower<-8> upper<8> {note = "kept"} : i32
  // CHECK: %n = nv_tileaa.make_range : tensor<4xi32>
  %n = nv_tileaa.make_range : tensor<4xi32>
  // CHECK: %e = nv_tileaa.assume %n div_by<1> : tensor<4xi32>
  %e = nv_tileaa.assume %n div_by<1> : tensor<4xi32>
  // CHECK: nv_tileaa.return
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @own() {
nv_tileaa.func @own() {
  // CHECK: nv_tileaa.alloca 256 {alignment = 16 : i64} : !nv_tileaa.ptr<i32>
  %a = nv_tileaa.alloca 256 {alignment = 16 : i64} : !nv_tileaa.ptr<i32>
  // CHECK: nv_tileaa.alloca 4 : !nv_tileaa.ptr<f32>
  %b = nv_tileaa.alloca 4 : !nv_tileaa.ptr<f32>
  // CHECK: %c = nv_tileaa.alloca 4 {offset = 128 : i32} : !nv_tileaa.ptr<f32>
  %c = nv_tileaa.alloca 4 {offset = 128 : i32} : !nv_tileaa.ptr<f32>
  // CHECK: %d = nv_tileaa.alloca 4 {global, object = 1 : i64} : !nv_tileaa.ptr<f32>
  %d = nv_tileaa.alloca 4 {global, object = 1 : i64} : !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @halves(%p: !nv_tileaa.ptr<f4E2M1FN>, %o: i64, %n: i64, %s: i64) {
nv_tileaa.func @halves(%p: !nv_tileaa.ptr<f4E2M1FN>, %o: i64, %n: i64, %s: i64) {
  // CHECK: %x, %t = nv_tileaa.tiled_load %p[%o] sizes [%n] strides [%s] {bounds = array<i1: true>, packed = 0 : i64} : !nv_tileaa.ptr<f4E2M1FN> -> tensor<8xf4E2M1FN>
  %x, %t = nv_tileaa.tiled_load %p[%o] sizes [%n] strides [%s] {bounds = array<i1: true>, packed = 0 : i64} : !nv_tileaa.ptr<f4E2M1FN> -> tensor<8xf4E2M1FN>
  // CHECK: %u = nv_tileaa.tiled_store %x, %p[%o] sizes [%n] strides [%s] {bounds = array<i1: true>, packed = 0 : i64} : tensor<8xf4E2M1FN>, !nv_tileaa.ptr<f4E2M1FN>
  %u = nv_tileaa.tiled_store %x, %p[%o] sizes [%n] strides [%s] {bounds = array<i1: true>, packed = 0 : i64} : tensor<8xf4E2M1FN>, !nv_tileaa.ptr<f4E2M1FN>
  // CHECK: nv_tileaa.return
  nv_tileaa.return
}
