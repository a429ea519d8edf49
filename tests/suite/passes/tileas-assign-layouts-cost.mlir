// RUN: tile-opt %s --split-input-file --tileas-assign-layouts --gpu-name=sm_80 --mlir-print-local-scope | FileCheck %s
// RUN: tile-opt %s --split-input-file --tileas-assign-layouts --tileas-assign-layouts --gpu-name=sm_80 --mlir-print-local-scope | FileCheck %s

// What costs decide, and that a second run, on what the first one made, changes nothing.

// A tile that is read along rows and written along columns is converted once, between two accesses that are both coalesced.
// CHECK-LABEL: nv_tileas.func @transpose
// CHECK: nv_tileas.tiled_load {{.*}} -> tensor<32x32xf32, #nv_tileas.layout<"[[ROWS:.*]]">>
// CHECK-COUNT-1: nv_tileas.convert_layout
// CHECK-NOT: convert_layout
// CHECK: nv_tileas.tiled_store {{.*}} tensor<32x32xf32, #nv_tileas.layout<"[[ROWS]]">>
nv_tileas.func @transpose(%p: !nv_tileas.ptr<f32>, %q: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a, %t = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<32x32xf32>
  %b = nv_tileas.permute %a [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
  %u = nv_tileas.tiled_store %b, %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<32x32xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// A product is stored by fragments when there is little of it: a trip through shared memory and its barriers would cost more than the lines that rows of a fragment touch.
// CHECK-LABEL: nv_tileas.func @little
// CHECK: nv_tileas.dot
// CHECK-NOT: convert_layout
// CHECK: nv_tileas.tiled_store
nv_tileas.func @little(%q: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = arith.constant dense<1.0> : tensor<32x16xf16>
  %b = arith.constant dense<1.0> : tensor<16x32xf16>
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = nv_tileas.dot %a, %b, %c : tensor<32x16xf16>, tensor<16x32xf16> -> tensor<32x32xf32>
  %u = nv_tileas.tiled_store %d, %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 32>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : tensor<32x32xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// A large one goes through shared memory, and is stored by whole lines.
// CHECK-LABEL: nv_tileas.func @large
// CHECK: nv_tileas.dot
// CHECK: %[[C:.*]] = nv_tileas.convert_layout
// CHECK: nv_tileas.tiled_store %[[C]]
nv_tileas.func @large(%q: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = arith.constant dense<1.0> : tensor<128x16xf16>
  %b = arith.constant dense<1.0> : tensor<16x128xf16>
  %c = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = nv_tileas.dot %a, %b, %c : tensor<128x16xf16>, tensor<16x128xf16> -> tensor<128x128xf32>
  %u = nv_tileas.tiled_store %d, %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 128, 128>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : tensor<128x128xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// What the IR came with stays: here an instruction and an arrangement of warps that the pass would not have chosen.
// CHECK-LABEL: nv_tileas.func @given
// CHECK: nv_tileas.dot {{.*}}{mma = #nv_tileas.mma<mma.sync, m16n8k8, warps = [4, 1]>} {{.*}} -> tensor<64x8xf32, #nv_tileas.layout<"[[ACC:.*]]">>
// CHECK: arith.addf {{.*}} : tensor<64x8xf32, #nv_tileas.layout<"[[ACC]]">>
nv_tileas.func @given(%q: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = arith.constant dense<1.0> : tensor<64x16xf16>
  %b = arith.constant dense<1.0> : tensor<16x8xf16>
  %c = arith.constant dense<0.0> : tensor<64x8xf32>
  %d = nv_tileas.dot %a, %b, %c {mma = #nv_tileas.mma<mma.sync, m16n8k8, warps = [4, 1]>} : tensor<64x16xf16>, tensor<16x8xf16> -> tensor<64x8xf32>
  %e = arith.addf %d, %d : tensor<64x8xf32>
  %u = nv_tileas.tiled_store %e, %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x8xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// Two products in a row, the first one's rows reduced between them, as in attention: all warps along M, so that each has whole rows, and the first result is the second's operand where it lies.
// CHECK-LABEL: nv_tileas.func @chain
// CHECK: scf.for
// CHECK: nv_tileas.dot {{.*}}m16n8k16, warps = [4, 1]
// CHECK-NOT: convert_layout
// CHECK: nv_tileas.reduce
// CHECK: nv_tileas.dot {{.*}}m16n8k16, warps = [4, 1]
nv_tileas.func @chain(%p: !nv_tileas.ptr<f16>, %to: !nv_tileas.ptr<f32>, %e: i64, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %o = arith.constant 0 : i64
  %u = arith.constant 1 : i64
  %q, %tq = nv_tileas.tiled_load %p[%o, %o] sizes [%e, %e] strides [%e, %u] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %k, %tk = nv_tileas.tiled_load %p[%o, %o] sizes [%e, %e] strides [%e, %u] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %v, %tv = nv_tileas.tiled_load %p[%o, %o] sizes [%e, %e] strides [%e, %u] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %m0 = arith.constant dense<0.0> : tensor<64x1xf32>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%acc = %z, %m = %m0) -> (tensor<64x64xf32>, tensor<64x1xf32>) : i32 {
    %s = nv_tileas.dot %q, %k, %z : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %x = nv_tileas.reduce (%s) {dim = 1 : i64} : (tensor<64x64xf32>) -> tensor<64xf32> (%a: f32, %b: f32) {
      %c = arith.maximumf %a, %b : f32
      nv_tileas.yield %c : f32
    }
    %y = nv_tileas.reshape %x : tensor<64xf32> -> tensor<64x1xf32>
    %w = arith.maximumf %m, %y : tensor<64x1xf32>
    %wide = nv_tileas.broadcast %w : tensor<64x1xf32> -> tensor<64x64xf32>
    %d = arith.subf %s, %wide : tensor<64x64xf32>
    %h = arith.ftof %d : tensor<64x64xf32> to tensor<64x64xf16>
    %next = nv_tileas.dot %h, %v, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.continue %next, %w : tensor<64x64xf32>, tensor<64x1xf32>
  }
  %s0 = nv_tileas.tiled_store %r#0, %to[%o, %o] sizes [%e, %e] strides [%e, %u] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileas.ptr<f32>
  %s1 = nv_tileas.tiled_store %r#1, %to[%o, %o] sizes [%e, %e] strides [%e, %u] {bounds = array<i1: true, true>} : tensor<64x1xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// Row statistics that the loop keeps as rows, and that go through a reshape to the elements. Their store wants whole lines, and comes after the loop: so nothing is converted in it. Neither
// shape gains by itself, since the conversion would be on the other side of the reshape.
// CHECK-LABEL: nv_tileas.func @statistics
// CHECK: scf.for
// CHECK-NOT: convert_layout
// CHECK: scf.continue
nv_tileas.func @statistics(%p: !nv_tileas.ptr<f16>, %to: !nv_tileas.ptr<f32>, %e: i64, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %o = arith.constant 0 : i64
  %u = arith.constant 1 : i64
  %q, %tq = nv_tileas.tiled_load %p[%o, %o] sizes [%e, %e] strides [%e, %u] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %k, %tk = nv_tileas.tiled_load %p[%o, %o] sizes [%e, %e] strides [%e, %u] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %v, %tv = nv_tileas.tiled_load %p[%o, %o] sizes [%e, %e] strides [%e, %u] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %m0 = arith.constant dense<0.0> : tensor<64xf32>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%acc = %z, %m = %m0) -> (tensor<64x64xf32>, tensor<64xf32>) : i32 {
    %s = nv_tileas.dot %q, %k, %z : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %x = nv_tileas.reduce (%s) {dim = 1 : i64} : (tensor<64x64xf32>) -> tensor<64xf32> (%a: f32, %b: f32) {
      %c = arith.maximumf %a, %b : f32
      nv_tileas.yield %c : f32
    }
    %w = arith.maximumf %m, %x : tensor<64xf32>
    %y = nv_tileas.reshape %w : tensor<64xf32> -> tensor<64x1xf32>
    %wide = nv_tileas.broadcast %y : tensor<64x1xf32> -> tensor<64x64xf32>
    %scaled = arith.mulf %acc, %wide : tensor<64x64xf32>
    %h = arith.ftof %s : tensor<64x64xf32> to tensor<64x64xf16>
    %next = nv_tileas.dot %h, %v, %scaled : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.continue %next, %w : tensor<64x64xf32>, tensor<64xf32>
  }
  %s0 = nv_tileas.tiled_store %r#0, %to[%o, %o] sizes [%e, %e] strides [%e, %u] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileas.ptr<f32>
  %s1 = nv_tileas.tiled_store %r#1, %to[%o] sizes [%e] strides [%u] {bounds = array<i1: true>} : tensor<64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// Two products that do not meet, and nothing across a row: each as square as it can be.
// CHECK-LABEL: nv_tileas.func @apart
// CHECK-COUNT-2: nv_tileas.dot {{.*}}m16n8k16, warps = [2, 2]
nv_tileas.func @apart(%p: !nv_tileas.ptr<f16>, %to: !nv_tileas.ptr<f32>, %e: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %o = arith.constant 0 : i64
  %u = arith.constant 1 : i64
  %q, %tq = nv_tileas.tiled_load %p[%o, %o] sizes [%e, %e] strides [%e, %u] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %k, %tk = nv_tileas.tiled_load %p[%o, %o] sizes [%e, %e] strides [%e, %u] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %v, %tv = nv_tileas.tiled_load %p[%o, %o] sizes [%e, %e] strides [%e, %u] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %s = nv_tileas.dot %q, %k, %z : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %x = nv_tileas.dot %q, %v, %z : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %s0 = nv_tileas.tiled_store %s, %to[%o, %o] sizes [%e, %e] strides [%e, %u] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileas.ptr<f32>
  %s1 = nv_tileas.tiled_store %x, %to[%o, %o] sizes [%e, %e] strides [%e, %u] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// Rows too few for all warps are no reason for copies.
// CHECK-LABEL: nv_tileas.func @few_rows
// CHECK: nv_tileas.dot {{.*}}m16n8k16, warps = [2, 2]
nv_tileas.func @few_rows(%p: !nv_tileas.ptr<f16>, %to: !nv_tileas.ptr<f32>, %e: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %o = arith.constant 0 : i64
  %u = arith.constant 1 : i64
  %q, %tq = nv_tileas.tiled_load %p[%o, %o] sizes [%e, %e] strides [%e, %u] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<32x64xf16>
  %k, %tk = nv_tileas.tiled_load %p[%o, %o] sizes [%e, %e] strides [%e, %u] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %z = arith.constant dense<0.0> : tensor<32x64xf32>
  %s = nv_tileas.dot %q, %k, %z : tensor<32x64xf16>, tensor<64x64xf16> -> tensor<32x64xf32>
  %x = nv_tileas.reduce (%s) {dim = 1 : i64} : (tensor<32x64xf32>) -> tensor<32xf32> (%a: f32, %b: f32) {
    %c = arith.maximumf %a, %b : f32
    nv_tileas.yield %c : f32
  }
  %st = nv_tileas.tiled_store %x, %to[%o] sizes [%e] strides [%u] {bounds = array<i1: true>} : tensor<32xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// An atomic update takes its addresses and mask in the layout of full lines; only the accumulator is converted to it.
// CHECK-LABEL: nv_tileas.func @update
// CHECK: nv_tileas.dot
// CHECK-COUNT-1: nv_tileas.convert_layout {{.*}}xf32
// CHECK-NOT: nv_tileas.convert_layout {{.*}}ptr
// CHECK: nv_tileas.atomic_rmw
nv_tileas.func @update(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %a = arith.constant dense<1.0> : tensor<128x16xf16>
  %b = arith.constant dense<1.0> : tensor<16x128xf16>
  %c = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = nv_tileas.dot %a, %b, %c : tensor<128x16xf16>, tensor<16x128xf16> -> tensor<128x128xf32>
  %base = nv_tileas.splat %p : !nv_tileas.ptr<f32> -> tensor<128x128x!nv_tileas.ptr<f32>>
  %range = nv_tileas.make_range : tensor<128xi64>
  %row = nv_tileas.reshape %range : tensor<128xi64> -> tensor<128x1xi64>
  %rows = nv_tileas.broadcast %row : tensor<128x1xi64> -> tensor<128x128xi64>
  %column = nv_tileas.reshape %range : tensor<128xi64> -> tensor<1x128xi64>
  %columns = nv_tileas.broadcast %column : tensor<1x128xi64> -> tensor<128x128xi64>
  %stride = nv_tileas.splat %n : i64 -> tensor<128x128xi64>
  %first = arith.muli %rows, %stride : tensor<128x128xi64>
  %at = arith.addi %first, %columns : tensor<128x128xi64>
  %in = arith.cmpi slt, %columns, %stride : tensor<128x128xi64>
  %ptrs = nv_tileas.addptr %base, %at : tensor<128x128x!nv_tileas.ptr<f32>>, tensor<128x128xi64>
  %old, %t = nv_tileas.atomic_rmw addf %ptrs, %d mask %in : tensor<128x128xi1> {ordering = "relaxed", scope = "device"} : tensor<128x128x!nv_tileas.ptr<f32>>, tensor<128x128xf32> -> tensor<128x128xf32>, !nv_tileas.mem_token
  nv_tileas.return
}
