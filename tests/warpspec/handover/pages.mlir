// Attention over rows that a table names. A role of as many warps as the consumers reads the table ahead and copies the
// rows of K and V. On sm_90 the consumers issue P V late. On sm_100 the role exists because they compute in the loop, and
// the MMA warp takes the stages.
// RUN: tile-opt %s --gpu-name=sm_90 --warp-roles=always --lower-to=loops-scheduled --remarks -o - 2>&1 | FileCheck --check-prefix=ROLES %s
// RUN: tile-opt %s --gpu-name=sm_100 --lower-to=loops-scheduled --remarks -o - 2>&1 | FileCheck --check-prefix=MMA %s
// RUN: tile-run --gpu-name=sm_90,sm_100 --warp-roles=always --exact --entry=pages --grid=1 --array=f16[64x64]=random --array=f16[96x64]=random --array=f16[96x64]=random \
// RUN:   --array=i32[320]=random --array=f32[64x64] %s
// RUN: tile-run --gpu-name=sm_90,sm_100 --warp-roles=always --exact --entry=pages --grid=1 --array=f16[64x64]=random --array=f16[96x64]=random --array=f16[96x64]=random \
// RUN:   --array=i32[0] --array=f32[64x64] %s
// RUN: tile-run --gpu-name=sm_90 --warp-roles=always --diff-engines=interp,tileas --adversarial --seed=1 --entry=pages --grid=1 --array=f16[64x64]=random --array=f16[96x64]=random --array=f16[96x64]=random \
// RUN:   --array=i32[256]=random --array=f32[64x64] %s
// RUN: tile-run --gpu-name=sm_90 --warp-roles=always --engine=ptx --sync-check --entry=pages --grid=1 --array=f16[64x64]=random --array=f16[96x64]=random --array=f16[96x64]=random \
// RUN:   --array=i32[256]=random --array=f32[64x64] %s | FileCheck --check-prefix=SYNC %s
// RUN: tile-run --gpu-name=sm_100 --engine=ptx --sync-check --entry=pages --grid=1 --array=f16[64x64]=random --array=f16[96x64]=random --array=f16[96x64]=random \
// RUN:   --array=i32[128]=random --array=f32[64x64] %s | FileCheck --check-prefix=SYNC %s
// RUN(long): tile-run --gpu-name=sm_90,sm_103 --warp-roles=always --exact --adversarial --seed=2 --entry=pages --grid=1 --array=f16[64x64]=random --array=f16[96x64]=random --array=f16[96x64]=random \
// RUN(long):   --array=i32[640]=random --array=f32[64x64] %s

