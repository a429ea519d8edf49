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
// RUN(ptxas): assemble --ptxas=%ptxas --spills --gpu-name=sm_80 %s

// The engines agree on elements of half a byte: ftof of bytes.

cuda_tile.module @m {
  global @table <f4E2M1FN: [1.0, 0.5, 2.0, 4.0, -6.0, -0.5, 3.0, 3.0]> : tile<8xf4E2M1FN>
  entry @k(%in: tile<ptr<f4E2M1FN>>, %out: tile<ptr<f4E2M1FN>>, %res: tile<ptr<i8>>, %i: tile<i32>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %thirtytwo = constant <i32: 32> : tile<i32>
    %two = addi %i, %i : tile<i32>
    %six = addi %n, %n : tile<i32>
    %rows = constant <i32: [3, 9, 1, 63, 62, 17, 64, 2, 30, 31, 33, -1, 40, 50, 7, 8]> : tile<16xi32>
    %ib = ptr_to_ptr %in : tile<ptr<f4E2M1FN>> -> tile<ptr<i8>>
    %ibt = make_tensor_view %ib, shape = [2048], strides = [1] : tensor_view<2048xi8, strides=[1]>
    %ibv = make_partition_view %ibt : partition_view<tile=(256), tensor_view<2048xi8, strides=[1]>>
    %bytes, %ibk = load_view_tko weak %ibv[%one] : partition_view<tile=(256), tensor_view<2048xi8, strides=[1]>>, tile<i32> -> tile<256xi8>, token
    %x = bitcast %bytes : tile<256xi8> -> tile<256xf8E4M3FN>
    %y = ftof %x : tile<256xf8E4M3FN> -> tile<256xf4E2M1FN>
    %z = ftof %y : tile<256xf4E2M1FN> -> tile<256xf8E5M2>
    %b = bitcast %z : tile<256xf8E5M2> -> tile<256xi8>
    %rbt = make_tensor_view %res, shape = [4096], strides = [1] : tensor_view<4096xi8, strides=[1]>
    %rbv = make_partition_view %rbt : partition_view<tile=(256), tensor_view<4096xi8, strides=[1]>>
    %rbk = store_view_tko weak %b, %rbv[%zero] : tile<256xi8>, partition_view<tile=(256), tensor_view<4096xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
