// RUN: tile-opt %s --lower-to=nvvm --print-after=tileas-materialize-copies --gpu-name=sm_80 -o /dev/null 2>&1 | FileCheck %s
// RUN: tile-opt %s --lower-to=ptx --gpu-name=sm_120 | FileCheck %s --check-prefix=PTX

// What is converted on the way to a product, to elements of a register, is copied as it is; threads take it from the buffer, each element once, convert it, and hand it on. Rows and columns that a thread
// multiplies together lie together: it reads four elements at once, and needs no move to have them where the instruction takes them.

// CHECK-LABEL: nv_tileas.func @looped
// CHECK: scf.for
// CHECK: nv_tileas.copy_async {{.*}}!nv_tileas.buffer<64x32xf32
// CHECK: nv_tileas.copy_async {{.*}}!nv_tileas.buffer<32x64xf32
// CHECK: nv_tileas.wait_group
// CHECK: %[[A:.*]] = nv_tileas.local_load {{.*}} -> tensor<64x32xf32, #[[AT:.*]]>
// CHECK: %[[AC:.*]] = arith.ftof %[[A]] : tensor<64x32xf32, #[[AT]]> to tensor<64x32xtf32, #[[AT]]>
// CHECK: nv_tileas.convert_layout %[[AC]]
// CHECK: %[[B:.*]] = nv_tileas.local_load {{.*}} -> tensor<32x64xf32, #[[BT:.*]]>
// CHECK: %[[BC:.*]] = arith.ftof %[[B]] : tensor<32x64xf32, #[[BT]]> to tensor<32x64xtf32, #[[BT]]>
// CHECK: nv_tileas.convert_layout %[[BC]]
// CHECK: nv_tileas.dot {{.*}}interleave = [1, 2]
// Without a loop there is nothing that a copy could run beside.
// CHECK-LABEL: nv_tileas.func @once
// CHECK-NOT: nv_tileas.copy_async

// PTX-LABEL: .entry looped
// PTX-NOT: ld.shared.b32
// PTX-NOT: ld.shared.f32
// PTX: ld.shared.v4
// PTX-LABEL: .entry once
cuda_tile.module @m {
entry @looped(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>, %r: tile<ptr<f32>>, %n: tile<i32>) {
  %a = assume div_by<16>, %p : tile<ptr<f32>>
  %b = assume div_by<16>, %q : tile<ptr<f32>>
  %c = assume div_by<16>, %r : tile<ptr<f32>>
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %tok = make_token : token
  %va = make_tensor_view %a, shape = [64, 4096], strides = [4096, 1] : tensor_view<64x4096xf32, strides=[4096,1]>
  %vb = make_tensor_view %b, shape = [4096, 64], strides = [64, 1] : tensor_view<4096x64xf32, strides=[64,1]>
  %vc = make_tensor_view %c, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
  %pa = make_partition_view %va : partition_view<tile=(64x32), tensor_view<64x4096xf32, strides=[4096,1]>>
  %pb = make_partition_view %vb : partition_view<tile=(32x64), tensor_view<4096x64xf32, strides=[64,1]>>
  %pc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
  %sum = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
    %fa, %t1 = load_view_tko weak %pa[%zero, %i] token = %tok : partition_view<tile=(64x32), tensor_view<64x4096xf32, strides=[4096,1]>>, tile<i32> -> tile<64x32xf32>, token
    %fb, %t2 = load_view_tko weak %pb[%i, %zero] token = %tok : partition_view<tile=(32x64), tensor_view<4096x64xf32, strides=[64,1]>>, tile<i32> -> tile<32x64xf32>, token
    %ta = ftof %fa : tile<64x32xf32> -> tile<64x32xtf32>
    %tb = ftof %fb : tile<32x64xf32> -> tile<32x64xtf32>
    %next = mmaf %ta, %tb, %acc : tile<64x32xtf32>, tile<32x64xtf32>, tile<64x64xf32>
    continue %next : tile<64x64xf32>
  }
  %done = store_view_tko weak %sum, %pc[%zero, %zero] token = %tok : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
  return
}
entry @once(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>, %r: tile<ptr<f32>>) {
  %a = assume div_by<16>, %p : tile<ptr<f32>>
  %b = assume div_by<16>, %q : tile<ptr<f32>>
  %c = assume div_by<16>, %r : tile<ptr<f32>>
  %zero = constant <i32: 0> : tile<i32>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %tok = make_token : token
  %va = make_tensor_view %a, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf32, strides=[32,1]>
  %vb = make_tensor_view %b, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf32, strides=[64,1]>
  %vc = make_tensor_view %c, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
  %pa = make_partition_view %va : partition_view<tile=(64x32), tensor_view<64x32xf32, strides=[32,1]>>
  %pb = make_partition_view %vb : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>
  %pc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
  %fa, %t1 = load_view_tko weak %pa[%zero, %zero] token = %tok : partition_view<tile=(64x32), tensor_view<64x32xf32, strides=[32,1]>>, tile<i32> -> tile<64x32xf32>, token
  %fb, %t2 = load_view_tko weak %pb[%zero, %zero] token = %tok : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>, tile<i32> -> tile<32x64xf32>, token
  %ta = ftof %fa : tile<64x32xf32> -> tile<64x32xtf32>
  %tb = ftof %fb : tile<32x64xf32> -> tile<32x64xtf32>
  %sum = mmaf %ta, %tb, %none : tile<64x32xtf32>, tile<32x64xtf32>, tile<64x64xf32>
  %done = store_view_tko weak %sum, %pc[%zero, %zero] token = %tok : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
  return
}
}
