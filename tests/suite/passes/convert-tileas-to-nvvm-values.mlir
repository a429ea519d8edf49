// RUN: tile-opt %s --split-input-file --convert-tileas-to-nvvm --gpu-name=sm_90 | FileCheck %s

#two = #nv_tileas.layout<"{shape = [256], register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [128]], block = []}">

// A tensor becomes as many values as a thread has registers of it, a scalar one, a token none. A loop becomes blocks, and what it carries arguments of theirs.
// CHECK-LABEL: nvvm.func @carried(%n: i32, %x: f32)
// CHECK-SAME: nvvm.reqntid = array<i32: 128>
// CHECK: cf.br ^bb1
// CHECK: ^bb1:
// CHECK-NEXT: cf.br ^[[HEAD:.*]](%{{.*}}, %x, %x : i32, f32, f32)
// CHECK: ^[[HEAD]](%[[I:.*]]: i32, %[[A:.*]]: f32, %[[B:.*]]: f32):
// CHECK: arith.cmpi slt, %[[I]], %n
// CHECK: cf.cond_br %{{.*}}, ^[[BODY:.*]], ^[[EXIT:.*]](%[[A]], %[[B]] : f32, f32)
// CHECK: ^[[BODY]]:
// CHECK: arith.addf %[[A]], %x
// CHECK: arith.addf %[[B]], %x
// CHECK: arith.addi %[[I]]
// CHECK: cf.br ^[[HEAD]]
// CHECK: nvvm.return
nv_tileas.func @carried(%n: i32, %x: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %t = nv_tileas.splat %x : f32 -> tensor<256xf32, #two>
  %k = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %r, %l = scf.for %i = %z to %n step %one iter_args(%c = %t, %u = %k) -> (tensor<256xf32, #two>, !nv_tileas.mem_token) : i32 {
    %d = arith.addf %c, %t : tensor<256xf32, #two>
    scf.continue %d, %u : tensor<256xf32, #two>, !nv_tileas.mem_token
  }
  nv_tileas.return
}

// -----

#two = #nv_tileas.layout<"{shape = [256], register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [128]], block = []}">

// What depends on the thread's number alone is computed once, in the entry block, even if a branch needs it first. What depends on the loop is not.
// CHECK-LABEL: nvvm.func @hoisted
// CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK-NOT: nvvm.read.ptx.sreg
// CHECK: cf.br
// CHECK: cf.cond_br
// CHECK-NOT: arith.shrui
// CHECK: arith.addi %{{.*}}, %n : i32
// CHECK-NOT: nvvm.read.ptx.sreg
// CHECK: nvvm.return
nv_tileas.func @hoisted(%c: i1, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  scf.if %c {
    %a = nv_tileas.make_range : tensor<256xi32, #two>
    %s = nv_tileas.splat %n : i32 -> tensor<256xi32, #two>
    %d = arith.addi %a, %s : tensor<256xi32, #two>
    scf.yield
  } else {
    %b = nv_tileas.make_range : tensor<256xi32, #two>
    scf.yield
  }
  nv_tileas.return
}

// -----

// A break leaves the loop with what it carries; what follows a branch both of whose ways return is not there.
// CHECK-LABEL: nvvm.func @left
// CHECK: cf.br ^[[HEAD:.*]](%n : i32)
// CHECK: ^[[HEAD]](%[[X:.*]]: i32):
// CHECK: cf.cond_br %{{.*}}, ^[[OUT:.*]], ^[[ON:.*]]
// CHECK: ^[[OUT]]:
// CHECK-NEXT: cf.br ^[[EXIT:.*]](%[[X]] : i32)
// CHECK: ^[[ON]]:
// CHECK: cf.br ^[[HEAD]]
// CHECK: ^[[EXIT]](%{{.*}}: i32):
// CHECK-COUNT-2: nvvm.return
// CHECK-NOT: nvvm.return
nv_tileas.func @left(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %limit = arith.constant 100 : i32
  %r = scf.loop iter_args(%x = %n) -> (i32) : i32 {
    %done = arith.cmpi sge, %x, %limit : i32
    scf.if %done {
      scf.break %x : i32
    }
    %next = arith.addi %x, %x : i32
    scf.continue %next : i32
  }
  %c = arith.cmpi eq, %r, %limit : i32
  scf.if %c {
    nv_tileas.return
  } else {
    nv_tileas.return
  }
  nv_tileas.return
}

// -----

#line = #nv_tileas.layout<"{shape = [64], register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]], block = []}">

