// RUN(long): tile-run -O0 --gpu-name=sm_80 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s \
// RUN(long):   --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] --arg=i32:1 \
// RUN(long):   --arg=i32:3 %s
// RUN(long): tile-run -O3 --gpu-name=sm_80 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s \
// RUN(long):   --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] --arg=i32:1 \
// RUN(long):   --arg=i32:3 %s
// RUN(long): tile-run -O3 --adversarial --seed=1 --gpu-name=sm_80 --diff-engines=interp,ptx --entry=k --grid=1 \
// RUN(long):   --timeout=30s --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] \
// RUN(long):   --arg=i32:1 --arg=i32:3 %s
// RUN(long): tile-run -O3 --level=tileaa --gpu-name=sm_80 --diff-engines=interp,ptx --entry=k --grid=1 \
// RUN(long):   --timeout=30s --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] \
// RUN(long):   --arg=i32:1 --arg=i32:3 %s
// RUN: tile-run -O0 --level=tileas --gpu-name=sm_80 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s \
// RUN:   --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] --arg=i32:1 --arg=i32:3 \
// RUN:   %s
// RUN(long): tile-run -O0 --gpu-name=sm_90 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s \
// RUN(long):   --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] --arg=i32:1 \
// RUN(long):   --arg=i32:3 %s
// RUN(long): tile-run -O3 --gpu-name=sm_90 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s \
// RUN(long):   --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] --arg=i32:1 \
// RUN(long):   --arg=i32:3 %s
// RUN(long): tile-run -O3 --adversarial --seed=1 --gpu-name=sm_90 --diff-engines=interp,ptx --entry=k --grid=1 \
// RUN(long):   --timeout=30s --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] \
// RUN(long):   --arg=i32:1 --arg=i32:3 %s
// RUN(long): tile-run -O3 --level=tileaa --gpu-name=sm_90 --diff-engines=interp,ptx --entry=k --grid=1 \
// RUN(long):   --timeout=30s --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] \
// RUN(long):   --arg=i32:1 --arg=i32:3 %s
// RUN(long): tile-run -O0 --level=tileas --gpu-name=sm_90 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s \
// RUN(long):   --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] --arg=i32:1 --arg=i32:3 \
// RUN(long):   %s
// RUN(long): tile-run -O0 --gpu-name=sm_100 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s \
// RUN(long):   --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] --arg=i32:1 \
// RUN(long):   --arg=i32:3 %s
// RUN(long): tile-run -O3 --gpu-name=sm_100 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s \
// RUN(long):   --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] --arg=i32:1 \
// RUN(long):   --arg=i32:3 %s
// RUN(long): tile-run -O3 --adversarial --seed=1 --gpu-name=sm_100 --diff-engines=interp,ptx --entry=k --grid=1 \
// RUN(long):   --timeout=30s --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] \
// RUN(long):   --arg=i32:1 --arg=i32:3 %s
// RUN(long): tile-run -O3 --level=tileaa --gpu-name=sm_100 --diff-engines=interp,ptx --entry=k --grid=1 \
// RUN(long):   --timeout=30s --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] \
// RUN(long):   --arg=i32:1 --arg=i32:3 %s
// RUN: tile-run -O0 --level=tileas --gpu-name=sm_100 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s \
// RUN:   --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] --arg=i32:1 --arg=i32:3 \
// RUN:   %s
// RUN(long): tile-run -O0 --gpu-name=sm_120 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s \
// RUN(long):   --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] --arg=i32:1 \
// RUN(long):   --arg=i32:3 %s
// RUN(long): tile-run -O3 --gpu-name=sm_120 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s \
// RUN(long):   --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] --arg=i32:1 \
// RUN(long):   --arg=i32:3 %s
// RUN(long): tile-run -O3 --adversarial --seed=1 --gpu-name=sm_120 --diff-engines=interp,ptx --entry=k --grid=1 \
// RUN(long):   --timeout=30s --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] \
// RUN(long):   --arg=i32:1 --arg=i32:3 %s
// RUN(long): tile-run -O3 --level=tileaa --gpu-name=sm_120 --diff-engines=interp,ptx --entry=k --grid=1 \
// RUN(long):   --timeout=30s --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] \
// RUN(long):   --arg=i32:1 --arg=i32:3 %s
// RUN(long): tile-run -O0 --level=tileas --gpu-name=sm_120 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s \
// RUN(long):   --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] --arg=i32:1 --arg=i32:3 \
// RUN(long):   %s
// RUN(ptxas): assemble --ptxas=%ptxas --spills --gpu-name=sm_90 %s

