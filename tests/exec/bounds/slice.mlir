// RUN: tile-run --diff-engines=interp,ptx --gpu-name=sm_90 --entry=k --grid=1 --arg=f16[130x128]=random --arg=i32:130 --arg=i32:128 --arg=f32[64x64] %s
// RUN: tile-opt --gpu-name=sm_90 --lower-to=ptx %s 2>&1 | FileCheck %s

// A slice begins some rows further on, and the number of columns is known at launch. So the address in the tensor map is
// a product of 32 bits that is extended, which is one instruction in PTX (mul.wide). The launcher computes it too.
// CHECK-NOT: warning
// CHECK: cp.async.bulk.tensor
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f16>>, %rows: tile<i32>, %columns: tile<i32>, %out: tile<ptr<f32>>) {
    %a0 = assume div_by<16>, %p : tile<ptr<f16>>
    %c = assume div_by<16>, %columns : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %skipped = muli %c, %two : tile<i32>
    %slice = offset %a0, %skipped : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %left = subi %rows, %two : tile<i32>
    %av = make_tensor_view %slice, shape = [%left, %c], strides = [%c, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %ov = make_tensor_view %out, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %ap = make_partition_view %av : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %op = make_partition_view %ov : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %none = constant <f32: 0.0> : tile<64x64xf32>
    %sum = for %i in (%zero to %two, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
      %x, %t0 = load_view_tko weak %ap[%zero, %i] : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %y, %t1 = load_view_tko weak %ap[%one, %i] : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %d = mmaf %x, %y, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %d : tile<64x64xf32>
    }
    %t = store_view_tko weak %sum, %op[%zero, %zero] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