// A reduction runs its body once for two registers and once for each halving of the lanes. All warps hold all elements, so none needs to be asked.
// CHECK-LABEL: nvvm.func @row_sums
// CHECK: arith.addf
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.barrier
// CHECK: nvvm.return
nv_tileas.func @row_sums(%p: !nv_tileas.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %zero = arith.constant 0 : i64
  %n = arith.constant 64 : i64
  %one = arith.constant 1 : i64
  %x, %t = nv_tileas.tiled_load %p[%zero] sizes [%n] strides [%one] {bounds = array<i1: false>} : !nv_tileas.ptr<f32> -> tensor<64xf32, #line>
  %s = nv_tileas.reduce (%x) {dim = 0 : i64} : (tensor<64xf32, #line>) -> f32 (%acc: f32, %elem: f32) {
    %a = arith.addf %acc, %elem : f32
    nv_tileas.yield %a : f32
  }
  nv_tileas.return
}

// -----

#two = #nv_tileas.layout<"{shape = [4], register = [[1], [2]], lane = [[0], [0], [0], [0], [0]], warp = [[0], [0]], block = []}">

// Variables that a kernel needs are before it in the module, numbered by kernel, in the order of the kernels although these are converted in parallel.
// CHECK: nvvm.global @a_table_0
// CHECK: nvvm.global @a_string_0
// CHECK: nvvm.func @a()
// CHECK: nvvm.global @b_string_0
// CHECK: nvvm.global @b_string_1
// CHECK: nvvm.func @b()
nv_tileas.func @a() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %x = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32> as tensor<4xi32, #two>
  %t = nv_tileas.print "%d", %x : tensor<4xi32, #two> -> !nv_tileas.mem_token
  nv_tileas.return
}
nv_tileas.func @b() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %t = nv_tileas.print "one" -> !nv_tileas.mem_token
  %u = nv_tileas.print "two" -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

#lanes = #nv_tileas.layout<"{shape = [8], register = [], lane = [[1], [2], [4], [0], [0]], warp = [], block = []}">

// Lanes that hold the same element all store it, which is one access.
// CHECK-LABEL: nvvm.func @copies_of_lanes
// CHECK: nvvm.st %{{.*}}, %x : !nvvm.ptr<1>, f32
nv_tileas.func @copies_of_lanes(%p: !nv_tileas.ptr<f32>, %x: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %v = nv_tileas.splat %x : f32 -> tensor<8xf32, #lanes>
  %b = nv_tileas.splat %p : !nv_tileas.ptr<f32> -> tensor<8x!nv_tileas.ptr<f32>, #lanes>
  %i = nv_tileas.make_range : tensor<8xi32, #lanes>
  %q = nv_tileas.addptr %b, %i : tensor<8x!nv_tileas.ptr<f32>, #lanes>, tensor<8xi32, #lanes>
  %t = nv_tileas.store %q, %v : tensor<8x!nv_tileas.ptr<f32>, #lanes>, tensor<8xf32, #lanes> -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

#warps = #nv_tileas.layout<"{shape = [8], register = [], lane = [[1], [2], [4], [0], [0]], warp = [[0]], block = []}">

// Of two warps one stores.
// CHECK-LABEL: nvvm.func @copies_of_warps
// CHECK: nvvm.st %{{.*}}, %x if %{{.*}}
nv_tileas.func @copies_of_warps(%p: !nv_tileas.ptr<f32>, %x: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %v = nv_tileas.splat %x : f32 -> tensor<8xf32, #warps>
  %b = nv_tileas.splat %p : !nv_tileas.ptr<f32> -> tensor<8x!nv_tileas.ptr<f32>, #warps>
  %i = nv_tileas.make_range : tensor<8xi32, #warps>
  %q = nv_tileas.addptr %b, %i : tensor<8x!nv_tileas.ptr<f32>, #warps>, tensor<8xi32, #warps>
  %t = nv_tileas.store %q, %v : tensor<8x!nv_tileas.ptr<f32>, #warps>, tensor<8xf32, #warps> -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

#lanes = #nv_tileas.layout<"{shape = [8], register = [], lane = [[1], [2], [4], [0], [0]], warp = [], block = []}">

// An ordered store is made once.
// CHECK-LABEL: nvvm.func @ordered_once
// CHECK: nvvm.st %{{.*}}, %x if %{{.*}}
nv_tileas.func @ordered_once(%p: !nv_tileas.ptr<f32>, %x: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %v = nv_tileas.splat %x : f32 -> tensor<8xf32, #lanes>
  %b = nv_tileas.splat %p : !nv_tileas.ptr<f32> -> tensor<8x!nv_tileas.ptr<f32>, #lanes>
  %i = nv_tileas.make_range : tensor<8xi32, #lanes>
  %q = nv_tileas.addptr %b, %i : tensor<8x!nv_tileas.ptr<f32>, #lanes>, tensor<8xi32, #lanes>
  %t = nv_tileas.store %q, %v {ordering = "relaxed", scope = "device"} : tensor<8x!nv_tileas.ptr<f32>, #lanes>, tensor<8xf32, #lanes> -> !nv_tileas.mem_token
  nv_tileas.return
}
