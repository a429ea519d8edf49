// RUN: tile-opt %s --tileas-allocate-shared --gpu-name=sm_90 | FileCheck %s

#line = #nv_tileas.layout<"{shape = [32], register = [], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">
#shared = #nv_tileas.shared<"{shape = [32], offset = [[1], [2], [4], [8], [16]]}">

// Two buffers whose lives meet have places of their own, each at the start of a row of banks.
// CHECK-LABEL: nv_tileas.func @together
// CHECK-SAME: nv_tileas.shared_bytes = 256 : i32
// CHECK-DAG: nv_tileas.alloc_shared at 0
// CHECK-DAG: nv_tileas.alloc_shared at 128
nv_tileas.func @together(%x: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %v = nv_tileas.splat %x : f32 -> tensor<32xf32, #line>
  %a = nv_tileas.alloc_shared : !nv_tileas.buffer<32xf32, #shared>
  %b = nv_tileas.alloc_shared : !nv_tileas.buffer<32xf32, #shared>
  nv_tileas.local_store %v, %a : tensor<32xf32, #line>, !nv_tileas.buffer<32xf32, #shared>
  nv_tileas.local_store %v, %b : tensor<32xf32, #line>, !nv_tileas.buffer<32xf32, #shared>
  %c = nv_tileas.local_load %a : !nv_tileas.buffer<32xf32, #shared> -> tensor<32xf32, #line>
  %d = nv_tileas.local_load %b : !nv_tileas.buffer<32xf32, #shared> -> tensor<32xf32, #line>
  nv_tileas.return
}

// A kernel without buffers takes none; that this was looked at is all that is written.
// CHECK-LABEL: nv_tileas.func @unchanged_none
// CHECK-SAME: nv_tileas.shared_bytes = 0 : i32
nv_tileas.func @unchanged_none(%p: !nv_tileas.ptr<f32>, %x: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>, nv_tileas.shared_bytes = 0 : i32} {
  %t = nv_tileas.store %p, %x : !nv_tileas.ptr<f32>, f32 -> !nv_tileas.mem_token
  nv_tileas.return
}

// In a large kernel, too, small buffers in a loop do not overlap: reuse would cost barriers in each iteration.
// CHECK-LABEL: nv_tileas.func @small
// CHECK-SAME: nv_tileas.shared_bytes = 51456 : i32
// CHECK: nv_tileas.alloc_shared at 0 : !nv_tileas.buffer<400 x
// CHECK: nv_tileas.alloc_shared at 51200
// CHECK: nv_tileas.alloc_shared at 51328
nv_tileas.func @small(%x: f32, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %v = nv_tileas.splat %x : f32 -> tensor<32xf32, #line>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %large = nv_tileas.alloc_shared : !nv_tileas.buffer<400 x [32xf32], #shared>
  %s = nv_tileas.buffer_stage %large[%zero] : !nv_tileas.buffer<400 x [32xf32], #shared>, i32
  nv_tileas.local_store %v, %s : tensor<32xf32, #line>, !nv_tileas.buffer<32xf32, #shared>
  scf.for %i = %zero to %n step %one : i32 {
    %a = nv_tileas.alloc_shared : !nv_tileas.buffer<32xf32, #shared>
    nv_tileas.local_store %v, %a : tensor<32xf32, #line>, !nv_tileas.buffer<32xf32, #shared>
    %c = nv_tileas.local_load %a : !nv_tileas.buffer<32xf32, #shared> -> tensor<32xf32, #line>
    %b = nv_tileas.alloc_shared : !nv_tileas.buffer<32xf32, #shared>
    nv_tileas.local_store %c, %b : tensor<32xf32, #line>, !nv_tileas.buffer<32xf32, #shared>
    %d = nv_tileas.local_load %b : !nv_tileas.buffer<32xf32, #shared> -> tensor<32xf32, #line>
    scf.continue
  }
  %e = nv_tileas.local_load %s : !nv_tileas.buffer<32xf32, #shared> -> tensor<32xf32, #line>
  nv_tileas.return
}

