// A product with the squares of the rows of A: wgmma reads A from shared memory, where TMA puts it, and threads load it
// from there. They do not store it there themselves.
//
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_90 -O3 | FileCheck %s
// RUN: tile-run --gpu-name=sm_90 --entry=norms --grid=2 --diff-engines=interp,tileas,ptx --adversarial --seed=5 \
// RUN:   --arg=f16[40960]=random --arg=f16[40960]=random --arg=f32[16384]=0 --arg=i32:128 --arg=i32:128 --arg=i32:320 %s
// In TMEM the MMA has a warp of its own, to which threads hand A. TMA brings it to them.
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_100 -O3 | FileCheck %s --check-prefix=TMEM
// RUN: tile-run --gpu-name=sm_100 --entry=norms --grid=2 --diff-engines=interp,tileas,ptx --adversarial --seed=5 \
// RUN:   --arg=f16[40960]=random --arg=f16[40960]=random --arg=f32[16384]=0 --arg=i32:128 --arg=i32:128 --arg=i32:320 %s
// RUN: tile-run --gpu-name=sm_100 --entry=norms --grid=2 --engine=ptx --sync-check --arg=f16[40960]=random \
// RUN:   --arg=f16[40960]=random --arg=f32[16384]=0 --arg=i32:128 --arg=i32:128 --arg=i32:320 %s | FileCheck %s --check-prefix=SYNC
//
// CHECK-NOT: nv_tileas.tiled_load
// CHECK-DAG: nv_tileas.local_load {{.*}} -> tensor<64x64xf16
// CHECK-DAG: nv_tileas.dot_async
// CHECK-DAG: nv_tileas.tma_load
// CHECK-NOT: nv_tileas.tiled_load
// TMEM-NOT: nv_tileas.tiled_load
// TMEM: role "compute"
// TMEM: %[[A:.*]] = nv_tileas.local_load {{.*}} -> tensor<64x64xf16
// TMEM: nv_tileas.local_store %[[A]],
// TMEM: role "load"
// TMEM-COUNT-2: nv_tileas.tma_load
// TMEM: role "product"
// SYNC: nothing found, for all schedules
cuda_tile.module @m {
entry @norms(%p: tile<ptr<f16>>, %q: tile<ptr<f16>>, %r: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
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
  %bv = make_partition_view %bt : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
  %cv = make_partition_view %ct : partition_view<tile=(64x128), tensor_view<?x?xf32, strides=[?,1]>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %none = constant <f32: 0.0> : tile<64x128xf32>
  %i, %steps = get_index_space_shape %av : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>> -> tile<i32>
  %nothing = constant <f32: 0.0> : tile<64x64xf32>
  %sum, %square = for %s in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %none, %squares = %nothing) -> (tile<64x128xf32>, tile<64x64xf32>) {
    %l, %t = load_view_tko weak %av[%x, %s] token = %start : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
    %o, %u = load_view_tko weak %bv[%s, %y] token = %start : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x128xf16>, token
    %d = mmaf %l, %o, %acc : tile<64x64xf16>, tile<64x128xf16>, tile<64x128xf32>
    %wide = ftof %l : tile<64x64xf16> -> tile<64x64xf32>
    %next = fma %wide, %wide, %squares : tile<64x64xf32>
    continue %d, %next : tile<64x128xf32>, tile<64x64xf32>
  }
  %norm = reduce %square dim=1 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32>
    (%u: tile<f32>, %v: tile<f32>) {
    %w = addf %u, %v : tile<f32>
    yield %w : tile<f32>
  }
  %column = reshape %norm : tile<64xf32> -> tile<64x1xf32>
  %each = broadcast %column : tile<64x1xf32> -> tile<64x128xf32>
  %result = mulf %sum, %each : tile<64x128xf32>
  %done = store_view_tko weak %result, %cv[%x, %y] token = %start : tile<64x128xf32>, partition_view<tile=(64x128), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
  return
}
}
