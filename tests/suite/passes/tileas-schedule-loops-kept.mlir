// RUN: tile-opt %s --tileas-schedule-loops --gpu-name=sm_120 --remarks 2>&1 | FileCheck %s
// RUN: tile-opt %s --tileas-schedule-loops --tileas-pipeline-loops --tileas-materialize-convert-layout --tileas-allocate-shared --gpu-name=sm_120 | FileCheck %s --check-prefix=FITS

// The buffer of 64 KiB is read in front of the loop inside, but again in the next iteration of the loop around. So it lives all the time, and copies run one less ahead than without it: with stages of 40 KiB the
// kernel would not fit a tile block.
// CHECK: remark: loop pipelined: {{.*}} prefetch distance 3
// FITS: nv_tileas.shared_bytes = 98304 : i32
#wide = #nv_tileas.layout<"{shape = [64, 256], register = [[0, 64], [0, 128], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [1, 0]], block = []}">
#big = #nv_tileas.shared<"{shape = [64, 256], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]}">
#layout = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 32]], block = []}">
#layout1 = #nv_tileas.layout<"{shape = [64, 16], register = [[0, 1], [8, 0], [0, 8], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 0]], block = []}">
#layout2 = #nv_tileas.layout<"{shape = [16, 64], register = [[1, 0], [8, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 32]], block = []}">
#layout3 = #nv_tileas.layout<"{shape = [64, 64], register = [[2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [1, 0]], block = []}">
#shared = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [32, 0], [2, 8], [4, 16]]}">
#shared1 = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0], [1, 8], [2, 16], [4, 32]]}">
nv_tileas.func @kept(%out: !nv_tileas.ptr<f32>, %pa: !nv_tileas.ptr<f16>, %pb: !nv_tileas.ptr<f16>, %hi: i32, %n: i32, %table: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %0 = arith.constant 256 : i64
  %1 = arith.constant 1024 : i64
  %2 = arith.constant 1 : i64
  %3 = arith.constant 64 : i64
  %4 = arith.constant 32 : i64
  %5 = arith.constant 0 : i64
  %tok = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #layout>
  %ones = arith.constant dense<1.000000e+00> : tensor<64x256xf32> as tensor<64x256xf32, #wide>
  %origin = arith.constant 0 : i64
  %kept = nv_tileas.alloc_shared : !nv_tileas.buffer<64x256xf32, #big>
  nv_tileas.local_store %ones, %kept : tensor<64x256xf32, #wide>, !nv_tileas.buffer<64x256xf32, #big>
  %6 = scf.for %arg0 = %zero to %hi step %one iter_args(%arg1 = %tok) -> (!nv_tileas.mem_token) : i32 {
    %row = arith.remsi %arg0, %two : i32
    %col = arith.subi %one, %row : i32
    %7 = arith.extsi %row : i32 to i64
    %8 = arith.muli %7, %3 : i64
    %9 = arith.extsi %col : i32 to i64
    %10 = arith.muli %9, %3 : i64
    %read = nv_tileas.local_load %kept : !nv_tileas.buffer<64x256xf32, #big> -> tensor<64x256xf32, #wide>
    %written = nv_tileas.tiled_store %read, %out[%origin, %origin] sizes [%0, %3] strides [%3, %2] token %tok {bounds = array<i1: true, true>, base_div = 1 : i64, offset_div = array<i64: 64, 4611686018427387904>, size_div = array<i64: 256, 64>, stride_div = array<i64: 64, 1>, objects = #nv_tileaa.objects<arg 0>} : tensor<64x256xf32, #wide>, !nv_tileas.ptr<f32>
    %sum = scf.for %x = %zero to %n step %one iter_args(%acc = %none) -> (tensor<64x64xf32, #layout>) : i32 {
      %14 = arith.extsi %x : i32 to i64
      %15 = arith.muli %14, %4 : i64
      %16 = nv_tileas.alloc_shared : !nv_tileas.buffer<64x32xf16, #shared>
      %17 = nv_tileas.copy_async %16, %pa[%8, %15] sizes [%0, %1] strides [%1, %2] token %tok {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 32>, size_div = array<i64: 256, 1024>, stride_div = array<i64: 1024, 1>, objects = #nv_tileaa.objects<arg 1>} : !nv_tileas.buffer<64x32xf16, #shared>, !nv_tileas.ptr<f16>
      %18 = nv_tileas.commit_group : !nv_tileas.group
      %19 = nv_tileas.alloc_shared : !nv_tileas.buffer<32x64xf16, #shared1>
      %20 = nv_tileas.copy_async %19, %pb[%15, %10] sizes [%1, %0] strides [%0, %2] token %tok {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 1024, 256>, stride_div = array<i64: 256, 1>, objects = #nv_tileaa.objects<arg 2>} : !nv_tileas.buffer<32x64xf16, #shared1>, !nv_tileas.ptr<f16>
      %21 = nv_tileas.commit_group : !nv_tileas.group
      nv_tileas.wait_group 0 for %18, %21 : !nv_tileas.group, !nv_tileas.group
      %22 = nv_tileas.local_load %16 from [0, 0] : !nv_tileas.buffer<64x32xf16, #shared> -> tensor<64x16xf16, #layout1>
      %23 = nv_tileas.local_load %19 from [0, 0] : !nv_tileas.buffer<32x64xf16, #shared1> -> tensor<16x64xf16, #layout2>
      %24 = nv_tileas.dot %22, %23, %acc {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x16xf16, #layout1>, tensor<16x64xf16, #layout2> -> tensor<64x64xf32, #layout>
      %25 = nv_tileas.local_load %16 from [0, 16] : !nv_tileas.buffer<64x32xf16, #shared> -> tensor<64x16xf16, #layout1>
      %26 = nv_tileas.local_load %19 from [16, 0] : !nv_tileas.buffer<32x64xf16, #shared1> -> tensor<16x64xf16, #layout2>
      %27 = nv_tileas.dot %25, %26, %24 {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x16xf16, #layout1>, tensor<16x64xf16, #layout2> -> tensor<64x64xf32, #layout>
      scf.continue %27 : tensor<64x64xf32, #layout>
    }
    %11 = arith.extsi %arg0 : i32 to i64
    %12 = arith.muli %11, %3 : i64
    %13 = nv_tileas.convert_layout %sum : tensor<64x64xf32, #layout> -> tensor<64x64xf32, #layout3>
    %stored = nv_tileas.tiled_store %13, %out[%12, %5] sizes [%0, %3] strides [%3, %2] token %arg1 {bounds = array<i1: true, true>, base_div = 1 : i64, offset_div = array<i64: 64, 4611686018427387904>, size_div = array<i64: 256, 64>, stride_div = array<i64: 64, 1>, objects = #nv_tileaa.objects<arg 0>} : tensor<64x64xf32, #layout3>, !nv_tileas.ptr<f32>
    scf.continue %stored : !nv_tileas.mem_token
  }
  nv_tileas.return
}