// They do where the room is that of a second CTA on the SM: 115,712 bytes.
// CHECK-LABEL: nv_tileas.func @second_cta
// CHECK-SAME: nv_tileas.shared_bytes = 115712 : i32
// CHECK: nv_tileas.alloc_shared at 115584
// CHECK: nv_tileas.alloc_shared at 115584
nv_tileas.func @second_cta(%x: f32, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %v = nv_tileas.splat %x : f32 -> tensor<32xf32, #line>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %large = nv_tileas.alloc_shared : !nv_tileas.buffer<903 x [32xf32], #shared>
  %s = nv_tileas.buffer_stage %large[%zero] : !nv_tileas.buffer<903 x [32xf32], #shared>, i32
  nv_tileas.local_store %v, %s : tensor<32xf32, #line>, !nv_tileas.buffer<32xf32, #shared>
  scf.for %i = %zero to %n step %one : i32 {
    %a = nv_tileas.alloc_shared : !nv_tileas.buffer<32xf32, #shared>
    nv_tileas.local_store %v, %a : tensor<32xf32, #line>, !nv_tileas.buffer<32xf32, #shared>
    %c = nv_tileas.local_load %a : !nv_tileas.buffer<32xf32, #shared> -> tensor<32xf32, #line>
    %b = nv_tileas.alloc_shared : !nv_tileas.buffer<32xf32, #shared>
    nv_tileas.local_store %c, %b : tensor<32xf32, #line>, !nv_tileas.buffer<32xf32, #shared>
    %d = nv_tileas.local_load %b : !nv_tileas.buffer<32xf32, #shared> -> tensor<32xf32, #line>
    scf.continue
  }
  %e = nv_tileas.local_load %s : !nv_tileas.buffer<32xf32, #shared> -> tensor<32xf32, #line>
  nv_tileas.return
}

// Two roles run at the same time and both allocate. What the one with most of it uses first and what it uses later share
// memory, beside the buffer of the other role.
// CHECK-LABEL: nv_tileas.func @roles
// CHECK-SAME: nv_tileas.shared_bytes = 38528 : i32
// CHECK-COUNT-2: nv_tileas.alloc_shared at 0 : !nv_tileas.buffer<300 x
// CHECK: nv_tileas.alloc_shared at 38400 : !nv_tileas.buffer<32xf32
nv_tileas.func @roles(%x: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %zero = arith.constant 0 : i32
  nv_tileas.warp_specialize {
    role "compute" warps(1) {
      %v = nv_tileas.splat %x : f32 -> tensor<32xf32, #line>
      %a = nv_tileas.alloc_shared : !nv_tileas.buffer<300 x [32xf32], #shared>
      %s = nv_tileas.buffer_stage %a[%zero] : !nv_tileas.buffer<300 x [32xf32], #shared>, i32
      nv_tileas.local_store %v, %s : tensor<32xf32, #line>, !nv_tileas.buffer<32xf32, #shared>
      %b = nv_tileas.alloc_shared : !nv_tileas.buffer<300 x [32xf32], #shared>
      %t = nv_tileas.buffer_stage %b[%zero] : !nv_tileas.buffer<300 x [32xf32], #shared>, i32
      nv_tileas.local_store %v, %t : tensor<32xf32, #line>, !nv_tileas.buffer<32xf32, #shared>
    }
    role "gather" warps(1) {
      %v = nv_tileas.splat %x : f32 -> tensor<32xf32, #line>
      %c = nv_tileas.alloc_shared : !nv_tileas.buffer<32xf32, #shared>
      nv_tileas.local_store %v, %c : tensor<32xf32, #line>, !nv_tileas.buffer<32xf32, #shared>
    }
  }
  nv_tileas.return
}
