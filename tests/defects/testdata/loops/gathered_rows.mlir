// A loop loads the numbers of rows, and gathers and multiplies those rows, as sparse attention does. As in
// paged_load.mlir, the wait for what is gathered was lost.
//
// RUN: tile-run %s --grid=1 --diff-engines=interp,ptx --gpu-name=sm_80,sm_90,sm_100,sm_120 --adversarial --seed=1 \
// RUN:   --arg=bf16[16x128]=random --arg=bf16[96x128]=random --arg=i32:%S/rows.npy --arg=i32:7 --arg=f32[16x16]
// RUN: tile-run %s --grid=1 --diff-engines=interp,ptx --gpu-name=sm_80,sm_90,sm_100,sm_120 -O2 \
// RUN:   --arg=bf16[16x128]=random --arg=bf16[96x128]=random --arg=i32:%S/rows.npy --arg=i32:1 --arg=f32[16x16]
// RUN: tile-run %s --grid=1 --diff-engines=interp,tileas,ptx --gpu-name=sm_90 \
// RUN:   --arg=bf16[16x128]=random --arg=bf16[96x128]=random --arg=i32:%S/rows.npy --arg=i32:0 --arg=f32[16x16]

cuda_tile.module @m {
  entry @k(%q: tile<ptr<bf16>>, %keys: tile<ptr<bf16>>, %rows: tile<ptr<i32>>, %n: tile<i32>, %out: tile<ptr<f32>>) {
    %t = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c16 = constant <i32: 16> : tile<i32>
    %c128 = constant <i32: 128> : tile<16x128xi32>
    %ka = assume div_by<16>, %keys : tile<ptr<bf16>>
    %qa = assume div_by<16>, %q : tile<ptr<bf16>>
    %qv = make_tensor_view %qa, shape = [16, 128], strides = [128, 1] : tensor_view<16x128xbf16, strides=[128,1]>
    %qp = make_partition_view %qv : partition_view<tile=(16x128), tensor_view<16x128xbf16, strides=[128,1]>>
    %all = muli %n, %c16 : tile<i32>
    %rv = make_tensor_view %rows, shape = [%all], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %rp = make_partition_view %rv : partition_view<tile=(16), tensor_view<?xi32, strides=[1]>>
    %ov = make_tensor_view %out, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf32, strides=[16,1]>
    %op = make_partition_view %ov : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>
    %a, %ta = load_view_tko weak %qp[%c0, %c0] token = %t : partition_view<tile=(16x128), tensor_view<16x128xbf16, strides=[128,1]>>, tile<i32> -> tile<16x128xbf16>, token
    %iota = iota : tile<128xi32>
    %iota1 = reshape %iota : tile<128xi32> -> tile<1x128xi32>
    %columns = broadcast %iota1 : tile<1x128xi32> -> tile<16x128xi32>
    %k1 = reshape %ka : tile<ptr<bf16>> -> tile<1x1xptr<bf16>>
    %ks = broadcast %k1 : tile<1x1xptr<bf16>> -> tile<16x128xptr<bf16>>
    %zero = constant <f32: 0.0> : tile<16x16xf32>
    %sum = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<16x16xf32>) {
      %r, %tr = load_view_tko weak %rp[%i] token = %t : partition_view<tile=(16), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<16xi32>, token
      %r1 = reshape %r : tile<16xi32> -> tile<16x1xi32>
      %rb = broadcast %r1 : tile<16x1xi32> -> tile<16x128xi32>
      %ro = muli %rb, %c128 : tile<16x128xi32>
      %o = addi %ro, %columns : tile<16x128xi32>
      %p = offset %ks, %o : tile<16x128xptr<bf16>>, tile<16x128xi32> -> tile<16x128xptr<bf16>>
      %g, %tg = load_ptr_tko weak %p token=%t : tile<16x128xptr<bf16>> -> tile<16x128xbf16>, token
      %b = permute %g [1, 0] : tile<16x128xbf16> -> tile<128x16xbf16>
      %next = mmaf %a, %b, %acc : tile<16x128xbf16>, tile<128x16xbf16>, tile<16x16xf32>
      continue %next : tile<16x16xf32>
    }
    %s = store_view_tko weak %sum, %op[%c0, %c0] token = %t : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>, tile<i32> -> token
    return
  }
}
