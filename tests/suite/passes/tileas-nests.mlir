// RUN: tile-opt %s --lower-to=loops-scheduled --gpu-name=sm_80 --disable-pass=tileaa-version-loops | FileCheck %s
// RUN: tile-opt %s --lower-to=loops-scheduled --gpu-name=sm_80 --disable-pass=tileaa-version-loops --remarks 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --lower-to=nvvm --gpu-name=sm_80 --disable-pass=tileaa-version-loops --print-after=tileas-pipeline-loops 2>&1 -o /dev/null | FileCheck %s --check-prefix=TURNS

// RUN: tile-opt %s --lower-to=nvvm --gpu-name=sm_80 --print-after=tileas-pipeline-loops 2>&1 -o /dev/null | FileCheck %s --check-prefix=VERSIONS

// Loops with a pipelined loop inside: its first copies start in the iteration before, behind the loop inside and before the store.
cuda_tile.module @m {
// The place of a tile follows from the counter, with a remainder that the first fill computes where there is an iteration.
// REMARK: remark: outer loop pipelined: the prologue of the inner loop (stages: {{[0-9]+}}) overlaps the epilogue of the previous iteration ({{[0-9]+}} cycles, estimate)
// CHECK-LABEL: nv_tileas.func @place
// The loop at the edge, behind the one that tests no bounds, uses the same slots.
// VERSIONS-LABEL: nv_tileas.func @place
// VERSIONS: %[[RING:.*]] = nv_tileas.alloc_shared
// VERSIONS: nv_tileas.alloc_shared
// VERSIONS: nv_tileas.buffer_stage %[[RING]]
// VERSIONS: scf.for
// VERSIONS-NOT: alloc_shared
// VERSIONS: scf.if
// VERSIONS: nv_tileas.wait_group 0
// VERSIONS: scf.if
// VERSIONS: nv_tileas.copy_async
// VERSIONS: scf.for
// VERSIONS: nv_tileas.wait_group 0
// VERSIONS: nv_tileas.wait_group 0
// VERSIONS: arith.cmpi ugt
// VERSIONS: nv_tileas.copy_async
// VERSIONS: nv_tileas.tiled_store
// CHECK: nv_tileas.schedule = 
// CHECK: } {nv_tileas.fill_ahead}
// TURNS-LABEL: nv_tileas.func @place
// TURNS: %[[SOME:.*]] = arith.cmpi slt
// TURNS: scf.if %[[SOME]]
// TURNS: %[[RING:.*]] = nv_tileas.alloc_shared
// TURNS: nv_tileas.copy_async
// TURNS: nv_tileas.commit_group
// TURNS: scf.for
// TURNS-NOT: nv_tileas.copy_async
// TURNS: scf.for
// TURNS: nv_tileas.wait_group
// TURNS: nv_tileas.dot
// TURNS: scf.continue
// TURNS: nv_tileas.wait_group 0
// TURNS: %[[LEFT:.*]] = arith.subi
// TURNS: %[[NEXT:.*]] = arith.cmpi ugt, %[[LEFT]]
// TURNS: nv_tileas.copy_async
// TURNS: nv_tileas.commit_group
// TURNS-NOT: nv_tileas.wait_group
// TURNS: nv_tileas.tiled_store
// TURNS: scf.continue
// TURNS: nv_tileas.wait_group 0
// TURNS: scf.yield
entry @place(%out: tile<ptr<f32>>, %pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %hi: tile<i32>, %n: tile<i32>, %table: tile<ptr<i32>>) optimization_hints=<sm_80 = {occupancy = 2}> {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %two = constant <i32: 2> : tile<i32>
  %a = assume div_by<16>, %pa : tile<ptr<f16>>
  %b = assume div_by<16>, %pb : tile<ptr<f16>>
  %va = make_tensor_view %a, shape = [256, 1016], strides = [1024, 1] : tensor_view<256x1016xf16, strides=[1024,1]>
  %pva = make_partition_view %va : partition_view<tile=(64x32), tensor_view<256x1016xf16, strides=[1024,1]>>
  %vb = make_tensor_view %b, shape = [1016, 256], strides = [256, 1] : tensor_view<1016x256xf16, strides=[256,1]>
  %pvb = make_partition_view %vb : partition_view<tile=(32x64), tensor_view<1016x256xf16, strides=[256,1]>>
  %vo = make_tensor_view %out, shape = [256, 64], strides = [64, 1] : tensor_view<256x64xf32, strides=[64,1]>
  %pvo = make_partition_view %vo : partition_view<tile=(64x64), tensor_view<256x64xf32, strides=[64,1]>>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %r:2 = for %i in (%zero to %hi, step %one) : tile<i32> iter_values(%at = %two, %done = %tok) -> (tile<i32>, token) {
    %row = remi %i, %two signed : tile<i32>
    %col = subi %one, %row : tile<i32>
    %sum = for %x in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
      %ta, %t1 = load_view_tko weak %pva[%row, %x] token = %tok : partition_view<tile=(64x32), tensor_view<256x1016xf16, strides=[1024,1]>>, tile<i32> -> tile<64x32xf16>, token
      %tb, %t2 = load_view_tko weak %pvb[%x, %col] token = %tok : partition_view<tile=(32x64), tensor_view<1016x256xf16, strides=[256,1]>>, tile<i32> -> tile<32x64xf16>, token
      %s = mmaf %ta, %tb, %acc : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %s : tile<64x64xf32>
    }
    %stored = store_view_tko weak %sum, %pvo[%i, %zero] token = %done : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<256x64xf32, strides=[64,1]>>, tile<i32> -> token
    continue %at, %stored : tile<i32>, token
  }
  return
}

