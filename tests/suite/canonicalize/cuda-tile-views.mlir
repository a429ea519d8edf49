// RUN: tile-opt %s --canonicalize --allow-unregistered-dialect | FileCheck %s

// Sizes of tensors and of their index spaces that are known.

cuda_tile.module @views {
  // CHECK-LABEL: @tensor
  // CHECK-SAME: (%[[P:[a-z]+]]: tile<ptr<f32>>, %[[N:[a-z]+]]: tile<i32>, %[[L:[a-z]+]]: tile<i64>)
  // CHECK-DAG: %[[C100:.*]] = constant <i32: 100> : tile<i32>
  // CHECK-DAG: %[[C7:.*]] = constant <i32: 7> : tile<i32>
  // CHECK-DAG: %[[C7L:.*]] = constant <i64: 7> : tile<i64>
  // CHECK: %[[V:.*]] = make_tensor_view
  // CHECK: %[[WIDE:.*]]:3 = get_tensor_shape %[[V]]
  // CHECK-NOT: get_tensor_shape
  // CHECK: "t.use"(%[[C100]], %[[N]], %[[C7]], %[[WIDE]]#1, %[[C7L]])
  entry @tensor(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>) {
    %seven = constant <i32: 7> : tile<i32>
    %v = make_tensor_view %p, shape = [100, %n, %seven], strides = [1024, 8, 1] : tile<i32> -> tensor_view<100x?x?xf32, strides=[1024, 8, 1]>
    %0:3 = get_tensor_shape %v : tensor_view<100x?x?xf32, strides=[1024, 8, 1]> -> tile<i32>
    // Another type than the size was given in.
    %1:3 = get_tensor_shape %v : tensor_view<100x?x?xf32, strides=[1024, 8, 1]> -> tile<i64>
    "t.use"(%0#0, %0#1, %0#2, %1#1, %1#2) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i64>, !cuda_tile.tile<i64>) -> ()
    return
  }

  // A tile that begins inside counts.
  // CHECK-LABEL: @spaces
  // CHECK-DAG: %[[C4:.*]] = constant <i32: 4> : tile<i32>
  // CHECK-DAG: %[[C7:.*]] = constant <i32: 7> : tile<i32>
  // CHECK-DAG: %[[C13:.*]] = constant <i32: 13> : tile<i32>
  // CHECK: %[[DYNAMIC:.*]]:2 = get_index_space_shape
  // CHECK-NOT: get_index_space_shape
  // CHECK: "t.use"(%[[C4]], %[[C7]], %[[C13]], %[[C4]], %[[DYNAMIC]]#1)
  entry @spaces(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %v = make_tensor_view %p, shape = [100, 50], strides = [64, 1] : tensor_view<100x50xf32, strides=[64, 1]>
    %pv = make_partition_view %v : partition_view<tile=(32x8), tensor_view<100x50xf32, strides=[64, 1]>>
    %0:2 = get_index_space_shape %pv : partition_view<tile=(32x8), tensor_view<100x50xf32, strides=[64, 1]>> -> tile<i32>
    %sv = make_strided_view %v : strided_view<tile=(16x8), traversal_strides=[8, 16], tensor_view<100x50xf32, strides=[64, 1]>>
    %1:2 = get_index_space_shape %sv : strided_view<tile=(16x8), traversal_strides=[8, 16], tensor_view<100x50xf32, strides=[64, 1]>> -> tile<i32>
    %w = make_tensor_view %p, shape = [100, %n], strides = [64, 1] : tile<i32> -> tensor_view<100x?xf32, strides=[64, 1]>
    %wv = make_partition_view %w : partition_view<tile=(32x8), tensor_view<100x?xf32, strides=[64, 1]>>
    %2:2 = get_index_space_shape %wv : partition_view<tile=(32x8), tensor_view<100x?xf32, strides=[64, 1]>> -> tile<i32>
    "t.use"(%0#0, %0#1, %1#0, %2#0, %2#1) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
    return
  }

  // The order of the dimensions counts, and so does whether the type holds the number.
  // CHECK-LABEL: @order
  // CHECK-DAG: %[[C4:.*]] = constant <i8: 4> : tile<i8>
  // CHECK: %[[S:.*]]:2 = get_index_space_shape
  // CHECK: "t.use"(%[[C4]], %[[S]]#1)
  entry @order(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [10000, 50], strides = [64, 1] : tensor_view<10000x50xf32, strides=[64, 1]>
    %pv = make_partition_view %v : partition_view<tile=(16x16), tensor_view<10000x50xf32, strides=[64, 1]>, dim_map=[1, 0]>
    %0:2 = get_index_space_shape %pv : partition_view<tile=(16x16), tensor_view<10000x50xf32, strides=[64, 1]>, dim_map=[1, 0]> -> tile<i8>
    "t.use"(%0#0, %0#1) : (!cuda_tile.tile<i8>, !cuda_tile.tile<i8>) -> ()
    return
  }
}
