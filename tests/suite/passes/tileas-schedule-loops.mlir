// RUN: tile-opt %s --tileas-schedule-loops --gpu-name=sm_80 | FileCheck %s
// RUN: tile-opt %s --tileas-schedule-loops --gpu-name=sm_80 --remarks 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s '--tileas-schedule-loops=prefetch=2 at-once=1' --gpu-name=sm_80 --remarks 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: tile-opt %s '--tileas-schedule-loops=prefetch=16' --gpu-name=sm_86 --remarks 2>&1 | FileCheck %s --check-prefix=STAGE
// RUN: not tile-opt %s '--tileas-schedule-loops=prefetch=17' --gpu-name=sm_80 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: not tile-opt %s '--tileas-schedule-loops=scheduler=none' --gpu-name=sm_80 2>&1 | FileCheck %s --check-prefix=NONE

// A matrix product gets a schedule with its copies at time 0, and what computes some turns later; the schedule is printed, and verified behind the pass.
// REMARK: remark: loop pipelined: an iteration starts every {{[0-9]+}} cycles (lower bound {{[0-9]+}}: unit {{[a-z]+}} is busy for {{[0-9]+}} cycles{{[^)]*}}), prefetch distance 4, 1 iteration computes at a time
// REMARK: remark: loop not pipelined: there is nothing to prefetch: where 'nv_tileas.load' loads from depends on what the loop computes; an address or a token that depends on the loop counter alone would change that
// SHAPE: remark: loop pipelined: {{.*}} prefetch distance 2, 1 iteration computes at a time
// STAGE: remark: loop not pipelined: 17 stages of its buffers need {{[0-9]+}} bytes of shared memory, and
// ODD: error: {{.*}} options prefetch and at-once must be 0 to 16, but are 17 and 0
// NONE: there is no scheduler 'none'; there are
// CHECK-LABEL: nv_tileas.func @product
// CHECK: {nv_tileas.schedule = #nv_tileas.schedule<ii = {{[0-9]+}}, unit = {{[0-9]+}}, at = [{{[0-9, ]+}}]>}
// CHECK-LABEL: nv_tileas.func @unchanged_chase
// CHECK-NOT: schedule
// REMARK: remark: loop not pipelined: it computes nothing from what it loads
// CHECK-LABEL: nv_tileas.func @few
// CHECK: nv_tileas.schedule
// REMARK: remark: loop pipelined: {{.*}} prefetch distance 1
// CHECK-LABEL: nv_tileas.func @unchanged_many
// CHECK-NOT: schedule
// REMARK: remark: loop not pipelined: there is nothing to prefetch: 'nv_tileas.tiled_load' loads elements one by one, each of which would keep a register for an iteration
#four = #nv_tileas.layout<"{shape = [512], register = [[128], [256]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], block = []}">
#sixteen = #nv_tileas.layout<"{shape = [2048], register = [[128], [256], [512], [1024]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], block = []}">
#line = #nv_tileas.layout<"{shape = [512], register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]], block = []}">
#layout = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 32]], block = []}">
#layout1 = #nv_tileas.layout<"{shape = [64, 32], register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [0, 0]], block = []}">
#layout2 = #nv_tileas.layout<"{shape = [32, 64], register = [[1, 0], [8, 0], [16, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 0], [0, 32]], block = []}">
#layout3 = #nv_tileas.layout<"{shape = [64, 64], register = [[0, 1], [0, 2], [8, 0], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]], block = []}">
#shared = #nv_tileas.shared<"{shape = [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [8, 0], [16, 0], [32, 0], [2, 8], [4, 16]]}">
#shared1 = #nv_tileas.shared<"{shape = [32, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [8, 0], [16, 0], [1, 8], [2, 16], [4, 32]]}">
module {
  nv_tileas.func @product(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %m: i32, %n: i32, %k: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %0 = arith.constant 32 : i64
    %1 = arith.constant 64 : i64
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %2 = arith.constant 1 : i64
    %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
    %3 = arith.extsi %m : i32 to i64
    %4 = arith.extsi %k : i32 to i64
    %5 = arith.extsi %n : i32 to i64
    %x, %y, %z = nv_tileas.get_program_id : i32, i32, i32
    %6 = arith.ceildivsi %4, %0 : i64
    %steps = arith.trunci %6 : i64 to i32
    %7 = arith.extsi %x : i32 to i64
    %8 = arith.muli %7, %1 : i64
    %9 = arith.extsi %y : i32 to i64
    %10 = arith.muli %9, %1 : i64
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32> as tensor<64x64xf32, #layout>
    %sum = scf.for %s = %zero to %steps step %one iter_args(%acc = %none) -> (tensor<64x64xf32, #layout>) : i32 {
      %16 = arith.extsi %s : i32 to i64
      %17 = arith.muli %16, %0 : i64
      %18 = nv_tileas.alloc_shared : !nv_tileas.buffer<64x32xf16, #shared>
      %19 = nv_tileas.copy_async %18, %p[%8, %17] sizes [%3, %4] strides [%4, %2] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 32>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 0>} : !nv_tileas.buffer<64x32xf16, #shared>, !nv_tileas.ptr<f16>
      %20 = nv_tileas.commit_group : !nv_tileas.group
      %21 = nv_tileas.alloc_shared : !nv_tileas.buffer<32x64xf16, #shared1>
      %22 = nv_tileas.copy_async %21, %q[%17, %10] sizes [%4, %5] strides [%5, %2] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 1>} : !nv_tileas.buffer<32x64xf16, #shared1>, !nv_tileas.ptr<f16>
      %23 = nv_tileas.commit_group : !nv_tileas.group
      nv_tileas.wait_group 0 for %20, %23 : !nv_tileas.group, !nv_tileas.group
      %24 = nv_tileas.local_load %18 : !nv_tileas.buffer<64x32xf16, #shared> -> tensor<64x32xf16, #layout1>
      %25 = nv_tileas.local_load %21 : !nv_tileas.buffer<32x64xf16, #shared1> -> tensor<32x64xf16, #layout2>
      %d = nv_tileas.dot %24, %25, %acc {mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [2, 2]>} : tensor<64x32xf16, #layout1>, tensor<32x64xf16, #layout2> -> tensor<64x64xf32, #layout>
      scf.continue %d : tensor<64x64xf32, #layout>
    }
    %11 = arith.extsi %x : i32 to i64
    %12 = arith.muli %11, %1 : i64
    %13 = arith.extsi %y : i32 to i64
    %14 = arith.muli %13, %1 : i64
    %15 = nv_tileas.convert_layout %sum : tensor<64x64xf32, #layout> -> tensor<64x64xf32, #layout3>
    %done = nv_tileas.tiled_store %15, %r[%12, %14] sizes [%3, %5] strides [%5, %2] token %start {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 2>} : tensor<64x64xf32, #layout3>, !nv_tileas.ptr<f32>
    nv_tileas.return
  }
  // Nothing in it can run ahead: each iteration loads where the one before has found.
  nv_tileas.func @unchanged_chase(%p: !nv_tileas.ptr<i32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %tok = nv_tileas.create_mem_token : !nv_tileas.mem_token
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0) -> (i32) : i32 {
      %q = nv_tileas.addptr %p, %at : !nv_tileas.ptr<i32>, i32
      %v, %t = nv_tileas.load %q token %tok : !nv_tileas.mem_token : !nv_tileas.ptr<i32> -> i32, !nv_tileas.mem_token
      scf.continue %v : i32
    }
    %q = nv_tileas.addptr %p, %r : !nv_tileas.ptr<i32>, i32
    %s = nv_tileas.store %q, %r token %tok : !nv_tileas.mem_token : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
    nv_tileas.return
  }
  // What is loaded last is all that comes out: nothing is computed, found by tile-run --fuzz.
  nv_tileas.func @unchanged_last(%p: !nv_tileas.ptr<i32>, %q: !nv_tileas.ptr<i32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %many = arith.constant 4096 : i64
    %none = arith.constant dense<0> : tensor<512xi32> as tensor<512xi32, #line>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%last = %none) -> (tensor<512xi32, #line>) : i32 {
      %w = arith.extsi %i : i32 to i64
      %at = arith.muli %w, %many : i64
      %v, %t = nv_tileas.tiled_load %p[%at] sizes [%many] strides [%one] {bounds = array<i1: false>, base_div = 16 : i64, offset_div = array<i64: 512>, stride_div = array<i64: 1>} : !nv_tileas.ptr<i32> -> tensor<512xi32, #line>
      scf.continue %v : tensor<512xi32, #line>
    }
    %done = nv_tileas.tiled_store %r, %q[%zero] sizes [%many] strides [%one] {bounds = array<i1: false>, base_div = 16 : i64, offset_div = array<i64: 512>, stride_div = array<i64: 1>} : tensor<512xi32, #line>, !nv_tileas.ptr<i32>
    nv_tileas.return
  }
  // Four elements that come one by one run ahead, sixteen do not.
  nv_tileas.func @few(%p: !nv_tileas.ptr<f16>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %many = arith.constant 4095 : i64
    %none = arith.constant dense<0.0> : tensor<512xf16> as tensor<512xf16, #four>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> (tensor<512xf16, #four>) : i32 {
      %w = arith.extsi %i : i32 to i64
      %at = arith.muli %w, %many : i64
      %v, %t = nv_tileas.tiled_load %p[%at] sizes [%many] strides [%one] {bounds = array<i1: false>, base_div = 16 : i64, offset_div = array<i64: 1>, stride_div = array<i64: 1>} : !nv_tileas.ptr<f16> -> tensor<512xf16, #four>
      %next = arith.addf %sum, %v : tensor<512xf16, #four>
      scf.continue %next : tensor<512xf16, #four>
    }
    %done = nv_tileas.tiled_store %r, %p[%zero] sizes [%many] strides [%one] {bounds = array<i1: false>, base_div = 16 : i64, offset_div = array<i64: 1>, stride_div = array<i64: 1>} : tensor<512xf16, #four>, !nv_tileas.ptr<f16>
    nv_tileas.return
  }
  nv_tileas.func @unchanged_many(%p: !nv_tileas.ptr<f16>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %many = arith.constant 4095 : i64
    %none = arith.constant dense<0.0> : tensor<2048xf16> as tensor<2048xf16, #sixteen>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> (tensor<2048xf16, #sixteen>) : i32 {
      %w = arith.extsi %i : i32 to i64
      %at = arith.muli %w, %many : i64
      %v, %t = nv_tileas.tiled_load %p[%at] sizes [%many] strides [%one] {bounds = array<i1: false>, base_div = 16 : i64, offset_div = array<i64: 1>, stride_div = array<i64: 1>} : !nv_tileas.ptr<f16> -> tensor<2048xf16, #sixteen>
      %next = arith.addf %sum, %v : tensor<2048xf16, #sixteen>
      scf.continue %next : tensor<2048xf16, #sixteen>
    }
    %done = nv_tileas.tiled_store %r, %p[%zero] sizes [%many] strides [%one] {bounds = array<i1: false>, base_div = 16 : i64, offset_div = array<i64: 1>, stride_div = array<i64: 1>} : tensor<2048xf16, #sixteen>, !nv_tileas.ptr<f16>
    nv_tileas.return
  }
}
