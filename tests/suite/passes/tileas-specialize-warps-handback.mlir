// RUN: tile-opt %s --gpu-name=sm_100 --lower-to=loops-scheduled --print-after=tileas-specialize-warps -o - 2>&1 | FileCheck %s
// RUN: tile-opt %s --gpu-name=sm_100 --lower-to=loops-scheduled | FileCheck %s --check-prefix=LOWERED
// RUN: tile-opt %s --gpu-name=sm_100 --lower-to=loops-scheduled --remarks -o - 2>&1 | FileCheck %s --check-prefix=REMARK

// Threads scale the accumulator of P V in each iteration, so it goes to the MMA warp and back, in one stage with P. The MMA warp starts Q K^T of the next iteration before P V of this one.
// REMARK: remark: warp-specialized: 4 consumer warps, 1 producer warp, 1 MMA warp, {{.*}}, pipe of 2 accumulators, 1 handed back and forth
// CHECK: nv_tileas.func @attention
// CHECK: %[[S:.*]] = nv_tileas.pipe_create {{.*}} -> !nv_tileas.pipe<mma -> threads, !nv_tileas.buffer<2 x [128x128xf32]
// CHECK: %[[O:.*]] = nv_tileas.pipe_create {{.*}} -> !nv_tileas.pipe<threads <-> mma, !nv_tileas.buffer<128x128xf32, {{.*}}>, !nv_tileas.buffer<128x128xf16
// CHECK: role "compute" warps(4)
// CHECK: %[[FIRST:.*]]:2 = nv_tileas.pipe_acquire %[[O]]
// CHECK-NEXT: nv_tileas.tmem_store %{{.*}}, %[[FIRST]]#0
// CHECK: scf.for
// CHECK-NEXT: %[[SCORES:.*]] = nv_tileas.pipe_wait %[[S]]
// CHECK-NEXT: nv_tileas.tmem_load %[[SCORES]]
// CHECK-NEXT: nv_tileas.pipe_release %[[S]]
// CHECK: arith.exp2
// CHECK: %[[STAGE:.*]]:2 = nv_tileas.pipe_acquire %[[O]]
// CHECK-NEXT: nv_tileas.tmem_scale %{{.*}}, %[[STAGE]]#0
// CHECK-NEXT: nv_tileas.tmem_store %{{.*}}, %[[STAGE]]#1
// CHECK-NEXT: nv_tileas.pipe_commit %[[O]]
// CHECK: scf.continue
// CHECK: %[[LAST:.*]]:2 = nv_tileas.pipe_acquire %[[O]]
// CHECK-NEXT: nv_tileas.tmem_load %[[LAST]]#0
// CHECK: role "load" warps(1)
// CHECK: role "product" warps(1)
// CHECK: scf.if
// CHECK: nv_tileas.tmem_dot
// CHECK: nv_tileas.pipe_commit %[[S]]
// CHECK: scf.for
// CHECK: nv_tileas.pipe_acquire %[[S]]
// CHECK: nv_tileas.tmem_dot
// CHECK: nv_tileas.pipe_commit %[[S]]
// CHECK: %[[TAKEN:.*]]:3 = nv_tileas.pipe_wait %[[O]]
// CHECK: nv_tileas.tmem_dot %[[TAKEN]]#1, %{{.*}}, %[[TAKEN]]#0
// CHECK: nv_tileas.mma_commit %[[TAKEN]]#2
// CHECK-NEXT: nv_tileas.pipe_release %[[O]]
// CHECK: scf.continue
// CHECK: nv_tileas.tmem_dot
// CHECK: nv_tileas.pipe_release %[[O]]
// CHECK: nv_tileas.pipe_drain %[[S]], %[[O]]

// The phases of the one stage: threads wait for the MMA before, and the MMA warp for threads. At the end it waits for its last MMA.
// LOWERED: role "compute"
// LOWERED: nv_tileas.mbarrier_wait %[[BACK:.*]], %{{.*}} tensor
// LOWERED-NEXT: nv_tileas.tmem_store
// LOWERED: nv_tileas.mbarrier_wait %[[BACK]], %{{.*}} tensor
// LOWERED-NEXT: nv_tileas.tmem_scale
// LOWERED-NEXT: nv_tileas.tmem_store
// LOWERED-NEXT: nv_tileas.mbarrier_arrive %[[THERE:.*]], 4 tensor
// LOWERED: role "product"
// LOWERED: nv_tileas.mbarrier_wait %[[THERE]], %{{.*}} tensor
// LOWERED: nv_tileas.mma_commit %[[BACK]]
// LOWERED: nv_tileas.mma_wait 0 for %[[BACK]]
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