// What the outer loop carries on is made early, if it stands behind the loop inside.
// REMARK: remark: outer loop pipelined
// CHECK-LABEL: nv_tileas.func @carried
// CHECK: } {nv_tileas.fill_ahead}
entry @carried(%out: tile<ptr<f32>>, %pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %hi: tile<i32>, %n: tile<i32>, %table: tile<ptr<i32>>) optimization_hints=<sm_80 = {occupancy = 2}> {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %two = constant <i32: 2> : tile<i32>
  %a = assume div_by<16>, %pa : tile<ptr<f16>>
  %b = assume div_by<16>, %pb : tile<ptr<f16>>
  %va = make_tensor_view %a, shape = [256, 1024], strides = [1024, 1] : tensor_view<256x1024xf16, strides=[1024,1]>
  %pva = make_partition_view %va : partition_view<tile=(64x32), tensor_view<256x1024xf16, strides=[1024,1]>>
  %vb = make_tensor_view %b, shape = [1024, 256], strides = [256, 1] : tensor_view<1024x256xf16, strides=[256,1]>
  %pvb = make_partition_view %vb : partition_view<tile=(32x64), tensor_view<1024x256xf16, strides=[256,1]>>
  %vo = make_tensor_view %out, shape = [256, 64], strides = [64, 1] : tensor_view<256x64xf32, strides=[64,1]>
  %pvo = make_partition_view %vo : partition_view<tile=(64x64), tensor_view<256x64xf32, strides=[64,1]>>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %r:2 = for %i in (%zero to %hi, step %one) : tile<i32> iter_values(%at = %two, %done = %tok) -> (tile<i32>, token) {
    %row = remi %at, %two signed : tile<i32>
    %col = subi %one, %row : tile<i32>
    %sum = for %x in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
      %ta, %t1 = load_view_tko weak %pva[%row, %x] token = %tok : partition_view<tile=(64x32), tensor_view<256x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<64x32xf16>, token
      %tb, %t2 = load_view_tko weak %pvb[%x, %col] token = %tok : partition_view<tile=(32x64), tensor_view<1024x256xf16, strides=[256,1]>>, tile<i32> -> tile<32x64xf16>, token
      %s = mmaf %ta, %tb, %acc : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %s : tile<64x64xf32>
    }
    %stored = store_view_tko weak %sum, %pvo[%i, %zero] token = %done : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<256x64xf32, strides=[64,1]>>, tile<i32> -> token
    %next = addi %at, %one : tile<i32>
    continue %next, %stored : tile<i32>, token
  }
  return
}

