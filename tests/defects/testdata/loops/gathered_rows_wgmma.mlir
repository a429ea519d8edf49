// As gathered_rows.mlir, with a product that wgmma and tcgen05 compute: what they read by the asynchronous proxy needs
// a fence after the wait for the copies, which was lost with it.
//
// RUN: tile-run %s --grid=1 --diff-engines=interp,ptx --gpu-name=sm_90,sm_100 --adversarial --seed=1 \
// RUN:   --arg=f16[64x64]=random --arg=f16[96x64]=random --arg=i32:%S/rows64.npy --arg=i32:3 --arg=f32[64x64]
// RUN: tile-run %s --grid=1 --diff-engines=interp,ptx --gpu-name=sm_90,sm_100 -O2 \
// RUN:   --arg=f16[64x64]=random --arg=f16[96x64]=random --arg=i32:%S/rows64.npy --arg=i32:1 --arg=f32[64x64]

cuda_tile.module @m {
  entry @k(%q: tile<ptr<f16>>, %keys: tile<ptr<f16>>, %rows: tile<ptr<i32>>, %n: tile<i32>, %out: tile<ptr<f32>>) {
    %t = make_token : token
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c64 = constant <i32: 64> : tile<i32>
    %stride = constant <i32: 64> : tile<64x64xi32>
    %ka = assume div_by<16>, %keys : tile<ptr<f16>>
    %qa = assume div_by<16>, %q : tile<ptr<f16>>
    %qv = make_tensor_view %qa, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
    %qp = make_partition_view %qv : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
    %all = muli %n, %c64 : tile<i32>
    %rv = make_tensor_view %rows, shape = [%all], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %rp = make_partition_view %rv : partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>
    %ov = make_tensor_view %out, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %op = make_partition_view %ov : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %a, %ta = load_view_tko weak %qp[%c0, %c0] token = %t : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %iota = iota : tile<64xi32>
    %iota1 = reshape %iota : tile<64xi32> -> tile<1x64xi32>
    %columns = broadcast %iota1 : tile<1x64xi32> -> tile<64x64xi32>
    %k1 = reshape %ka : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %ks = broadcast %k1 : tile<1x1xptr<f16>> -> tile<64x64xptr<f16>>
    %zero = constant <f32: 0.0> : tile<64x64xf32>
    %sum = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<64x64xf32>) {
      %r, %tr = load_view_tko weak %rp[%i] token = %t : partition_view<tile=(64), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<64xi32>, token
      %r1 = reshape %r : tile<64xi32> -> tile<64x1xi32>
      %rb = broadcast %r1 : tile<64x1xi32> -> tile<64x64xi32>
      %ro = muli %rb, %stride : tile<64x64xi32>
      %o = addi %ro, %columns : tile<64x64xi32>
      %p = offset %ks, %o : tile<64x64xptr<f16>>, tile<64x64xi32> -> tile<64x64xptr<f16>>
      %g, %tg = load_ptr_tko weak %p token=%t : tile<64x64xptr<f16>> -> tile<64x64xf16>, token
      %next = mmaf %a, %g, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %next : tile<64x64xf32>
    }
    %s = store_view_tko weak %sum, %op[%c0, %c0] token = %t : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