// ROLES: warp-specialized: 4 consumer warps, 1 producer warp, 4 warps that copy, 8192 bytes loaded once, pipe of {{[2-8]}} x 8192 bytes, pipe of {{[2-8]}} x 8192 bytes
// MMA: warp-specialized: 4 consumer warps, 1 producer warp, 4 warps that copy, 1 MMA warp
// SYNC: nothing found, for all schedules
cuda_tile.module @kernels {
  entry @pages(%q: tile<ptr<f16>>, %qm: tile<i32>, %qn: tile<i32>, %qs: tile<i32>, %qs1: tile<i32>,
      %k: tile<ptr<f16>>, %km: tile<i32>, %kn: tile<i32>, %ks: tile<i32>, %ks1: tile<i32>,
      %v: tile<ptr<f16>>, %vm: tile<i32>, %vn: tile<i32>, %vs: tile<i32>, %vs1: tile<i32>,
      %n: tile<ptr<i32>>, %nm: tile<i32>, %ns: tile<i32>,
      %o: tile<ptr<f32>>, %om: tile<i32>, %on: tile<i32>, %os: tile<i32>, %os1: tile<i32>) {
    %t = make_token : token
    %q16 = assume div_by<16>, %q : tile<ptr<f16>>
    %k16 = assume div_by<16>, %k : tile<ptr<f16>>
    %v16 = assume div_by<16>, %v : tile<ptr<f16>>
    %n16 = assume div_by<16>, %n : tile<ptr<i32>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c64 = constant <i32: 64> : tile<i32>
    %rows = assume bounded<0, ?>, %km : tile<i32>
    %most = assume bounded<0, ?>, %nm : tile<i32>
    %stride = constant <i32: 64> : tile<64x64xi32>
    %qt = make_tensor_view %q16, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
    %qp = make_partition_view %qt : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
    %nt = make_tensor_view %n16, shape = [%most], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %np = make_partition_view %nt : partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>
    %ot = make_tensor_view %o, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %op = make_partition_view %ot : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %a, %ta = load_view_tko weak %qp[%c0, %c0] token = %t : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %iota = iota : tile<64xi32>
    %iota1 = reshape %iota : tile<64xi32> -> tile<1x64xi32>
    %columns = broadcast %iota1 : tile<1x64xi32> -> tile<64x64xi32>
    %kp1 = reshape %k16 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %kp = broadcast %kp1 : tile<1x1xptr<f16>> -> tile<64x64xptr<f16>>
    %vp1 = reshape %v16 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %vp = broadcast %vp1 : tile<1x1xptr<f16>> -> tile<64x64xptr<f16>>
    %rows1 = reshape %rows : tile<i32> -> tile<1x1xi32>
    %rowsb = broadcast %rows1 : tile<1x1xi32> -> tile<64x64xi32>
    %nothing = constant <f16: 0.0> : tile<64x64xf16>
    %zero = constant <f32: 0.0> : tile<64x64xf32>
    %eighth = constant <f32: 0.125> : tile<64x64xf32>
    %steps = divi %most, %c64 signed rounding<positive_inf> : tile<i32>
    %none = constant <f32: 0.0> : tile<64xf32>
    %sum, %all = for %i in (%c0 to %steps, step %c1) : tile<i32> iter_values(%acc = %zero, %l = %none) -> (tile<64x64xf32>, tile<64xf32>) {
      %r, %tr = load_view_tko weak %np[%i] token = %t : partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<64xi32>, token
      %r1 = reshape %r : tile<64xi32> -> tile<64x1xi32>
      %rb = broadcast %r1 : tile<64x1xi32> -> tile<64x64xi32>
      %in = cmpi less_than %rb, %rowsb, unsigned : tile<64x64xi32> -> tile<64x64xi1>
      %ro = muli %rb, %stride : tile<64x64xi32>
      %at = addi %ro, %columns : tile<64x64xi32>
      %ka = offset %kp, %at : tile<64x64xptr<f16>>, tile<64x64xi32> -> tile<64x64xptr<f16>>
      %kt, %tk = load_ptr_tko weak %ka, %in, %nothing token=%t : tile<64x64xptr<f16>>, tile<64x64xi1>, tile<64x64xf16> -> tile<64x64xf16>, token
      %kt2 = permute %kt [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
      %s = mmaf %a, %kt2, %zero : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %scaled = mulf %s, %eighth : tile<64x64xf32>
      %p = exp2 %scaled : tile<64x64xf32>
      %part = reduce %p dim=1 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32> (%x: tile<f32>, %y: tile<f32>) {
        %z = addf %x, %y : tile<f32>
        yield %z : tile<f32>
      }
      %l2 = addf %l, %part : tile<64xf32>
      %ph = ftof %p : tile<64x64xf32> -> tile<64x64xf16>
      %va = offset %vp, %at : tile<64x64xptr<f16>>, tile<64x64xi32> -> tile<64x64xptr<f16>>
      %vt, %tv = load_ptr_tko weak %va, %in, %nothing token=%t : tile<64x64xptr<f16>>, tile<64x64xi1>, tile<64x64xf16> -> tile<64x64xf16>, token
      %less = mulf %acc, %eighth : tile<64x64xf32>
      %next = mmaf %ph, %vt, %less : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %next, %l2 : tile<64x64xf32>, tile<64xf32>
    }
    %all1 = reshape %all : tile<64xf32> -> tile<1x64xf32>
    %allb = broadcast %all1 : tile<1x64xf32> -> tile<64x64xf32>
    %out = addf %sum, %allb : tile<64x64xf32>
    %done = store_view_tko weak %out, %op[%c0, %c0] token = %t : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