// A place from a table, which nothing in the loop writes as far as tokens say.
// REMARK: remark: outer loop pipelined
// CHECK-LABEL: nv_tileas.func @table
// CHECK: } {nv_tileas.fill_ahead}
entry @table(%out: tile<ptr<f32>>, %pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %hi: tile<i32>, %n: tile<i32>, %table: tile<ptr<i32>>) optimization_hints=<sm_80 = {occupancy = 2}> {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %two = constant <i32: 2> : tile<i32>
  %a = assume div_by<16>, %pa : tile<ptr<f16>>
  %b = assume div_by<16>, %pb : tile<ptr<f16>>
  %va = make_tensor_view %a, shape = [256, 1024], strides = [1024, 1] : tensor_view<256x1024xf16, strides=[1024,1]>
  %pva = make_partition_view %va : partition_view<tile=(64x32), tensor_view<256x1024xf16, strides=[1024,1]>>
  %vb = make_tensor_view %b, shape = [1024, 256], strides = [256, 1] : tensor_view<1024x256xf16, strides=[256,1]>
  %pvb = make_partition_view %vb : partition_view<tile=(32x64), tensor_view<1024x256xf16, strides=[256,1]>>
  %vo = make_tensor_view %out, shape = [256, 64], strides = [64, 1] : tensor_view<256x64xf32, strides=[64,1]>
  %pvo = make_partition_view %vo : partition_view<tile=(64x64), tensor_view<256x64xf32, strides=[64,1]>>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %r:2 = for %i in (%zero to %hi, step %one) : tile<i32> iter_values(%at = %two, %done = %tok) -> (tile<i32>, token) {
    %p = offset %table, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %row, %t9 = load_ptr_tko weak %p token = %tok : tile<ptr<i32>> -> tile<i32>, token
    %col = remi %row, %two signed : tile<i32>
    %sum = for %x in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
      %ta, %t1 = load_view_tko weak %pva[%row, %x] token = %tok : partition_view<tile=(64x32), tensor_view<256x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<64x32xf16>, token
      %tb, %t2 = load_view_tko weak %pvb[%x, %col] token = %tok : partition_view<tile=(32x64), tensor_view<1024x256xf16, strides=[256,1]>>, tile<i32> -> tile<32x64xf16>, token
      %s = mmaf %ta, %tb, %acc : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %s : tile<64x64xf32>
    }
    %stored = store_view_tko weak %sum, %pvo[%i, %zero] token = %done : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<256x64xf32, strides=[64,1]>>, tile<i32> -> token
    continue %at, %stored : tile<i32>, token
  }
  return
}

// Loads that come after what is stored.
// REMARK: remark: loop not pipelined: it contains another loop ('scf.for'), whose prologue cannot start in the previous iteration: its copies depend on the result of 'nv_tileas.tiled_store' in the previous iteration
// CHECK-LABEL: nv_tileas.func @behind_stores
// CHECK-NOT: fill_ahead
entry @behind_stores(%out: tile<ptr<f32>>, %pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %hi: tile<i32>, %n: tile<i32>, %table: tile<ptr<i32>>) optimization_hints=<sm_80 = {occupancy = 2}> {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %two = constant <i32: 2> : tile<i32>
  %a = assume div_by<16>, %pa : tile<ptr<f16>>
  %b = assume div_by<16>, %pb : tile<ptr<f16>>
  %va = make_tensor_view %a, shape = [256, 1024], strides = [1024, 1] : tensor_view<256x1024xf16, strides=[1024,1]>
  %pva = make_partition_view %va : partition_view<tile=(64x32), tensor_view<256x1024xf16, strides=[1024,1]>>
  %vb = make_tensor_view %b, shape = [1024, 256], strides = [256, 1] : tensor_view<1024x256xf16, strides=[256,1]>
  %pvb = make_partition_view %vb : partition_view<tile=(32x64), tensor_view<1024x256xf16, strides=[256,1]>>
  %vo = make_tensor_view %out, shape = [256, 64], strides = [64, 1] : tensor_view<256x64xf32, strides=[64,1]>
  %pvo = make_partition_view %vo : partition_view<tile=(64x64), tensor_view<256x64xf32, strides=[64,1]>>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %r:2 = for %i in (%zero to %hi, step %one) : tile<i32> iter_values(%at = %two, %done = %tok) -> (tile<i32>, token) {
    %row = remi %i, %two signed : tile<i32>
    %col = subi %one, %row : tile<i32>
    %sum = for %x in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
      %ta, %t1 = load_view_tko weak %pva[%row, %x] token = %done : partition_view<tile=(64x32), tensor_view<256x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<64x32xf16>, token
      %tb, %t2 = load_view_tko weak %pvb[%x, %col] token = %done : partition_view<tile=(32x64), tensor_view<1024x256xf16, strides=[256,1]>>, tile<i32> -> tile<32x64xf16>, token
      %s = mmaf %ta, %tb, %acc : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %s : tile<64x64xf32>
    }
    %stored = store_view_tko weak %sum, %pvo[%i, %zero] token = %done : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<256x64xf32, strides=[64,1]>>, tile<i32> -> token
    continue %at, %stored : tile<i32>, token
  }
  return
}

