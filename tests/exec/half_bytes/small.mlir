// RUN(long): tile-run -O0 --gpu-name=sm_80 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s \
// RUN(long):   --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] --arg=i32:1 \
// RUN(long):   --arg=i32:3 %s
// RUN(long): tile-run -O3 --gpu-name=sm_80 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s \
// RUN(long):   --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] --arg=i32:1 \
// RUN(long):   --arg=i32:3 %s
// RUN: tile-run -O3 --adversarial --seed=1 --gpu-name=sm_80 --diff-engines=interp,ptx --entry=k --grid=1 \
// RUN:   --timeout=30s --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] \
// RUN:   --arg=i32:1 --arg=i32:3 %s
// RUN(long): tile-run -O3 --level=tileaa --gpu-name=sm_80 --diff-engines=interp,ptx --entry=k --grid=1 \
// RUN(long):   --timeout=30s --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] \
// RUN(long):   --arg=i32:1 --arg=i32:3 %s
// RUN(long): tile-run -O0 --level=tileas --gpu-name=sm_80 --diff-engines=interp,ptx --entry=k --grid=1 \
// RUN(long):   --timeout=30s --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] \
// RUN(long):   --arg=i32:1 --arg=i32:3 %s
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
// RUN(long): tile-run -O0 --level=tileas --gpu-name=sm_90 --diff-engines=interp,ptx --entry=k --grid=1 \
// RUN(long):   --timeout=30s --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] \
// RUN(long):   --arg=i32:1 --arg=i32:3 %s
// RUN(long): tile-run -O0 --gpu-name=sm_100 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s \
// RUN(long):   --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] --arg=i32:1 \
// RUN(long):   --arg=i32:3 %s
// RUN(long): tile-run -O3 --gpu-name=sm_100 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s \
// RUN(long):   --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] --arg=i32:1 \
// RUN(long):   --arg=i32:3 %s
// RUN: tile-run -O3 --adversarial --seed=1 --gpu-name=sm_100 --diff-engines=interp,ptx --entry=k --grid=1 \
// RUN:   --timeout=30s --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] \
// RUN:   --arg=i32:1 --arg=i32:3 %s
// RUN(long): tile-run -O3 --level=tileaa --gpu-name=sm_100 --diff-engines=interp,ptx --entry=k --grid=1 \
// RUN(long):   --timeout=30s --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] \
// RUN(long):   --arg=i32:1 --arg=i32:3 %s
// RUN(long): tile-run -O0 --level=tileas --gpu-name=sm_100 --diff-engines=interp,ptx --entry=k --grid=1 \
// RUN(long):   --timeout=30s --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] \
// RUN(long):   --arg=i32:1 --arg=i32:3 %s
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
// RUN(long): tile-run -O0 --level=tileas --gpu-name=sm_120 --diff-engines=interp,ptx --entry=k --grid=1 \
// RUN(long):   --timeout=30s --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] \
// RUN(long):   --arg=i32:1 --arg=i32:3 %s
// RUN(ptxas): assemble --ptxas=%ptxas --spills --gpu-name=sm_120 %s

// The engines agree on elements of half a byte: small.

cuda_tile.module @m {
  global @table <f4E2M1FN: [1.0, 0.5, 2.0, 4.0, -6.0, -0.5, 3.0, 3.0]> : tile<8xf4E2M1FN>
  entry @k(%in: tile<ptr<f4E2M1FN>>, %out: tile<ptr<f4E2M1FN>>, %res: tile<ptr<i8>>, %i: tile<i32>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %thirtytwo = constant <i32: 32> : tile<i32>
    %two = addi %i, %i : tile<i32>
    %six = addi %n, %n : tile<i32>
    %rows = constant <i32: [3, 9, 1, 63, 62, 17, 64, 2, 30, 31, 33, -1, 40, 50, 7, 8]> : tile<16xi32>
    %ti = make_tensor_view %in, shape = [64, 64], strides = [64,1] : tensor_view<64x64xf4E2M1FN, strides=[64,1]>
    %to = make_tensor_view %out, shape = [64, 64], strides = [64,1] : tensor_view<64x64xf4E2M1FN, strides=[64,1]>
    %vi = make_partition_view %ti : partition_view<tile=(2x2), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>
    %vo = make_partition_view %to : partition_view<tile=(2x2), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>
    %x, %t = load_view_tko weak %vi[%i, %one] : partition_view<tile=(2x2), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>, tile<i32> -> tile<2x2xf4E2M1FN>, token
    %u = store_view_tko weak %x, %vo[%one, %i] token = %t : tile<2x2xf4E2M1FN>, partition_view<tile=(2x2), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
