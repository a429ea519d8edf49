// A loop loads the number of a page and multiplies by that page. The load of the number ran an iteration ahead, the
// copy of the page did not, and its wait was lost: at -O2 and -O3 the kernel did not compile.
//
// RUN: tile-run %s --grid=1 --diff-engines=interp,ptx --gpu-name=sm_80,sm_90,sm_100,sm_120 --adversarial --seed=1 \
// RUN:   --arg=bf16[16x64]=random --arg=bf16[8x64x128]=random --arg=i32:%S/pages.npy --arg=i32:7 --arg=f32[16x128]
// RUN: tile-run %s --grid=1 --diff-engines=interp,ptx --gpu-name=sm_80,sm_90,sm_100,sm_120 -O2 \
// RUN:   --arg=bf16[16x64]=random --arg=bf16[8x64x128]=random --arg=i32:%S/pages.npy --arg=i32:1 --arg=f32[16x128]
// RUN: tile-run %s --grid=1 --diff-engines=interp,tileas,ptx --gpu-name=sm_90 \
// RUN:   --arg=bf16[16x64]=random --arg=bf16[8x64x128]=random --arg=i32:%S/pages.npy --arg=i32:0 --arg=f32[16x128]

cuda_tile.module @m {
  entry @k(%q: tile<ptr<bf16>>, %pages: tile<ptr<bf16>>, %table: tile<ptr<i32>>, %n: tile<i32>, %out: tile<ptr<f32>>) {
    %t = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %qa = assume div_by<16>, %q : tile<ptr<bf16>>
    %pa = assume div_by<16>, %pages : tile<ptr<bf16>>
    %qv = make_tensor_view %qa, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xbf16, strides=[64,1]>
    %qp = make_partition_view %qv : partition_view<tile=(16x64), tensor_view<16x64xbf16, strides=[64,1]>>
    %pv = make_tensor_view %pa, shape = [8, 64, 128], strides = [8192, 128, 1] : tensor_view<8x64x128xbf16, strides=[8192,128,1]>
    %pp = make_partition_view %pv : partition_view<tile=(1x64x128), tensor_view<8x64x128xbf16, strides=[8192,128,1]>>
    %tv = make_tensor_view %table, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %tp = make_partition_view %tv : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>
    %ov = make_tensor_view %out, shape = [16, 128], strides = [128, 1] : tensor_view<16x128xf32, strides=[128,1]>
    %op = make_partition_view %ov : partition_view<tile=(16x128), tensor_view<16x128xf32, strides=[128,1]>>
    %a, %ta = load_view_tko weak %qp[%c0, %c0] token = %t : partition_view<tile=(16x64), tensor_view<16x64xbf16, strides=[64,1]>>, tile<i32> -> tile<16x64xbf16>, token
    %zero = constant <f32: 0.0> : tile<16x128xf32>
    %sum = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<16x128xf32>) {
      %number, %tn = load_view_tko weak %tp[%i] token = %t : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
      %page = reshape %number : tile<1xi32> -> tile<i32>
      %b3, %tb = load_view_tko weak %pp[%page, %c0, %c0] token = %t : partition_view<tile=(1x64x128), tensor_view<8x64x128xbf16, strides=[8192,128,1]>>, tile<i32> -> tile<1x64x128xbf16>, token
      %b = reshape %b3 : tile<1x64x128xbf16> -> tile<64x128xbf16>
      %next = mmaf %a, %b, %acc : tile<16x64xbf16>, tile<64x128xbf16>, tile<16x128xf32>
      continue %next : tile<16x128xf32>
    }
    %s = store_view_tko weak %sum, %op[%c0, %c0] token = %t : tile<16x128xf32>, partition_view<tile=(16x128), tensor_view<16x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