// A place that another thread may be about to write.
// REMARK: whose prologue cannot start in the previous iteration: its copies depend on 'nv_tileas.load', which is ordered with other threads
// CHECK-LABEL: nv_tileas.func @acquired
// CHECK-NOT: fill_ahead
entry @acquired(%out: tile<ptr<f32>>, %pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %hi: tile<i32>, %n: tile<i32>, %table: tile<ptr<i32>>) optimization_hints=<sm_80 = {occupancy = 2}> {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %two = constant <i32: 2> : tile<i32>
  %a = assume div_by<16>, %pa : tile<ptr<f16>>
  %b = assume div_by<16>, %pb : tile<ptr<f16>>
  %va = make_tensor_view %a, shape = [256, 1024], strides = [1024, 1] : tensor_view<256x1024xf16, strides=[1024,1]>
  %pva = make_partition_view %va : partition_view<tile=(64x32), tensor_view<256x1024xf16, strides=[1024,1]>>
  %vb = make_tensor_view %b, shape = [1024, 256], strides = [256, 1] : tensor_view<1024x256xf16, strides=[256,1]>
  %pvb = make_partition_view %vb : partition_view<tile=(32x64), tensor_view<1024x256xf16, strides=[256,1]>>
  %vo = make_tensor_view %out, shape = [256, 64], strides = [64, 1] : tensor_view<256x64xf32, strides=[64,1]>
  %pvo = make_partition_view %vo : partition_view<tile=(64x64), tensor_view<256x64xf32, strides=[64,1]>>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %r:2 = for %i in (%zero to %hi, step %one) : tile<i32> iter_values(%at = %two, %done = %tok) -> (tile<i32>, token) {
    %row, %t9 = load_ptr_tko acquire device %table token = %tok : tile<ptr<i32>> -> tile<i32>, token
    %col = remi %row, %two signed : tile<i32>
    %sum = for %x in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
      %ta, %t1 = load_view_tko weak %pva[%row, %x] token = %tok : partition_view<tile=(64x32), tensor_view<256x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<64x32xf16>, token
      %tb, %t2 = load_view_tko weak %pvb[%x, %col] token = %tok : partition_view<tile=(32x64), tensor_view<1024x256xf16, strides=[256,1]>>, tile<i32> -> tile<32x64xf16>, token
      %s = mmaf %ta, %tb, %acc : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %s : tile<64x64xf32>
    }
    %stored = store_view_tko weak %sum, %pvo[%i, %zero] token = %done : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<256x64xf32, strides=[64,1]>>, tile<i32> -> token
    continue %at, %stored : tile<i32>, token
  }
  return
}

// An iteration that ends early may not come to what stands behind the loop.
// REMARK: remark: loop not pipelined: 'scf.continue' leaves an iteration early
// CHECK-LABEL: nv_tileas.func @early_end
// CHECK-NOT: fill_ahead
entry @early_end(%out: tile<ptr<f32>>, %pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %hi: tile<i32>, %n: tile<i32>, %table: tile<ptr<i32>>) optimization_hints=<sm_80 = {occupancy = 2}> {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %two = constant <i32: 2> : tile<i32>
  %a = assume div_by<16>, %pa : tile<ptr<f16>>
  %b = assume div_by<16>, %pb : tile<ptr<f16>>
  %va = make_tensor_view %a, shape = [256, 1024], strides = [1024, 1] : tensor_view<256x1024xf16, strides=[1024,1]>
  %pva = make_partition_view %va : partition_view<tile=(64x32), tensor_view<256x1024xf16, strides=[1024,1]>>
  %vb = make_tensor_view %b, shape = [1024, 256], strides = [256, 1] : tensor_view<1024x256xf16, strides=[256,1]>
  %pvb = make_partition_view %vb : partition_view<tile=(32x64), tensor_view<1024x256xf16, strides=[256,1]>>
  %vo = make_tensor_view %out, shape = [256, 64], strides = [64, 1] : tensor_view<256x64xf32, strides=[64,1]>
  %pvo = make_partition_view %vo : partition_view<tile=(64x64), tensor_view<256x64xf32, strides=[64,1]>>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %r:2 = for %i in (%zero to %hi, step %one) : tile<i32> iter_values(%at = %two, %done = %tok) -> (tile<i32>, token) {
    %row = remi %i, %two signed : tile<i32>
    %col = subi %one, %row : tile<i32>
    %v, %t9 = load_ptr_tko weak %table token = %tok : tile<ptr<i32>> -> tile<i32>, token
    %skip = cmpi equal %v, %i, signed : tile<i32> -> tile<i1>
    if %skip {
      continue %at, %done : tile<i32>, token
    }
    %sum = for %x in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
      %ta, %t1 = load_view_tko weak %pva[%row, %x] token = %tok : partition_view<tile=(64x32), tensor_view<256x1024xf16, strides=[1024,1]>>, tile<i32> -> tile<64x32xf16>, token
      %tb, %t2 = load_view_tko weak %pvb[%x, %col] token = %tok : partition_view<tile=(32x64), tensor_view<1024x256xf16, strides=[256,1]>>, tile<i32> -> tile<32x64xf16>, token
      %s = mmaf %ta, %tb, %acc : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
      continue %s : tile<64x64xf32>
    }
    %stored = store_view_tko weak %sum, %pvo[%i, %zero] token = %done : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<256x64xf32, strides=[64,1]>>, tile<i32> -> token
    continue %at, %stored : tile<i32>, token
  }
  return
}
}
