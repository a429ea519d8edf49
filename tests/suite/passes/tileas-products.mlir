// RUN: tile-opt %s --tileas-assign-layouts --tileas-make-async-mma --gpu-name=sm_90 | FileCheck %s
// RUN: tile-opt %s --tileas-assign-layouts --tileas-make-async-mma --gpu-name=sm_80 | FileCheck %s --check-prefix=OLD

// Without the instruction, and unless asked for, products are those of all threads.
// OLD-NOT: dot_async

// What threads have is stored to buffers that descriptors know, of rows of 128 bytes; threads fence what they have stored.
// CHECK-LABEL: nv_tileas.func @stored
// CHECK: nv_tileas.alloc_shared align 1024
// CHECK: nv_tileas.local_store %a
// CHECK: nv_tileas.alloc_shared align 1024
// CHECK: nv_tileas.local_store %b
// CHECK: nv_tileas.fence_async
// CHECK: %[[D:.*]] = nv_tileas.dot_async %{{.*}}, %{{.*}}, %{{.*}} {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [4, 1]>}
// CHECK: nv_tileas.dot_wait %[[D]] {pending = 0 : i32}
nv_tileas.func @stored(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a, %at = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 16, 16>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<128x64xf16>
  %b, %bt = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 16, 16>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %c = arith.constant dense<0.0> : tensor<128x64xf32>
  %d = nv_tileas.dot %a, %b, %c : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
  %t = nv_tileas.tiled_store %d, %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// Elements that come one by one take a register each. So they are stored before others are loaded.
// CHECK-LABEL: nv_tileas.func @alone
// CHECK: %a, %{{.*}} = nv_tileas.tiled_load
// CHECK-NEXT: nv_tileas.alloc_shared
// CHECK-NEXT: nv_tileas.local_store %a
// CHECK-NEXT: %b, %{{.*}} = nv_tileas.tiled_load
// CHECK: nv_tileas.local_store %b
nv_tileas.func @alone(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a, %at = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<128x64xf16>
  %b, %bt = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %c = arith.constant dense<0.0> : tensor<128x64xf32>
  %d = nv_tileas.dot %a, %b, %c : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
  %t = nv_tileas.tiled_store %d, %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// What another product has computed is multiplied from registers; eight warps are two groups along the rows. What does not change in a loop is stored in front of it.
// CHECK-LABEL: nv_tileas.func @chain
// CHECK: nv_tileas.local_store %k
// CHECK: scf.for
// CHECK: nv_tileas.dot_async %{{[0-9]+}}, %{{.*}} {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [8, 1]>} : !nv_tileas.buffer<128x64xf16, {{.*}}
// CHECK: %[[P:.*]] = arith.ftof
// CHECK-NOT: local_store
// CHECK: nv_tileas.dot_async %[[P]], %{{.*}} {mma = #nv_tileas.mma<wgmma, m64n64k16, warps = [8, 1]>} : tensor<128x64xf16, {{.*}}
// CHECK: nv_tileas.dot_wait
nv_tileas.func @chain(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f32>, %n: i64, %m: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %x, %xt = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 16, 16>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<128x64xf16>
  %k, %kt = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 16, 16>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %c = arith.constant dense<0.0> : tensor<128x64xf32>
  %s = scf.for %i = %i0 to %m step %i1 iter_args(%acc = %c) -> (tensor<128x64xf32>) : i32 {
    %d = nv_tileas.dot %x, %k, %c : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    %h = arith.ftof %d : tensor<128x64xf32> to tensor<128x64xf16>
    %e = nv_tileas.dot %h, %k, %acc : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.continue %e : tensor<128x64xf32>
  }
  %t = nv_tileas.tiled_store %s, %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// Fewer rows than a group of four warps has are for mma.sync, and so are bytes along the columns where there are fewer of both.
// CHECK-LABEL: nv_tileas.func @others
// CHECK-NOT: dot_async
// CHECK: nv_tileas.dot {{.*}}mma.sync
// CHECK: nv_tileas.dot {{.*}}mma.sync
nv_tileas.func @others(%p: !nv_tileas.ptr<f16>, %w: !nv_tileas.ptr<i8>, %q: !nv_tileas.ptr<f32>, %o: !nv_tileas.ptr<i32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a, %at = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 16, 16>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<32x64xf16>
  %b, %bt = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 16, 16>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %c = arith.constant dense<0.0> : tensor<32x64xf32>
  %d = nv_tileas.dot %a, %b, %c : tensor<32x64xf16>, tensor<64x64xf16> -> tensor<32x64xf32>
  %t = nv_tileas.tiled_store %d, %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<32x64xf32>, !nv_tileas.ptr<f32>
  %e, %et = nv_tileas.tiled_load %w[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 16, 16>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<i8> -> tensor<64x32xi8>
  %e1, %et1 = nv_tileas.tiled_load %w[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 16, 16>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<i8> -> tensor<32x64xi8>
  %ci = arith.constant dense<0> : tensor<32x32xi32>
  %f = nv_tileas.dot %e1, %e, %ci : tensor<32x64xi8>, tensor<64x32xi8> -> tensor<32x32xi32>
  %u = nv_tileas.tiled_store %f, %o[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<32x32xi32>, !nv_tileas.ptr<i32>
  nv_tileas.return
}
