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
// RUN(long): tile-run -O0 --level=tileas --gpu-name=sm_80 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s \
// RUN(long):   --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] --arg=i32:1 --arg=i32:3 \
// RUN(long):   %s
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
// RUN: tile-run -O0 --level=tileas --gpu-name=sm_90 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s \
// RUN:   --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] --arg=i32:1 --arg=i32:3 \
// RUN:   %s
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
// RUN(long): tile-run -O0 --level=tileas --gpu-name=sm_100 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s \
// RUN(long):   --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] --arg=i32:1 --arg=i32:3 \
// RUN(long):   %s
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
// RUN: tile-run -O0 --level=tileas --gpu-name=sm_120 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s \
// RUN:   --arg=f4e2m1:%S/Inputs/bytes0.npy --arg=f4e2m1:%S/Inputs/bytes1.npy --arg=i8[4096] --arg=i32:1 --arg=i32:3 \
// RUN:   %s
// RUN(ptxas): assemble --ptxas=%ptxas --spills --gpu-name=sm_100 %s

// The engines agree on elements of half a byte: truth values.

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
    %ibv = make_partition_view %ibt : partition_view<tile=(64), tensor_view<2048xi8, strides=[1]>>
    %bytes, %ibk = load_view_tko weak %ibv[%one] : partition_view<tile=(64), tensor_view<2048xi8, strides=[1]>>, tile<i32> -> tile<64xi8>, token
    %x = unpack %bytes : tile<64xi8> -> tile<512xi1>
    %k = unpack %bytes : tile<64xi8> -> tile<128xi4>
    %kb = pack %k : tile<128xi4> -> tile<64xi8>
    %y = unpack %kb : tile<64xi8> -> tile<512xi1>
    %true = constant <i1: true> : tile<512xi1>
    %z = xori %x, %true : tile<512xi1>
    %w = cat %z, %y dim = 0 : tile<512xi1>, tile<512xi1> -> tile<1024xi1>
    %b = pack %w : tile<1024xi1> -> tile<128xi8>
    %rbt = make_tensor_view %res, shape = [4096], strides = [1] : tensor_view<4096xi8, strides=[1]>
    %rbv = make_partition_view %rbt : partition_view<tile=(128), tensor_view<4096xi8, strides=[1]>>
    %rbk = store_view_tko weak %b, %rbv[%zero] : tile<128xi8>, partition_view<tile=(128), tensor_view<4096xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
