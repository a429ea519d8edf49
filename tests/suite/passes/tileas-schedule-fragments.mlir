// RUN: tile-opt %s --lower-to=ptx --gpu-name=sm_90 --warp-roles=none --remarks -o %t.ptx 2>&1 | FileCheck %s --check-prefix=II
// RUN: FileCheck %s < %t.ptx

// P is computed in halves and multiplied in one iteration, whichever of the two that compute. So the product with V
// runs during the softmax of the next scores. The lower bound is 2048 cycles; with P in the other iteration it would be
// above 3600. A prefetch distance of 1 leaves room for the third stage of V.
// II: loop pipelined: an iteration starts every {{2[0-9][0-9][0-9]}} cycles (lower bound 2048
// II-SAME: prefetch distance 1, 2 iterations compute at the same time

// In the loop: the product with V, then the softmax, and only then the wait for the product.
// CHECK: cvt.rn.f16x2.f32
// CHECK-COUNT-8: wgmma.mma_async
// CHECK-NOT: wgmma.wait_group
// CHECK-COUNT-64: ex2.approx
// CHECK: wgmma.wait_group.sync.aligned 0;
cuda_tile.module @m {
  entry @attention(%pq: tile<ptr<f16>>, %pk: tile<ptr<f16>>, %pv: tile<ptr<f16>>, %out: tile<ptr<f32>>, %blocks: tile<i32>) {
    %q0 = assume div_by<16>, %pq : tile<ptr<f16>>
    %k0 = assume div_by<16>, %pk : tile<ptr<f16>>
    %v0 = assume div_by<16>, %pv : tile<ptr<f16>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %none = constant <f32: 0.0> : tile<128x128xf32>
    %nos = constant <f32: 0.0> : tile<128x128xf32>
    %low = constant <f32: -1.0e30> : tile<128xf32>
    %nol = constant <f32: 0.0> : tile<128xf32>
    %scale = constant <f32: 0.127517> : tile<128x128xf32>
    %vq = make_tensor_view %q0, shape = [4096, 128], strides = [128, 1] : tensor_view<4096x128xf16, strides=[128,1]>
    %vk = make_tensor_view %k0, shape = [4096, 128], strides = [128, 1] : tensor_view<4096x128xf16, strides=[128,1]>
    %vv = make_tensor_view %v0, shape = [4096, 128], strides = [128, 1] : tensor_view<4096x128xf16, strides=[128,1]>
    %vo = make_tensor_view %out, shape = [4096, 128], strides = [128, 1] : tensor_view<4096x128xf32, strides=[128,1]>
    %tq = make_partition_view %vq : partition_view<tile=(128x128), tensor_view<4096x128xf16, strides=[128,1]>>
    %tk = make_partition_view %vk : partition_view<tile=(128x128), tensor_view<4096x128xf16, strides=[128,1]>, dim_map=[1, 0]>
    %tv = make_partition_view %vv : partition_view<tile=(128x128), tensor_view<4096x128xf16, strides=[128,1]>>
    %to = make_partition_view %vo : partition_view<tile=(128x128), tensor_view<4096x128xf32, strides=[128,1]>>
    %q, %t0 = load_view_tko weak %tq[%x, %zero] : partition_view<tile=(128x128), tensor_view<4096x128xf16, strides=[128,1]>>, tile<i32> -> tile<128x128xf16>, token
    %r:3 = for %i in (%zero to %blocks, step %one) : tile<i32> iter_values(%acc = %none, %max = %low, %sum = %nol) -> (tile<128x128xf32>, tile<128xf32>, tile<128xf32>) {
      %k, %t1 = load_view_tko weak %tk[%zero, %i] : partition_view<tile=(128x128), tensor_view<4096x128xf16, strides=[128,1]>, dim_map=[1, 0]>, tile<i32> -> tile<128x128xf16>, token
      %c, %t2 = load_view_tko weak %tv[%i, %zero] : partition_view<tile=(128x128), tensor_view<4096x128xf16, strides=[128,1]>>, tile<i32> -> tile<128x128xf16>, token
      %s0 = mmaf %q, %k, %nos : tile<128x128xf16>, tile<128x128xf16>, tile<128x128xf32>
      %s = mulf %s0, %scale : tile<128x128xf32>
      %m0 = reduce %s dim=1 identities=[0xFF800000 : f32] : tile<128x128xf32> -> tile<128xf32>
      (%u: tile<f32>, %v: tile<f32>) {
        %w = maxf %u, %v : tile<f32>
        yield %w : tile<f32>
      }
      %m = maxf %m0, %max : tile<128xf32>
      %m1 = reshape %m : tile<128xf32> -> tile<128x1xf32>
      %m2 = broadcast %m1 : tile<128x1xf32> -> tile<128x128xf32>
      %d = subf %s, %m2 : tile<128x128xf32>
      %p = exp2 %d : tile<128x128xf32>
      %l0 = reduce %p dim=1 identities=[0.0 : f32] : tile<128x128xf32> -> tile<128xf32>
      (%u: tile<f32>, %v: tile<f32>) {
        %w = addf %u, %v : tile<f32>
        yield %w : tile<f32>
      }
      %e = subf %max, %m : tile<128xf32>
      %alpha = exp2 %e : tile<128xf32>
      %l1 = mulf %sum, %alpha : tile<128xf32>
      %l = addf %l1, %l0 : tile<128xf32>
      %a1 = reshape %alpha : tile<128xf32> -> tile<128x1xf32>
      %a2 = broadcast %a1 : tile<128x1xf32> -> tile<128x128xf32>
      %o0 = mulf %acc, %a2 : tile<128x128xf32>
      %h = ftof %p : tile<128x128xf32> -> tile<128x128xf16>
      %o = mmaf %h, %c, %o0 : tile<128x128xf16>, tile<128x128xf16>, tile<128x128xf32>
      continue %o, %m, %l : tile<128x128xf32>, tile<128xf32>, tile<128xf32>
    }
    %n1 = reshape %r#2 : tile<128xf32> -> tile<128x1xf32>
    %n2 = broadcast %n1 : tile<128x1xf32> -> tile<128x128xf32>
    %o = divf %r#0, %n2 : tile<128x128xf32>
    %t = store_view_tko weak %o, %to[%x, %zero] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<4096x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
