// Two CTAs share a tile block, and each makes its maps in a place of its own, once. Keys come to both by one load, which is
// that of one of the two maps.
// RUN: tile-opt %s --gpu-name=sm_100 --lower-to=loops-scheduled --remarks -o - 2>&1 | FileCheck --check-prefix=WARP %s
// RUN: tile-opt %s --gpu-name=sm_90 --lower-to=loops-scheduled --remarks -o - 2>&1 | FileCheck --check-prefix=LOAD %s
// RUN: tile-run --gpu-name=sm_100 --diff-engines=interp,tileas,ptx --adversarial --seed=1 --grid=4 --array=f16[512x64]=random --array=i32[16]=random \
// RUN:   --array=f16[512x64]=random --array=f16[512x64]=random --array=f32[512x64] %s
// RUN: tile-run --gpu-name=sm_90 --diff-engines=interp,tileas,ptx --adversarial --seed=2 --grid=4 --array=f16[512x64]=random --array=i32[16]=random \
// RUN:   --array=f16[512x64]=random --array=f16[512x64]=random --array=f32[512x64] %s
// RUN(long): tile-run --gpu-name=sm_103 --diff-engines=interp,tileas,ptx --adversarial --seed=3 --grid=4 --array=f16[512x64]=random --array=i32[16]=random \
// RUN(long):   --array=f16[512x64]=random --array=f16[512x64]=random --array=f32[512x64] %s

// WARP: warp-specialized: {{.*}} 1 MMA warp
// LOAD: warp-specialized: {{.*}} 1 producer warp
cuda_tile.module @kernels {
  entry @k(%q: tile<ptr<f16>>, %qm: tile<i32>, %qn: tile<i32>, %qs: tile<i32>, %qs1: tile<i32>,
      %n: tile<ptr<i32>>, %nm: tile<i32>, %ns: tile<i32>,
      %a: tile<ptr<f16>>, %am: tile<i32>, %an: tile<i32>, %as: tile<i32>, %as1: tile<i32>,
      %w: tile<ptr<f16>>, %wm: tile<i32>, %wn: tile<i32>, %ws: tile<i32>, %ws1: tile<i32>,
      %o: tile<ptr<f32>>, %om: tile<i32>, %on: tile<i32>, %os: tile<i32>, %os1: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 2}> {
    %t = make_token : token
    %q16 = assume div_by<16>, %q : tile<ptr<f16>>
    %a16 = assume div_by<16>, %a : tile<ptr<f16>>
    %n16 = assume div_by<16>, %n : tile<ptr<i32>>
    %w16 = assume div_by<16>, %w : tile<ptr<f16>>
    %o16 = assume div_by<16>, %o : tile<ptr<f32>>
    %qn16 = assume div_by<16>, %qn : tile<i32>
    %an16 = assume div_by<16>, %an : tile<i32>
    %wn16 = assume div_by<16>, %wn : tile<i32>
    %qs8 = assume div_by<16>, %qs : tile<i32>
    %as8 = assume div_by<16>, %as : tile<i32>
    %ws8 = assume div_by<16>, %ws : tile<i32>
    %os4 = assume div_by<4>, %os : tile<i32>
    %nv = make_tensor_view %n16, shape = [%nm], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %ov = make_tensor_view %o16, shape = [%om, %on], strides = [%os4, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %np = make_partition_view %nv : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>
    %op = make_partition_view %ov : partition_view<tile=(128x64), tensor_view<?x?xf32, strides=[?,1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %few = constant <i32: 63> : tile<i32>
    %turns = constant <i32: 3> : tile<i32>
    %at = addi %x, %x : tile<i32>
    %next = addi %at, %c1 : tile<i32>
    %v1, %k1 = load_view_tko weak %np[%at] token = %t : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
    %v2, %k2 = load_view_tko weak %np[%next] token = %t : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
    %f1 = reshape %v1 : tile<1xi32> -> tile<i32>
    %f2 = reshape %v2 : tile<1xi32> -> tile<i32>
    %first = andi %f1, %few : tile<i32>
    %steps = andi %f2, %turns : tile<i32>
    %none = cmpi equal %steps, %c0, signed : tile<i32> -> tile<i1>
    if %none {
      return
    }
    %skip = muli %first, %as8 : tile<i32>
    %qbase = offset %q16, %skip : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %abase = offset %a16, %skip : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %wbase = offset %w16, %skip : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %rows = subi %am, %few : tile<i32>
    %rows0 = assume bounded<0, ?>, %rows : tile<i32>
    %qv = make_tensor_view %qbase, shape = [%rows0, %qn16], strides = [%qs8, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %av = make_tensor_view %abase, shape = [%rows0, %an16], strides = [%as8, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %wv = make_tensor_view %wbase, shape = [%rows0, %wn16], strides = [%ws8, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %qp = make_partition_view %qv : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %ap = make_partition_view %av : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %wp = make_partition_view %wv : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>
    %tq, %kq = load_view_tko weak %qp[%x, %c0] token = %t : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<128x64xf16>, token
    %zero = constant <f32: 0.0> : tile<128x64xf32>
    %least = constant <f32: -3.0> : tile<128x64xf32> // so that results are exact
    %least1 = constant <f32: -3.0> : tile<128xf32>
    %low = constant <f32: -1.0e30> : tile<128xf32>
    %sum, %top = for %k in (%c0 to %steps, step %c1) : tile<i32> iter_values(%acc = %zero, %m = %low) -> (tile<128x64xf32>, tile<128xf32>) {
      %ta, %ka = load_view_tko weak %ap[%k, %c0] token = %t : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %tk = permute %ta [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
      %s = mmaf %tq, %tk, %zero : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
      %r = reduce %s dim=1 identities=[0xFF800000 : f32] : tile<128x64xf32> -> tile<128xf32> (%u: tile<f32>, %v: tile<f32>) {
        %big = maxf %u, %v : tile<f32>
        yield %big : tile<f32>
      }
      %new = maxf %m, %r : tile<128xf32>
      %n1 = reshape %new : tile<128xf32> -> tile<128x1xf32>
      %nb = broadcast %n1 : tile<128x1xf32> -> tile<128x64xf32>
      %d = subf %s, %nb : tile<128x64xf32>
      %dw = floor %d : tile<128x64xf32>
      %dl = maxf %dw, %least : tile<128x64xf32>
      %e = exp2 %dl : tile<128x64xf32>
      %dm = subf %m, %new : tile<128xf32>
      %dmw = floor %dm : tile<128xf32>
      %dml = maxf %dmw, %least1 : tile<128xf32>
      %em = exp2 %dml : tile<128xf32>
      %e1 = reshape %em : tile<128xf32> -> tile<128x1xf32>
      %eb = broadcast %e1 : tile<128x1xf32> -> tile<128x64xf32>
      %scaled = mulf %acc, %eb : tile<128x64xf32>
      %p = ftof %e : tile<128x64xf32> -> tile<128x64xf16>
      %tw, %kw = load_view_tko weak %wp[%k, %c0] token = %t : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %out = mmaf %p, %tw, %scaled : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
      continue %out, %new : tile<128x64xf32>, tile<128xf32>
    }
    %done = store_view_tko weak %sum, %op[%x, %c0] token = %t : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
