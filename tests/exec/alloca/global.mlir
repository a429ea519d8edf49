// RUN: tile-run -O0 --gpu-name=sm_80 --diff-engines=interp,tileaa,tileas,ptx --entry=k --grid=4 --arg=i32[768] %s
// RUN: tile-run -O3 --adversarial --seed=1 --gpu-name=sm_80 --diff-engines=interp,tileaa,tileas,ptx --entry=k \
// RUN:   --grid=4 --arg=i32[768] %s
// RUN(long): tile-run -O0 --gpu-name=sm_90 --diff-engines=interp,ptx --entry=k --grid=4 --arg=i32[768] %s
// RUN(long): tile-run -O3 --adversarial --seed=1 --gpu-name=sm_90 --diff-engines=interp,ptx --entry=k --grid=4 \
// RUN(long):   --arg=i32[768] %s
// RUN: tile-run -O0 --gpu-name=sm_100 --diff-engines=interp,ptx --entry=k --grid=4 --arg=i32[768] %s
// RUN: tile-run -O3 --adversarial --seed=1 --gpu-name=sm_100 --diff-engines=interp,ptx --entry=k --grid=4 \
// RUN:   --arg=i32[768] %s
// RUN(long): tile-run -O0 --gpu-name=sm_120 --diff-engines=interp,ptx --entry=k --grid=4 --arg=i32[768] %s
// RUN(long): tile-run -O3 --adversarial --seed=1 --gpu-name=sm_120 --diff-engines=interp,ptx --entry=k --grid=4 \
// RUN(long):   --arg=i32[768] %s
// RUN(ptxas): assemble --ptxas=%ptxas --spills --gpu-name=sm_80,sm_100 %s
// RUN(long, ptxas): assemble --ptxas=%ptxas --spills --gpu-name=sm_90,sm_120 %s

// Each tile block has global memory of its own.

entry @k(%p: tile<ptr<i32>>) {
  %b, %by, %bz = get_tile_block_id : tile<i32>
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %three = constant <i32: 3> : tile<i32>
  %size = constant <i32: 64> : tile<i32>
  %base = muli %b, %size : tile<i32>
  %mine = offset %p, %base : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %io = iota : tile<64xi32>
  %last = constant <i32: 63> : tile<64xi32>
  %back = subi %last, %io : tile<64xi32>
  %bs = reshape %b : tile<i32> -> tile<1xi32>
  %bt = broadcast %bs : tile<1xi32> -> tile<64xi32>
  %m1 = reshape %mine : tile<ptr<i32>> -> tile<1xptr<i32>>
  %m2 = broadcast %m1 : tile<1xptr<i32>> -> tile<64xptr<i32>>
  %m = offset %m2, %io : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
  %g = alloca num_elem = 64, alignment = 4 global : tile<ptr<i32>>
  %to1 = reshape %g : tile<ptr<i32>> -> tile<1xptr<i32>>
  %to2 = broadcast %to1 : tile<1xptr<i32>> -> tile<64xptr<i32>>
  %to = offset %to2, %io : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
  %from1 = reshape %g : tile<ptr<i32>> -> tile<1xptr<i32>>
  %from2 = broadcast %from1 : tile<1xptr<i32>> -> tile<64xptr<i32>>
  %from = offset %from2, %back : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
  %old, %t0 = load_ptr_tko weak %m : tile<64xptr<i32>> -> tile<64xi32>, token
  %s0 = addi %old, %io : tile<64xi32>
  %s1 = addi %s0, %bt : tile<64xi32>
  %t1 = store_ptr_tko weak %to, %s1 token=%t0 : tile<64xptr<i32>>, tile<64xi32> -> token
  %v, %t2 = load_ptr_tko weak %from token=%t1 : tile<64xptr<i32>> -> tile<64xi32>, token
  %t3 = store_ptr_tko weak %m, %v token=%t2 : tile<64xptr<i32>>, tile<64xi32> -> token
  return
}