// The engines agree on elements of half a byte: scaled.

cuda_tile.module @m {
  global @table <f4E2M1FN: [1.0, 0.5, 2.0, 4.0, -6.0, -0.5, 3.0, 3.0]> : tile<8xf4E2M1FN>
  entry @k(%in: tile<ptr<f4E2M1FN>>, %out: tile<ptr<f4E2M1FN>>, %res: tile<ptr<i8>>, %i: tile<i32>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %thirtytwo = constant <i32: 32> : tile<i32>
    %two = addi %i, %i : tile<i32>
    %six = addi %n, %n : tile<i32>
    %rows = constant <i32: [3, 9, 1, 63, 62, 17, 64, 2, 30, 31, 33, -1, 40, 50, 7, 8]> : tile<16xi32>
    %ta = make_tensor_view %in, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf4E2M1FN, strides=[64,1]>
    %va = make_partition_view %ta : partition_view<tile=(16x64), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>
    %vb = make_partition_view %ta : partition_view<tile=(64x16), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>
    %x, %tx = load_view_tko weak %va[%one, %zero] : partition_view<tile=(16x64), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>, tile<i32> -> tile<16x64xf4E2M1FN>, token
    %y, %ty = load_view_tko weak %vb[%zero, %one] : partition_view<tile=(64x16), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>, tile<i32> -> tile<64x16xf4E2M1FN>, token
    %sa = constant <f8E8M0FNU: 2.0> : tile<16x2xf8E8M0FNU>
    %sb = constant <f8E8M0FNU: 0.5> : tile<2x16xf8E8M0FNU>
    %acc = constant <f32: 1.0> : tile<16x16xf32>
    %d = mmaf_scaled %x, %y, %acc, %sa, %sb : tile<16x64xf4E2M1FN>, tile<64x16xf4E2M1FN>, tile<16x16xf32>, tile<16x2xf8E8M0FNU>, tile<2x16xf8E8M0FNU>
    %e = reshape %d : tile<16x16xf32> -> tile<256xf32>
    %b = pack %e : tile<256xf32> -> tile<1024xi8>
    %to = make_tensor_view %out, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf4E2M1FN, strides=[64,1]>
    %vo = make_partition_view %to : partition_view<tile=(16x16), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>
    %vt = make_partition_view %to : partition_view<tile=(16x16), tensor_view<64x64xf4E2M1FN, strides=[64,1]>, dim_map=[1, 0]>
    %f = ftof %d : tile<16x16xf32> -> tile<16x16xf4E2M1FN>
    %t1 = store_view_tko weak %f, %vo[%one, %one] : tile<16x16xf4E2M1FN>, partition_view<tile=(16x16), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>, tile<i32> -> token
    %t2 = store_view_tko weak %f, %vt[%one, %zero] token = %t1 : tile<16x16xf4E2M1FN>, partition_view<tile=(16x16), tensor_view<64x64xf4E2M1FN, strides=[64,1]>, dim_map=[1, 0]>, tile<i32> -> token
    %rbt = make_tensor_view %res, shape = [4096], strides = [1] : tensor_view<4096xi8, strides=[1]>
    %rbv = make_partition_view %rbt : partition_view<tile=(1024), tensor_view<4096xi8, strides=[1]>>
    %rbk = store_view_tko weak %b, %rbv[%zero] : tile<1024xi8>, partition_view<tile=(1024), tensor_view<4096xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
