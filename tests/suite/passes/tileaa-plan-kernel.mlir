// The accumulators of 256 x 128 elements fit the registers of one CTA on an SM, and not those of one of two: tiles would
// be cut, and B read twice. So the hint is overruled. The kernel with 64 x 64 has room for both, and keeps its hint.
// Where a corner of the accumulators is extracted, tiles are not cut, and threads of four CTAs would spill them.
//
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_90 -O3 2>&1 | FileCheck %s
// A log has each candidate, and what passes decided.
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_90 -O3 --log=debug 2>&1 | FileCheck %s --check-prefix=LOG
// -O1 plans nothing.
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_90 -O1 2>&1 | FileCheck %s --check-prefix=NONE
// Where no pass follows that leads to a price, nothing can be tried, and the hint stays.
// RUN: tile-opt %s --gpu-name=sm_90 --pass-pipeline='builtin.module(convert-cuda-tile-to-tileaa,nv_tileaa.func(tileaa-plan-kernel))' 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: warning: hint 'occupancy = 2' of kernel 'large' is not followed, and 1 is taken instead: of 2 CTAs on an SM each takes {{[0-9]+}} cycles of unit global, of 1 {{[0-9]+}} cycles of unit
// CHECK: warning: hint 'occupancy = 4' of kernel 'whole' is not followed, and {{[12]}} is taken instead: of 4 CTAs on an SM, each thread lacks {{[0-9]+}} registers for its tiles
// CHECK-NOT: of kernel 'unchanged_small' is not followed
// CHECK: nv_tileas.func @large({{.*}}occupancy = 1
// CHECK: nv_tileas.func @whole({{.*}}occupancy = {{[12]}}
// CHECK: nv_tileas.func @unchanged_small({{.*}}occupancy = 2

// LOG-DAG: DBG tried component=tileaa-plan-kernel {{.*}}@large" {{.*}}variant="occupancy = 2"
// LOG-DAG: DBG tried component=tileaa-plan-kernel {{.*}}@large" {{.*}}variant="occupancy = 1"
// LOG-DAG: DBG MMA uses wgmma {{.*}} component=tileas-assign-layouts

// NONE-NOT: warning
// NONE: @large({{.*}}occupancy = 2
// NONE: @unchanged_small({{.*}}occupancy = 2
cuda_tile.module @m {
entry @large(%p: tile<ptr<f16>>, %q: tile<ptr<f16>>, %r: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) optimization_hints=<default = {occupancy = 2}> {
  %a = assume div_by<16>, %p : tile<ptr<f16>>
  %b = assume div_by<16>, %q : tile<ptr<f16>>
  %c = assume div_by<16>, %r : tile<ptr<f32>>
  %rows = assume div_by<16>, %m : tile<i32>
  %columns = assume div_by<16>, %n : tile<i32>
  %depth = assume div_by<16>, %k : tile<i32>
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %start = make_token : token
  %at = make_tensor_view %a, shape = [%rows, %depth], strides = [%depth, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
  %bt = make_tensor_view %b, shape = [%depth, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
  %ct = make_tensor_view %c, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
  %av = make_partition_view %at : partition_view<tile=(256x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
  %bv = make_partition_view %bt : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
  %cv = make_partition_view %ct : partition_view<tile=(256x128), tensor_view<?x?xf32, strides=[?,1]>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %none = constant <f32: 0.0> : tile<256x128xf32>
  %i, %steps = get_index_space_shape %av : partition_view<tile=(256x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>> -> tile<i32>
  %sum = for %s in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<256x128xf32>) {
    %l, %t = load_view_tko weak %av[%x, %s] token = %start : partition_view<tile=(256x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<256x64xf16>, token
    %o, %u = load_view_tko weak %bv[%s, %y] token = %start : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
    %d = mmaf %l, %o, %acc : tile<256x64xf16>, tile<64x128xf16>, tile<256x128xf32>
    continue %d : tile<256x128xf32>
  }
  %done = store_view_tko weak %sum, %cv[%x, %y] token = %start : tile<256x128xf32>, partition_view<tile=(256x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
  return
}
entry @whole(%p: tile<ptr<f16>>, %q: tile<ptr<f16>>, %r: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) optimization_hints=<default = {occupancy = 4}> {
  %a = assume div_by<16>, %p : tile<ptr<f16>>
  %b = assume div_by<16>, %q : tile<ptr<f16>>
  %c = assume div_by<16>, %r : tile<ptr<f32>>
  %rows = assume div_by<16>, %m : tile<i32>
  %columns = assume div_by<16>, %n : tile<i32>
  %depth = assume div_by<16>, %k : tile<i32>
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %start = make_token : token
  %at = make_tensor_view %a, shape = [%rows, %depth], strides = [%depth, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
  %bt = make_tensor_view %b, shape = [%depth, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
  %ct = make_tensor_view %c, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
  %av = make_partition_view %at : partition_view<tile=(256x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
  %bv = make_partition_view %bt : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
  %cv = make_partition_view %ct : partition_view<tile=(128x64), tensor_view<?x?xf32, strides=[?,1]>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %none = constant <f32: 0.0> : tile<256x128xf32>
  %i, %steps = get_index_space_shape %av : partition_view<tile=(256x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>> -> tile<i32>
  %sum = for %s in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<256x128xf32>) {
    %l, %t = load_view_tko weak %av[%x, %s] token = %start : partition_view<tile=(256x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<256x64xf16>, token
    %o, %u = load_view_tko weak %bv[%s, %y] token = %start : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
    %d = mmaf %l, %o, %acc : tile<256x64xf16>, tile<64x128xf16>, tile<256x128xf32>
    continue %d : tile<256x128xf32>
  }
  %corner = extract %sum[%one, %one] : tile<256x128xf32> -> tile<128x64xf32>
  %done = store_view_tko weak %corner, %cv[%x, %y] token = %start : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
  return
}
entry @unchanged_small(%p: tile<ptr<f16>>, %q: tile<ptr<f16>>, %r: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) optimization_hints=<default = {occupancy = 2}> {
  %a = assume div_by<16>, %p : tile<ptr<f16>>
  %b = assume div_by<16>, %q : tile<ptr<f16>>
  %c = assume div_by<16>, %r : tile<ptr<f32>>
  %rows = assume div_by<16>, %m : tile<i32>
  %columns = assume div_by<16>, %n : tile<i32>
  %depth = assume div_by<16>, %k : tile<i32>
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %start = make_token : token
  %at = make_tensor_view %a, shape = [%rows, %depth], strides = [%depth, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
  %bt = make_tensor_view %b, shape = [%depth, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
  %ct = make_tensor_view %c, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
  %av = make_partition_view %at : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
  %bv = make_partition_view %bt : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
  %cv = make_partition_view %ct : partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %i, %steps = get_index_space_shape %av : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>> -> tile<i32>
  %sum = for %s in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
    %l, %t = load_view_tko weak %av[%x, %s] token = %start : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
    %o, %u = load_view_tko weak %bv[%s, %y] token = %start : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
    %d = mmaf %l, %o, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    continue %d : tile<64x64xf32>
  }
  %done = store_view_tko weak %sum, %cv[%x, %y] token = %start : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
  return
}
}
