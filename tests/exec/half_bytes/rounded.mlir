// RUN(long): tile-run -O0 --gpu-name=sm_100 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s --arg=i8[1024] %s
// RUN(long): tile-run -O3 --gpu-name=sm_100 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s --arg=i8[1024] %s
// RUN: tile-run -O3 --gpu-name=sm_120 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s --arg=i8[1024] %s
// RUN: tile-run -O3 --gpu-name=sm_90 --diff-engines=interp,ptx --entry=k --grid=1 --timeout=30s --arg=i8[1024] %s
// RUN(ptxas): assemble --ptxas=%ptxas --spills --gpu-name=sm_120 %s

// f32 is rounded to f4E2M1FN alike by arithmetic and by cvt, which has an instruction for two on sm_100 and sm_120: numbers
// with all ties, and any bits, infinities and NaNs among them.

cuda_tile.module @m {
  entry @k(%res: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %i = iota : tile<1024xi32>
    %half = constant <i32: 512> : tile<i32>
    %half1 = reshape %half : tile<i32> -> tile<1xi32>
    %halves = broadcast %half1 : tile<1xi32> -> tile<1024xi32>
    %centred = subi %i, %halves : tile<1024xi32>
    %number = itof %centred signed rounding<nearest_even> : tile<1024xi32> -> tile<1024xf32>
    %step = constant <f32: 0.0625> : tile<f32>
    %step1 = reshape %step : tile<f32> -> tile<1xf32>
    %steps = broadcast %step1 : tile<1xf32> -> tile<1024xf32>
    %x = mulf %number, %steps rounding<nearest_even> : tile<1024xf32>
    %h = ftof %x rounding<nearest_even> : tile<1024xf32> -> tile<1024xf4E2M1FN>
    %b = pack %h : tile<1024xf4E2M1FN> -> tile<512xi8>
    %prime = constant <i32: -1640531535> : tile<i32>
    %prime1 = reshape %prime : tile<i32> -> tile<1xi32>
    %primes = broadcast %prime1 : tile<1xi32> -> tile<1024xi32>
    %bits = muli %i, %primes : tile<1024xi32>
    %any = bitcast %bits : tile<1024xi32> -> tile<1024xf32>
    %g = ftof %any rounding<nearest_even> : tile<1024xf32> -> tile<1024xf4E2M1FN>
    %c = pack %g : tile<1024xf4E2M1FN> -> tile<512xi8>
    %rt = make_tensor_view %res, shape = [1024], strides = [1] : tensor_view<1024xi8, strides=[1]>
    %rv = make_partition_view %rt : partition_view<tile=(512), tensor_view<1024xi8, strides=[1]>>
    %t0 = store_view_tko weak %b, %rv[%zero] : tile<512xi8>, partition_view<tile=(512), tensor_view<1024xi8, strides=[1]>>, tile<i32> -> token
    %t1 = store_view_tko weak %c, %rv[%one] : tile<512xi8>, partition_view<tile=(512), tensor_view<1024xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
