// Each load waits for the store of the iteration before, though the arrays are two.
// gpu: sm_90
// why: pipeline
// bug: LoopNotPipelined
// cause: loop not pipelined
// cure: token from before the loop
// cured: LoopPipelined
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
    %r = for %i in (%c0 to %end, step %c1) : tile<i32> iter_values(%tok = %t) -> (token) {
      %x, %tx = load_view_tko weak %wa[%i] token = %tok : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
      %y = exp %x : tile<1024xf32>
      %o = store_view_tko weak %y, %wc[%i] token = %tx : tile<1024xf32>, partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
      continue %o : token
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
