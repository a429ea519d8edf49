// RUN(long): tile-opt --lower-to=synchronised -O0 --gpu-name=sm_100 %s | FileCheck %s
// RUN(long): tile-run -O0 --gpu-name=sm_100 --diff-engines=interp,tileas,ptx --thread-races --entry=k --grid=1 \
// RUN(long):   --arg=f32[8192] --arg=f16[8192]=-1..1 --arg=f16[16384]=-1..1 --arg=f16[16384]=-1..1 %s
// RUN(long): tile-run -O0 --gpu-name=sm_100 --diff-engines=interp,tileas,ptx --thread-races --adversarial --seed=1 \
// RUN(long):   --entry=k --grid=1 --arg=f32[8192] --arg=f16[8192]=-1..1 --arg=f16[16384]=-1..1 --arg=f16[16384]=-1..1 %s
// RUN(long): tile-run -O0 --gpu-name=sm_100 --diff-engines=interp,ptx --adversarial --seed=2 --entry=k --grid=1 \
// RUN(long):   --arg=f32[8192] --arg=f16[8192]=-1..1 --arg=f16[16384]=-1..1 --arg=f16[16384]=-1..1 %s
// RUN: tile-opt --lower-to=synchronised -O1 --gpu-name=sm_103 %s | FileCheck %s
// RUN: tile-run -O1 --gpu-name=sm_103 --diff-engines=interp,tileas,ptx --thread-races --entry=k --grid=1 \
// RUN:   --arg=f32[8192] --arg=f16[8192]=-1..1 --arg=f16[16384]=-1..1 --arg=f16[16384]=-1..1 %s
// RUN(long): tile-run -O1 --gpu-name=sm_103 --diff-engines=interp,tileas,ptx --thread-races --adversarial --seed=1 \
// RUN(long):   --entry=k --grid=1 --arg=f32[8192] --arg=f16[8192]=-1..1 --arg=f16[16384]=-1..1 --arg=f16[16384]=-1..1 %s
// RUN: tile-run -O1 --gpu-name=sm_103 --diff-engines=interp,ptx --adversarial --seed=2 --entry=k --grid=1 \
// RUN:   --arg=f32[8192] --arg=f16[8192]=-1..1 --arg=f16[16384]=-1..1 --arg=f16[16384]=-1..1 %s
// RUN(long): tile-opt --lower-to=synchronised -O2 --gpu-name=sm_107 %s | FileCheck %s
// RUN(long): tile-run -O2 --gpu-name=sm_107 --diff-engines=interp,tileas,ptx --thread-races --entry=k --grid=1 \
// RUN(long):   --arg=f32[8192] --arg=f16[8192]=-1..1 --arg=f16[16384]=-1..1 --arg=f16[16384]=-1..1 %s
// RUN(long): tile-run -O2 --gpu-name=sm_107 --diff-engines=interp,tileas,ptx --thread-races --adversarial --seed=1 \
// RUN(long):   --entry=k --grid=1 --arg=f32[8192] --arg=f16[8192]=-1..1 --arg=f16[16384]=-1..1 --arg=f16[16384]=-1..1 %s
// RUN(long): tile-run -O2 --gpu-name=sm_107 --diff-engines=interp,ptx --adversarial --seed=2 --entry=k --grid=1 \
// RUN(long):   --arg=f32[8192] --arg=f16[8192]=-1..1 --arg=f16[16384]=-1..1 --arg=f16[16384]=-1..1 %s
// RUN(long): tile-opt --lower-to=synchronised -O3 --gpu-name=sm_110 %s | FileCheck %s
// RUN(long): tile-run -O3 --gpu-name=sm_110 --diff-engines=interp,tileas,ptx --thread-races --entry=k --grid=1 \
// RUN(long):   --arg=f32[8192] --arg=f16[8192]=-1..1 --arg=f16[16384]=-1..1 --arg=f16[16384]=-1..1 %s
// RUN(long): tile-run -O3 --gpu-name=sm_110 --diff-engines=interp,tileas,ptx --thread-races --adversarial --seed=1 \
// RUN(long):   --entry=k --grid=1 --arg=f32[8192] --arg=f16[8192]=-1..1 --arg=f16[16384]=-1..1 --arg=f16[16384]=-1..1 %s
// RUN(long): tile-run -O3 --gpu-name=sm_110 --diff-engines=interp,ptx --adversarial --seed=2 --entry=k --grid=1 \
// RUN(long):   --arg=f32[8192] --arg=f16[8192]=-1..1 --arg=f16[16384]=-1..1 --arg=f16[16384]=-1..1 %s
// RUN(ptxas): assemble --ptxas=%ptxas --gpu-name=sm_107 %s
// RUN(long, ptxas): assemble --ptxas=%ptxas --gpu-name=sm_100,sm_103,sm_110 %s

