// Latent decoding: 128 keys of 512 numbers take 128 KiB of shared memory, and so do their values, which the program loads
// beside them. The loads of values wait until the product that reads the keys has them. Then both have one place, and
// values are in no registers meanwhile.
// RUN: tile-opt %s --gpu-name=sm_90 --lower-to=ptx --print-after=tileas-plan-copies -o - 2>&1 | FileCheck --check-prefix=PLAN %s
// RUN: tile-run --gpu-name=sm_90 --exact --entry=latent --grid=1 --array=f16[16x512]=random --array=f16[512x512]=random \
// RUN:   --array=f16[512x512]=random --array=i32[256]=random --array=f32[16x512] %s
// RUN: tile-run --gpu-name=sm_90 --engine=ptx --sync-check --entry=latent --grid=1 --array=f16[16x512]=random --array=f16[256x512]=random \
// RUN:   --array=f16[256x512]=random --array=i32[256]=random --array=f32[16x512] %s | FileCheck --check-prefix=SYNC %s
// RUN(long): tile-run --gpu-name=sm_90,sm_100 --exact --adversarial --seed=1 --entry=latent --grid=1 --array=f16[16x512]=random \
// RUN(long):   --array=f16[384x512]=random --array=f16[384x512]=random --array=i32[256]=random --array=f32[16x512] %s

// PLAN: scf.for
// PLAN: nv_tileas.load {{.*}}nv_tileas.transfer = "cp.async"
// PLAN: nv_tileas.dot
// PLAN: nv_tileas.load {{.*}}nv_tileas.transfer = "cp.async"
// PLAN: nv_tileas.dot
// PLAN: scf.continue
// SYNC: nothing found, for all schedules
cuda_tile.module @kernels {
  entry @latent(%q: tile<ptr<f16>>, %qm: tile<i32>, %qn: tile<i32>, %qs: tile<i32>, %qs1: tile<i32>,
      %k: tile<ptr<f16>>, %km: tile<i32>, %kn: tile<i32>, %ks: tile<i32>, %ks1: tile<i32>,
      %v: tile<ptr<f16>>, %vm: tile<i32>, %vn: tile<i32>, %vs: tile<i32>, %vs1: tile<i32>,
      %n: tile<ptr<i32>>, %nm: tile<i32>, %ns: tile<i32>,
      %o: tile<ptr<f32>>, %om: tile<i32>, %on: tile<i32>, %os: tile<i32>, %os1: tile<i32>) {
    %t = make_token : token
    %q16 = assume div_by<16>, %q : tile<ptr<f16>>
    %k16 = assume div_by<16>, %k : tile<ptr<f16>>
    %v16 = assume div_by<16>, %v : tile<ptr<f16>>
    %o16 = assume div_by<16>, %o : tile<ptr<f32>>
    %keys = assume div_by<128>, %nm : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c128 = constant <i32: 128> : tile<i32>
    %qt = make_tensor_view %q16, shape = [16, 512], strides = [512, 1] : tensor_view<16x512xf16, strides=[512,1]>
    %ot = make_tensor_view %o16, shape = [16, 512], strides = [512, 1] : tensor_view<16x512xf32, strides=[512,1]>
    %qp = make_partition_view %qt : partition_view<tile=(16x512), tensor_view<16x512xf16, strides=[512,1]>>
    %op = make_partition_view %ot : partition_view<tile=(16x512), tensor_view<16x512xf32, strides=[512,1]>>
    %a, %ta = load_view_tko weak %qp[%c0, %c0] token = %t : partition_view<tile=(16x512), tensor_view<16x512xf16, strides=[512,1]>>, tile<i32> -> tile<16x512xf16>, token
    %none = constant <f32: 0.0> : tile<16x128xf32>
    %zero = constant <f32: 0.0> : tile<16x512xf32>
    %eighth = constant <f32: 0.125> : tile<16x128xf32>
    %iota = iota : tile<512xi32>
    %iota1 = reshape %iota : tile<512xi32> -> tile<1x512xi32>
    %columns = broadcast %iota1 : tile<1x512xi32> -> tile<128x512xi32>
    %count = iota : tile<128xi32>
    %wide = constant <i32: 512> : tile<128x512xi32>
    %few = constant <i32: 63> : tile<128xi32>
    %np1 = reshape %n : tile<ptr<i32>> -> tile<1xptr<i32>>
    %npb = broadcast %np1 : tile<1xptr<i32>> -> tile<128xptr<i32>>
    %kp1 = reshape %k16 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %kpb = broadcast %kp1 : tile<1x1xptr<f16>> -> tile<128x512xptr<f16>>
    %vp1 = reshape %v16 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %vpb = broadcast %vp1 : tile<1x1xptr<f16>> -> tile<128x512xptr<f16>>
    %steps = divi %keys, %c128 signed rounding<positive_inf> : tile<i32>
    %sum = for %i in (%c0 to %steps, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<16x512xf32>) {
      %first = muli %i, %c128 : tile<i32>
      %first1 = reshape %first : tile<i32> -> tile<1xi32>
      %firstb = broadcast %first1 : tile<1xi32> -> tile<128xi32>
      %where = addi %firstb, %count : tile<128xi32>
      %na = offset %npb, %where : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
      %which0, %tn = load_ptr_tko weak %na token=%t : tile<128xptr<i32>> -> tile<128xi32>, token
      %which = andi %which0, %few : tile<128xi32>
      %which1 = reshape %which : tile<128xi32> -> tile<128x1xi32>
      %whichb = broadcast %which1 : tile<128x1xi32> -> tile<128x512xi32>
      %row0 = muli %whichb, %wide : tile<128x512xi32>
      %at = addi %row0, %columns : tile<128x512xi32>
      %ka = offset %kpb, %at : tile<128x512xptr<f16>>, tile<128x512xi32> -> tile<128x512xptr<f16>>
      %key, %tk = load_ptr_tko weak %ka token=%t : tile<128x512xptr<f16>> -> tile<128x512xf16>, token
      %va = offset %vpb, %at : tile<128x512xptr<f16>>, tile<128x512xi32> -> tile<128x512xptr<f16>>
      %value, %tv = load_ptr_tko weak %va token=%t : tile<128x512xptr<f16>> -> tile<128x512xf16>, token
      %key2 = permute %key [1, 0] : tile<128x512xf16> -> tile<512x128xf16>
      %s = mmaf %a, %key2, %none : tile<16x512xf16>, tile<512x128xf16>, tile<16x128xf32>
      %scaled = mulf %s, %eighth : tile<16x128xf32>
      %row = reduce %scaled dim=1 identities=[0xFF800000 : f32] : tile<16x128xf32> -> tile<16xf32> (%x: tile<f32>, %y: tile<f32>) {
        %most = maxf %x, %y : tile<f32>
        yield %most : tile<f32>
      }
      %row1 = reshape %row : tile<16xf32> -> tile<16x1xf32>
      %rows = broadcast %row1 : tile<16x1xf32> -> tile<16x128xf32>
      %less = subf %scaled, %rows : tile<16x128xf32>
      %p = exp2 %less : tile<16x128xf32>
      %ph = ftof %p : tile<16x128xf32> -> tile<16x128xf16>
      %next = mmaf %ph, %value, %acc : tile<16x128xf16>, tile<128x512xf16>, tile<16x512xf32>
      continue %next : tile<16x512xf32>
    }
    %done = store_view_tko weak %sum, %op[%c0, %c0] token = %t : tile<16x512xf32>, partition_view<tile=(16x512), tensor_view<16x512xf32, strides=[512,1]>>, tile<i32> -> token
    return
  }
}
