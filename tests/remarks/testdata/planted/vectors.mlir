// The length of the rows is promised to be anything: threads move an element at a time, since a bound may split more.
// gpu: sm_80
// why: vector
// bug: MemoryVectorWidth
// cause: 4 bytes at a time, where 16 could be
// lost: parameter 2 of 'k'
// cure: add assume div_by<4> to parameter 2
// worth: instructions become
// good: ld.global.v4
cuda_tile.module @m {
  entry @k(%a: tile<ptr<f32>>, %c: tile<ptr<f32>>, %n: tile<i32>) {
    %t = make_token : token
    %pa = assume div_by<16>, %a : tile<ptr<f32>>
    %pc = assume div_by<16>, %c : tile<ptr<f32>>
    %n1 = assume bounded<1, 100000>, %n : tile<i32>
    %n2 = assume bounded<1, ?>, %n1 : tile<i32>
    %va = make_tensor_view %pa, shape = [%n2], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %wa = make_partition_view %va : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>
    %vc = make_tensor_view %pc, shape = [%n2], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %wc = make_partition_view %vc : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %cN = constant <i32: 1024> : tile<i32>
    %end = divi %n2, %cN signed rounding<positive_inf> : tile<i32>
    for %i in (%c0 to %end, step %c1) : tile<i32> {
      %x, %tx = load_view_tko weak %wa[%i] token = %t : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
      %y = exp %x : tile<1024xf32>
      %o = store_view_tko weak %y, %wc[%i] token = %t : tile<1024xf32>, partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    }
    return
  }
}
// -----
cuda_tile.module @m {
  entry @k(%a: tile<ptr<f32>>, %c: tile<ptr<f32>>, %n: tile<i32>) {
    %t = make_token : token
    %pa = assume div_by<16>, %a : tile<ptr<f32>>
    %pc = assume div_by<16>, %c : tile<ptr<f32>>
    %n1 = assume div_by<16>, %n : tile<i32>
    %n2 = assume bounded<1, ?>, %n1 : tile<i32>
    %va = make_tensor_view %pa, shape = [%n2], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %wa = make_partition_view %va : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>
    %vc = make_tensor_view %pc, shape = [%n2], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %wc = make_partition_view %vc : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %cN = constant <i32: 1024> : tile<i32>
    %end = divi %n2, %cN signed rounding<positive_inf> : tile<i32>
    for %i in (%c0 to %end, step %c1) : tile<i32> {
      %x, %tx = load_view_tko weak %wa[%i] token = %t : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
      %y = exp %x : tile<1024xf32>
      %o = store_view_tko weak %y, %wc[%i] token = %t : tile<1024xf32>, partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    }
    return
  }
}