// Operand A of an MMA, which threads compute from the result of another MMA, is in TMEM. The accumulator, of which
// threads change the sign of rows, stays in TMEM over the loop.

// CHECK: [[SUM:%[a-z0-9]+]] = nv_tileas.alloc_tmem {{.*}} : !nv_tileas.buffer<128x64xf32
// CHECK: scf.for
// CHECK: nv_tileas.tmem_dot {{.*}}, [[SUM]] {{.*}} : !nv_tileas.buffer<128x64xf16, {{[^,]*}}, space = tmem>

cuda_tile.module @m {
  entry @k(%po: tile<ptr<f32>>, %pq: tile<ptr<f16>>, %pk: tile<ptr<f16>>, %pv: tile<ptr<f16>>) {
    %tok = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %turns = constant <i32: 4> : tile<i32>
    %o = assume div_by<16>, %po : tile<ptr<f32>>
    %q = assume div_by<16>, %pq : tile<ptr<f16>>
    %k = assume div_by<16>, %pk : tile<ptr<f16>>
    %v = assume div_by<16>, %pv : tile<ptr<f16>>
    %vo = make_tensor_view %o, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf32, strides=[64,1]>
    %vq = make_tensor_view %q, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf16, strides=[64,1]>
    %vk = make_tensor_view %k, shape = [64, 256], strides = [1, 64] : tensor_view<64x256xf16, strides=[1,64]>
    %vv = make_tensor_view %v, shape = [256, 64], strides = [64,1] : tensor_view<256x64xf16, strides=[64,1]>
    %to = make_partition_view %vo : partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>
    %tq = make_partition_view %vq : partition_view<tile=(128x64), tensor_view<128x64xf16, strides=[64,1]>>
    %tk = make_partition_view %vk : partition_view<tile=(64x64), tensor_view<64x256xf16, strides=[1,64]>>
    %tv = make_partition_view %vv : partition_view<tile=(64x64), tensor_view<256x64xf16, strides=[64,1]>>
    %none = constant <f32: 0.0> : tile<128x64xf32>
    %start = constant <f32: 0.0> : tile<128x64xf32>
    %least = constant <f32: -8.0> : tile<128x64xf32>
    %most = constant <f32: 8.0> : tile<128x64xf32>
    %row = iota : tile<128xi32>
    %five = constant <i32: 5> : tile<128xi32>
    %ones = constant <i32: 1> : tile<128xi32>
    %group = shri %row, %five unsigned : tile<128xi32>
    %x, %ux = load_view_tko weak %tq[%zero, %zero] token = %tok : partition_view<tile=(128x64), tensor_view<128x64xf16, strides=[64,1]>>, tile<i32> -> tile<128x64xf16>, token
    %r:2 = for %i in (%zero to %turns, step %one) : tile<i32> iter_values(%acc = %start, %stored = %tok) -> (tile<128x64xf32>, token) {
      %y, %uy = load_view_tko weak %tk[%zero, %i] token = %tok : partition_view<tile=(64x64), tensor_view<64x256xf16, strides=[1,64]>>, tile<i32> -> tile<64x64xf16>, token
      %s = mmaf %x, %y, %none : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
      %s1 = minf %s, %most : tile<128x64xf32>
      %s2 = maxf %s1, %least : tile<128x64xf32>
      %p = ftof %s2 : tile<128x64xf32> -> tile<128x64xf16>
      %i1 = reshape %i : tile<i32> -> tile<1xi32>
      %turn = broadcast %i1 : tile<1xi32> -> tile<128xi32>
      %b0 = andi %row, %turn : tile<128xi32>
      %b1 = andi %b0, %ones : tile<128xi32>
      %b2 = addi %b1, %b1 : tile<128xi32>
      %b3 = subi %ones, %b2 : tile<128xi32>
      %f0 = itof %b3 signed : tile<128xi32> -> tile<128xf32>
      %f1 = reshape %f0 : tile<128xf32> -> tile<128x1xf32>
      %f2 = broadcast %f1 : tile<128x1xf32> -> tile<128x64xf32>
      %sum = mulf %acc, %f2 rounding<nearest_even> : tile<128x64xf32>
      %z, %uz = load_view_tko weak %tv[%i, %zero] token = %tok : partition_view<tile=(64x64), tensor_view<256x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %d = mmaf %p, %z, %sum : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
      continue %d, %stored : tile<128x64xf32>, token
    }
    %done = store_view_tko weak %r#0, %to[%zero, %zero] token = %r#1 : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
