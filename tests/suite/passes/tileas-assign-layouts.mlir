// RUN: tile-opt %s --split-input-file --tileas-assign-layouts --mlir-print-local-scope | FileCheck %s

// An aligned row of f32 is accessed 16 bytes at a time; the sum has the layout of the access, the constant is made in it.
// CHECK-LABEL: nv_tileas.func @vector
// CHECK: arith.constant {{.*}} as tensor<1024xf32, #nv_tileas.layout<"{shape = [1024], register = {{\[\[1\], \[2\], \[512\]\]}}, lane = {{\[\[4\], \[8\], \[16\], \[32\], \[64\]\]}}, warp = {{\[\[128\], \[256\]\]}}, block = []}">>
// CHECK-NOT: convert_layout
// CHECK: nv_tileas.return
nv_tileas.func @vector(%p: !nv_tileas.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %n = arith.constant 1024 : i64
  %one = arith.constant 1 : i64
  %k = arith.constant dense<1.0> : tensor<1024xf32>
  %t, %a = nv_tileas.tiled_load %p[%z] sizes [%n] strides [%one] {bounds = array<i1: true>, base_div = 16 : i64, offset_div = array<i64: 1024>, size_div = array<i64: 1024>, stride_div = array<i64: 1>} : !nv_tileas.ptr<f32> -> tensor<1024xf32>
  %s = arith.addf %t, %k : tensor<1024xf32>
  %b = nv_tileas.tiled_store %s, %p[%z] sizes [%n] strides [%one] {bounds = array<i1: true>, base_div = 16 : i64, offset_div = array<i64: 1024>, size_div = array<i64: 1024>, stride_div = array<i64: 1>} : tensor<1024xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// Without facts an access is one element at a time.
// CHECK-LABEL: nv_tileas.func @scalar
// CHECK: tiled_load {{.*}} tensor<128xf32, #nv_tileas.layout<"{shape = [128], register = [], lane = {{\[\[1\], \[2\], \[4\], \[8\], \[16\]\]}}, warp = {{\[\[32\], \[64\]\]}}, block = []}">>
nv_tileas.func @scalar(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %t, %a = nv_tileas.tiled_load %p[%z] sizes [%n] strides [%one] {bounds = array<i1: true>} : !nv_tileas.ptr<f32> -> tensor<128xf32>
  nv_tileas.return
}

// -----

// The operands of a product are converted to the fragments of mma.m16n8k16, the loop-carried sum stays in the accumulator's layout.
// CHECK-LABEL: nv_tileas.func @dot
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<16x16xf32> as tensor<16x16xf32, #nv_tileas.layout<"[[ACC:.*]]">>
// CHECK: scf.for {{.*}} iter_args(%[[C:.*]] = %[[ZERO]]) -> (tensor<16x16xf32, #nv_tileas.layout<"[[ACC]]">>)
// CHECK: nv_tileas.convert_layout
// CHECK: nv_tileas.convert_layout
// CHECK: nv_tileas.dot %{{.*}}, %{{.*}}, %[[C]] {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [1, 1]>} : {{.*}} -> tensor<16x16xf32, #nv_tileas.layout<"[[ACC]]">>
// CHECK-NOT: convert_layout
// CHECK: scf.continue
nv_tileas.func @dot(%p: !nv_tileas.ptr<f16>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %r = scf.for %i = %z to %n step %one iter_args(%c = %zero) -> (tensor<16x16xf32>) : i64 {
    %a, %t1 = nv_tileas.tiled_load %p[%i, %z] sizes [%n, %n] strides [%c16, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<16x16xf16>
    %b, %t2 = nv_tileas.tiled_load %p[%z, %i] sizes [%n, %n] strides [%c16, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<16x16xf16>
    %d = nv_tileas.dot %a, %b, %c : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
    scf.continue %d : tensor<16x16xf32>
  }
  nv_tileas.return
}

// -----

// A reduce yields the slice of its operand's layout, and a broadcast wants the projection of its result's, so nothing is converted between.
// CHECK-LABEL: nv_tileas.func @softmax
// CHECK: nv_tileas.reduce
// CHECK-NOT: convert_layout
// CHECK: nv_tileas.tiled_store
nv_tileas.func @softmax(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %t, %a = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<4x128xf32>
  %m = nv_tileas.reduce (%t) {dim = 1 : i64} : (tensor<4x128xf32>) -> tensor<4xf32> (%x: f32, %y: f32) {
    %q = arith.maxnumf %x, %y : f32
    nv_tileas.yield %q : f32
  }
  %e = nv_tileas.reshape %m : tensor<4xf32> -> tensor<4x1xf32>
  %w = nv_tileas.broadcast %e : tensor<4x1xf32> -> tensor<4x128xf32>
  %s = arith.subf %t, %w : tensor<4x128xf32>
  %b = nv_tileas.tiled_store %s, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<4x128xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// A range and its reshape cost nothing, so both are made where the accumulator's layout wants them, and the constant beside them follows: nothing is converted.
// CHECK-LABEL: nv_tileas.func @remade
// CHECK-NOT: convert_layout
// CHECK: nv_tileas.dot {{.*}} -> tensor<32x32xf32, #nv_tileas.layout<"[[ACC:.*]]">>
// CHECK: %[[C:.*]] = nv_tileas.reshape {{.*}} -> tensor<32x32xi32, #nv_tileas.layout<"[[ACC]]">>
// CHECK: %[[K:.*]] = arith.constant dense<411> : tensor<32x32xi32> as tensor<32x32xi32, #nv_tileas.layout<"[[ACC]]">>
// CHECK: arith.xori %[[C]], %[[K]] : tensor<32x32xi32, #nv_tileas.layout<"[[ACC]]">>
// CHECK-NOT: convert_layout
nv_tileas.func @remade() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant dense<0.0> : tensor<32x32xf32>
  %a = arith.constant dense<0.0> : tensor<32x16xf16>
  %b = arith.constant dense<0.0> : tensor<16x32xf16>
  %k = arith.constant dense<411> : tensor<32x32xi32>
  %d = nv_tileas.dot %a, %b, %z : tensor<32x16xf16>, tensor<16x32xf16> -> tensor<32x32xf32>
  %r = nv_tileas.make_range : tensor<1024xi32>
  %s = nv_tileas.reshape %r : tensor<1024xi32> -> tensor<32x32xi32>
  %x = arith.xori %s, %k : tensor<32x32xi32>
  %f = arith.sitofp %x : tensor<32x32xi32> to tensor<32x32xf32>
  %e = arith.addf %d, %f : tensor<32x32xf32>
  nv_tileas.return
}

// -----

// The rows of a product are stored where numbers say. Addresses are computed in the layout of whole lines from the start, but for the row's, which is one for each row, and the MMA is converted.
// CHECK-LABEL: nv_tileas.func @scattered
// CHECK: %[[D:.*]] = nv_tileas.dot
// CHECK: %[[AT:.*]] = nv_tileas.addptr {{.*}}#nv_tileas.layout<"[[LINES:.*register = \[\[0, 1\], \[0, 2\], \[0, 4\].*]]">>, tensor
// CHECK: %[[V:.*]] = nv_tileas.convert_layout %{{.*}} -> tensor<64x64xf16, #nv_tileas.layout<"[[LINES]]">>
// CHECK: nv_tileas.store %[[AT]], %[[V]]
nv_tileas.func @scattered(%p: !nv_tileas.ptr<f16>, %rows: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = arith.constant dense<0.0> : tensor<64x16xf16>
  %b = arith.constant dense<0.0> : tensor<16x64xf16>
  %d = nv_tileas.dot %a, %b, %z : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
  %h = arith.ftof %d : tensor<64x64xf32> to tensor<64x64xf16>
  %i = nv_tileas.make_range : tensor<64xi32>
  %rp = nv_tileas.splat %rows : !nv_tileas.ptr<i32> -> tensor<64x!nv_tileas.ptr<i32>>
  %ra = nv_tileas.addptr %rp, %i : tensor<64x!nv_tileas.ptr<i32>>, tensor<64xi32>
  %row, %t = nv_tileas.load %ra : tensor<64x!nv_tileas.ptr<i32>> -> tensor<64xi32>, !nv_tileas.mem_token
  %r1 = nv_tileas.reshape %row : tensor<64xi32> -> tensor<64x1xi32>
  %r2 = nv_tileas.broadcast %r1 : tensor<64x1xi32> -> tensor<64x64xi32>
  %c1 = nv_tileas.reshape %i : tensor<64xi32> -> tensor<1x64xi32>
  %c2 = nv_tileas.broadcast %c1 : tensor<1x64xi32> -> tensor<64x64xi32>
  %o = arith.addi %r2, %c2 : tensor<64x64xi32>
  %q = nv_tileas.splat %p : !nv_tileas.ptr<f16> -> tensor<64x64x!nv_tileas.ptr<f16>>
  %at = nv_tileas.addptr %q, %o : tensor<64x64x!nv_tileas.ptr<f16>>, tensor<64x64xi32>
  %s = nv_tileas.store %at, %h {runs = array<i64: 1, 8>} : tensor<64x64x!nv_tileas.ptr<f16>>, tensor<64x64xf16> -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

// A carried value that is connected to constants alone has a layout too.
// CHECK-LABEL: nv_tileas.func @carried
// CHECK: scf.loop iter_args(%{{.*}} = %{{.*}}) -> (tensor<16xi32, #nv_tileas.layout<"{shape = [16], {{.*}}">>) : tensor<16xi32, #nv_tileas.layout<"{shape = [16], {{.*}}">>
nv_tileas.func @carried(%c: i1) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %k = arith.constant dense<3> : tensor<16xi32>
  %r = scf.loop iter_args(%x = %k) -> (tensor<16xi32>) : tensor<16xi32> {
    scf.if %c {
      scf.break %k : tensor<16xi32>
    }
    scf.continue %k : tensor<16xi32>
  }
  nv_tileas.return
}

// -----

// The results of a for have the layouts of its carried values, even if only constants are carried.
// CHECK-LABEL: nv_tileas.func @counted
// CHECK: %[[R:.*]] = scf.for {{.*}} -> (tensor<256xi32, #nv_tileas.layout<"[[L:.*]]">>) : i32
// CHECK: nv_tileas.store %{{.*}}, %[[R]] : {{.*}}, tensor<256xi32, #nv_tileas.layout<"[[L]]">>
nv_tileas.func @counted(%n: i32, %p: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %k = arith.constant dense<3> : tensor<256xi32>
  %r = scf.for %i = %n to %n step %n iter_args(%x = %k) -> (tensor<256xi32>) : i32 {
    scf.continue %k : tensor<256xi32>
  }
  %q = nv_tileas.splat %p : !nv_tileas.ptr<i32> -> tensor<256x!nv_tileas.ptr<i32>>
  %t = nv_tileas.store %q, %r : tensor<256x!nv_tileas.ptr<i32>>, tensor<256xi32> -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

// Scalars are in all threads; there is nothing to lay out.
// CHECK-LABEL: nv_tileas.func @unchanged_scalars
nv_tileas.func @unchanged_scalars(%p: !nv_tileas.ptr<f32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %x, %t = nv_tileas.load %p : !nv_tileas.ptr<f32> -> f32, !nv_tileas.mem_token
  %s = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> (f32) : i32 {
    %b = arith.addf %a, %x : f32
    scf.continue %b : f32
  }
  %u = nv_tileas.store %p, %s token %t : !nv_tileas.mem_token : !nv_tileas.ptr<f32>, f32 -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

// The pointers of a store have a class of their own, and want the layout of the store: vectors, not what the search
// finds when it takes the loaded values to pointers that lie elsewhere.
// CHECK-LABEL: nv_tileas.func @pointers_of_a_store
// CHECK: nv_tileas.load {{.*}} -> tensor<1024xf32, #nv_tileas.layout<"[[VECTORS:{shape = \[1024\], register = \[\[1\], \[2\], \[512\]\].*}]]">>
// CHECK-NOT: convert_layout
// CHECK: nv_tileas.store {{.*}} : tensor<1024x!nv_tileas.ptr<f32>, #nv_tileas.layout<"[[VECTORS]]">>
nv_tileas.func @pointers_of_a_store(%p: !nv_tileas.ptr<f32>, %q: !nv_tileas.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %i = nv_tileas.make_range : tensor<1024xi32>
  %s = nv_tileas.splat %p : !nv_tileas.ptr<f32> -> tensor<1024x!nv_tileas.ptr<f32>>
  %a = nv_tileas.addptr %s, %i : tensor<1024x!nv_tileas.ptr<f32>>, tensor<1024xi32>
  %u = nv_tileas.splat %q : !nv_tileas.ptr<f32> -> tensor<1024x!nv_tileas.ptr<f32>>
  %b = nv_tileas.addptr %u, %i : tensor<1024x!nv_tileas.ptr<f32>>, tensor<1024xi32>
  %v, %t = nv_tileas.load %a {runs = array<i64: 4>} : tensor<1024x!nv_tileas.ptr<f32>> -> tensor<1024xf32>, !nv_tileas.mem_token
  %w = nv_tileas.store %b, %v {runs = array<i64: 4>} : tensor<1024x!nv_tileas.ptr<f32>>, tensor<1024xf32> -> !nv_tileas.mem_token
  nv_tileas.return
}
