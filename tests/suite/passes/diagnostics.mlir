// RUN: tile-opt %s --split-input-file --lower-to=nvvm --gpu-name=sm_80 | FileCheck %s

// Strings stand in global memory. A thread reports what it holds.
// CHECK-LABEL: nvvm.global @check_string_0 = dense<{{.*}}> : tensor<9xi8>
// CHECK-LABEL: nvvm.func @check
// CHECK: %[[BAD:.*]] = arith.xori
// CHECK: cf.cond_br %[[BAD]]
// CHECK: nvvm.call "__assertfail"(
// CHECK-NEXT: nvvm.trap
// CHECK-NEXT: cf.br
nv_tileas.func @check(%n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %r = nv_tileas.make_range : tensor<128xi32>
  %b = nv_tileas.splat %n : i32 -> tensor<128xi32>
  %c = arith.cmpi slt, %r, %b : tensor<128xi32>
  nv_tileas.assert %c, "too long" : tensor<128xi1>
  nv_tileas.return
}

// -----

// One thread prints, in one call while the values are few; the elements of a tensor come in brackets and numbers as C promotes them.
// CHECK-LABEL: nvvm.global @show_string_0 = dense<{{.*}}> : tensor<33xi8>
// CHECK-LABEL: nvvm.func @show
// CHECK-DAG: nvvm.local_alloc 256 align 8 : !nvvm.ptr<5>
// CHECK: arith.ftof %{{.*}} : f32 to f64
// CHECK: nvvm.st %{{.*}} : !nvvm.ptr<5>, f64
// CHECK: nvvm.st %{{.*}} + 8, %{{.*}} : !nvvm.ptr<5>, i32
// CHECK: nvvm.call "vprintf"(
// CHECK-NOT: nvvm.call
nv_tileas.func @show(%f: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %r = nv_tileas.make_range : tensor<4xi32>
  %k = nv_tileas.print "x=%f of %d, 100%%\n", %f, %r : f32, tensor<4xi32> -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

// A truth value has no sign: true is 1.
// CHECK-LABEL: nvvm.func @truth
// CHECK: %[[X:.*]] = arith.extui %{{.*}} : i1 to i32
// CHECK: nvvm.st %{{.*}}, %[[X]] : !nvvm.ptr<5>, i32
// CHECK-NOT: arith.extsi
nv_tileas.func @truth(%c: i1) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %k = nv_tileas.print "%d\n", %c : i1 -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

// CHECK-LABEL: nvvm.func @alias
// CHECK: nvvm.fence.proxy.alias
nv_tileas.func @alias() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %t = nv_tileas.fence_alias -> !nv_tileas.mem_token
  nv_tileas.return
}
