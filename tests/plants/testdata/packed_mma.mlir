cuda_tile.module @m {
entry @k(%c: tile<ptr<f32>>, %a: tile<ptr<i8>>, %b: tile<ptr<i8>>, %s: tile<ptr<i8>>, %t: tile<ptr<i8>>) {
  %ia = iota : tile<4096xi32>
  %ra = reshape %a : tile<ptr<i8>> -> tile<1xptr<i8>>
  %ba = broadcast %ra : tile<1xptr<i8>> -> tile<4096xptr<i8>>
  %pa = offset %ba, %ia : tile<4096xptr<i8>>, tile<4096xi32> -> tile<4096xptr<i8>>
  %la, %ta = load_ptr_tko weak %pa : tile<4096xptr<i8>> -> tile<4096xi8>, token
  %fa = unpack %la : tile<4096xi8> -> tile<8192xf4E2M1FN>
  %ma = reshape %fa : tile<8192xf4E2M1FN> -> tile<128x64xf4E2M1FN>
  %ib = iota : tile<1024xi32>
  %rb = reshape %b : tile<ptr<i8>> -> tile<1xptr<i8>>
  %bb = broadcast %rb : tile<1xptr<i8>> -> tile<1024xptr<i8>>
  %pb = offset %bb, %ib : tile<1024xptr<i8>>, tile<1024xi32> -> tile<1024xptr<i8>>
  %lb, %tb = load_ptr_tko weak %pb : tile<1024xptr<i8>> -> tile<1024xi8>, token
  %fb = unpack %lb : tile<1024xi8> -> tile<2048xf4E2M1FN>
  %mb = reshape %fb : tile<2048xf4E2M1FN> -> tile<64x32xf4E2M1FN>
  %is = iota : tile<512xi32>
  %rs = reshape %s : tile<ptr<i8>> -> tile<1xptr<i8>>
  %bs = broadcast %rs : tile<1xptr<i8>> -> tile<512xptr<i8>>
  %ps = offset %bs, %is : tile<512xptr<i8>>, tile<512xi32> -> tile<512xptr<i8>>
  %ls, %ts = load_ptr_tko weak %ps : tile<512xptr<i8>> -> tile<512xi8>, token
  %fs = bitcast %ls : tile<512xi8> -> tile<512xf8E4M3FN>
  %ms = reshape %fs : tile<512xf8E4M3FN> -> tile<128x4xf8E4M3FN>
  %it = iota : tile<128xi32>
  %rt = reshape %t : tile<ptr<i8>> -> tile<1xptr<i8>>
  %bt = broadcast %rt : tile<1xptr<i8>> -> tile<128xptr<i8>>
  %pt = offset %bt, %it : tile<128xptr<i8>>, tile<128xi32> -> tile<128xptr<i8>>
  %lt, %tt = load_ptr_tko weak %pt : tile<128xptr<i8>> -> tile<128xi8>, token
  %ft = bitcast %lt : tile<128xi8> -> tile<128xf8E4M3FN>
  %mt = reshape %ft : tile<128xf8E4M3FN> -> tile<4x32xf8E4M3FN>
  %ic = iota : tile<4096xi32>
  %rc = reshape %c : tile<ptr<f32>> -> tile<1xptr<f32>>
  %bc = broadcast %rc : tile<1xptr<f32>> -> tile<4096xptr<f32>>
  %pc = offset %bc, %ic : tile<4096xptr<f32>>, tile<4096xi32> -> tile<4096xptr<f32>>
  %lc, %tc = load_ptr_tko weak %pc : tile<4096xptr<f32>> -> tile<4096xf32>, token
  %mc = reshape %lc : tile<4096xf32> -> tile<128x32xf32>
  %d = mmaf_scaled %ma, %mb, %mc, %ms, %mt : tile<128x64xf4E2M1FN>, tile<64x32xf4E2M1FN>, tile<128x32xf32>, tile<128x4xf8E4M3FN>, tile<4x32xf8E4M3FN>
  %o = reshape %d : tile<128x32xf32> -> tile<4096xf32>
  %k = store_ptr_tko weak %pc, %o : tile<4096xptr<f32>>, tile<4096xf32> -> token
  return
}
}
