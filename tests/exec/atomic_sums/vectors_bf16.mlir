// RUN: tile-run -O3 --adversarial --seed=1 --gpu-name=sm_90 --diff-engines=interp,tileaa,tileas,ptx --entry=k \
// RUN:   --grid=4 --arg=bf16[1024] --arg=bf16[1024] %s
// RUN(long): tile-run -O0 --gpu-name=sm_90 --diff-engines=interp,ptx --entry=k --grid=4 --arg=bf16[1024] \
// RUN(long):   --arg=bf16[1024] %s
// RUN(long): tile-run -O3 --adversarial --seed=1 --gpu-name=sm_80,sm_100,sm_120 --diff-engines=interp,ptx --entry=k \
// RUN(long):   --grid=4 --arg=bf16[1024] --arg=bf16[1024] %s
// RUN(ptxas): assemble --ptxas=%ptxas --spills --gpu-name=sm_90,sm_100 %s

// Four tile blocks add to the same elements of bf16, neighbours by one instruction. 8 elements share a mask. Each sum is
// exact in 8 bits, in any order.

cuda_tile.module @m {
  entry @k(%p0: tile<ptr<bf16>>, %q0: tile<ptr<bf16>>) {
    %p = assume div_by<16>, %p0 : tile<ptr<bf16>>
    %q = assume div_by<16>, %q0 : tile<ptr<bf16>>
    %io = iota : tile<1024xi32>
    %p1 = reshape %p : tile<ptr<bf16>> -> tile<1xptr<bf16>>
    %p2 = broadcast %p1 : tile<1xptr<bf16>> -> tile<1024xptr<bf16>>
    %at = offset %p2, %io : tile<1024xptr<bf16>>, tile<1024xi32> -> tile<1024xptr<bf16>>
    %q1 = reshape %q : tile<ptr<bf16>> -> tile<1xptr<bf16>>
    %q2 = broadcast %q1 : tile<1xptr<bf16>> -> tile<1024xptr<bf16>>
    %from = offset %q2, %io : tile<1024xptr<bf16>>, tile<1024xi32> -> tile<1024xptr<bf16>>
    %end = constant <i32: 1000> : tile<1024xi32>
    %some = cmpi less_than %io, %end, signed : tile<1024xi32> -> tile<1024xi1>
    %seven = constant <i32: 7> : tile<1024xi32>
    %k = andi %io, %seven : tile<1024xi32>
    %x = itof %k signed : tile<1024xi32> -> tile<1024xbf16>
    %old, %t = atomic_rmw_tko relaxed device %at, addf, %x, %some : tile<1024xptr<bf16>>, tile<1024xbf16>, tile<1024xi1> -> tile<1024xbf16>, token
    %y = constant <bf16: 0.5> : tile<1024xbf16>
    %was, %u = atomic_rmw_tko release device %from, addf, %y : tile<1024xptr<bf16>>, tile<1024xbf16> -> tile<1024xbf16>, token
    return
  }
}
