// RUN: tile-opt %s --gpu-name=sm_90 --lower-to=loops-scheduled | FileCheck %s
// RUN: tile-opt %s --gpu-name=sm_90 --lower-to=loops-scheduled --warp-roles=always | FileCheck %s --check-prefix=ALWAYS
// RUN: tile-opt %s --gpu-name=sm_90 --lower-to=loops-scheduled --remarks -o - 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --gpu-name=sm_90 --print-schedule | FileCheck %s --check-prefix=TABLE

// What comes of turns, in time: the tensor cores go from one group to the other, whose arithmetic stands beside; the role that loads has no table.
// TABLE: loop of role "compute" in @attention
// TABLE-NEXT: iteration {{ *}}[[N:[0-9]+]] cycles by the cost model, of which the tensor cores are busy for [[N]]
// TABLE-NEXT: ping-pong {{ *}}2 groups of 4 warps
// TABLE: cycle | tensor {{ *}}| warps 0 to 3 | warps 4 to 7
// TABLE: dot_async#{{[0-9]+}} of group 0 {{ *}}| dot_wait#{{[0-9]+}} {{ *}}| exp2#
// TABLE: dot_async#{{[0-9]+}} of group 1 {{ *}}| exp2#{{[0-9]+}} {{ *}}| dot_wait#
// TABLE: loop in @attention: is of a role that waits for others: its order is that of the text

// The product of P and V is started in the next iteration, behind its Q K^T and in the same turn: the softmax waits for Q K^T alone, and stands beside P V of its own group and the turn of the other one.
// REMARK: remark: warp-specialized: 8 consumer warps, 1 producer warp, {{.*}}, 2 warp groups in ping-pong, 232 and 32 registers per thread
// CHECK: role "compute" warps(8) regs(232) {
// CHECK: nv_tileas.pingpong_signal id 1 groups 2 {open}
// CHECK: scf.if
// CHECK: nv_tileas.pingpong_wait id 1 groups 2
// CHECK: nv_tileas.dot_async
// CHECK: nv_tileas.pingpong_signal id 1 groups 2
// CHECK: scf.for
// CHECK: nv_tileas.mbarrier_wait
// CHECK: nv_tileas.mbarrier_wait
// CHECK: nv_tileas.pingpong_wait id 1 groups 2
// CHECK: %[[S:.*]] = nv_tileas.dot_async
// CHECK: %[[O:.*]] = nv_tileas.dot_async
// CHECK: nv_tileas.pingpong_signal id 1 groups 2
// CHECK: nv_tileas.dot_wait %[[S]] {pending = 1 : i32}
// CHECK: nv_tileas.mbarrier_arrive
// CHECK: nv_tileas.reduce
// CHECK: arith.exp2
// CHECK: nv_tileas.dot_wait %[[O]] {pending = 0 : i32}
// CHECK: scf.continue
// CHECK: nv_tileas.pingpong_wait id 1 groups 2
// CHECK: nv_tileas.dot_async
// CHECK: nv_tileas.pingpong_signal id 1 groups 2
// CHECK: nv_tileas.dot_wait
// CHECK: } else {
// CHECK: nv_tileas.pingpong_wait id 1 groups 2 {close}
// CHECK: }
// CHECK: role "load"
// CHECK-NOT: _turn
// ALWAYS: role "compute" warps(8)
// ALWAYS-NOT: _turn
// ALWAYS: nv_tileas.dot_wait %{{.*}} {pending = 1 : i32}
// ALWAYS-NOT: _turn
// ALWAYS: nv_tileas.return

// Attention of one block of 128 queries, d = 128, over blocks of 128 keys, with a running maximum and a running sum: the shape of FlashAttention 3 and 4.
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
      %c, %t2 = load_view_tko weak %tv[%i, %zero] : partition_view<tile=(128x128), tensor_view<4096x128xf16, strides=[128,1]>>, tile<i32> -> tile<128x128xf16>, token
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
