// c = a b of a batch of matrices, whose products are added up in f32. Types and tiles are filled in by gemm.go.
entry @gemm(%p: tile<ptr<{{.In}}>>, %q: tile<ptr<{{.In}}>>, %r: tile<ptr<{{.Out}}>>, %batch: tile<i32>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
  %a = assume div_by<16>, %p : tile<ptr<{{.In}}>>
  %b = assume div_by<16>, %q : tile<ptr<{{.In}}>>
  %c = assume div_by<16>, %r : tile<ptr<{{.Out}}>>
  %rows = assume div_by<16>, %m : tile<i32>
  %columns = assume div_by<16>, %n : tile<i32>
  %depth = assume div_by<16>, %k : tile<i32>
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %start = make_token : token
  %ea0 = muli %rows, %depth : tile<i32>
  %eb0 = muli %depth, %columns : tile<i32>
  %ec0 = muli %rows, %columns : tile<i32>
  %ea = assume div_by<16>, %ea0 : tile<i32>
  %eb = assume div_by<16>, %eb0 : tile<i32>
  %ec = assume div_by<16>, %ec0 : tile<i32>
  %at = make_tensor_view %a, shape = [%batch, %rows, %depth], strides = [%ea, %depth, 1] : tile<i32> -> tensor_view<?x?x?x{{.In}}, strides=[?,?,1]>
  %bt = make_tensor_view %b, shape = [%batch, %depth, %columns], strides = [%eb, %columns, 1] : tile<i32> -> tensor_view<?x?x?x{{.In}}, strides=[?,?,1]>
  %ct = make_tensor_view %c, shape = [%batch, %rows, %columns], strides = [%ec, %columns, 1] : tile<i32> -> tensor_view<?x?x?x{{.Out}}, strides=[?,?,1]>
  %av = make_partition_view %at : partition_view<tile=(1x{{.M}}x{{.K}}), padding_value = zero, tensor_view<?x?x?x{{.In}}, strides=[?,?,1]>>
  %bv = make_partition_view %bt : partition_view<tile=(1x{{.K}}x{{.N}}), padding_value = zero, tensor_view<?x?x?x{{.In}}, strides=[?,?,1]>>
  %cv = make_partition_view %ct : partition_view<tile=(1x{{.M}}x{{.N}}), tensor_view<?x?x?x{{.Out}}, strides=[?,?,1]>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %none = constant <f32: 0.0> : tile<{{.M}}x{{.N}}xf32>
  %i0, %i1, %steps = get_index_space_shape %av : partition_view<tile=(1x{{.M}}x{{.K}}), padding_value = zero, tensor_view<?x?x?x{{.In}}, strides=[?,?,1]>> -> tile<i32>
  %sum = for %s in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<{{.M}}x{{.N}}xf32>) {
    %l3, %t = load_view_tko weak %av[%z, %x, %s] token = %start : partition_view<tile=(1x{{.M}}x{{.K}}), padding_value = zero, tensor_view<?x?x?x{{.In}}, strides=[?,?,1]>>, tile<i32> -> tile<1x{{.M}}x{{.K}}x{{.In}}>, token
    %o3, %u = load_view_tko weak %bv[%z, %s, %y] token = %start : partition_view<tile=(1x{{.K}}x{{.N}}), padding_value = zero, tensor_view<?x?x?x{{.In}}, strides=[?,?,1]>>, tile<i32> -> tile<1x{{.K}}x{{.N}}x{{.In}}>, token
    %l2 = reshape %l3 : tile<1x{{.M}}x{{.K}}x{{.In}}> -> tile<{{.M}}x{{.K}}x{{.In}}>
    %o2 = reshape %o3 : tile<1x{{.K}}x{{.N}}x{{.In}}> -> tile<{{.K}}x{{.N}}x{{.In}}>
{{- if .TF32}}
    %l = ftof %l2 : tile<{{.M}}x{{.K}}xf32> -> tile<{{.M}}x{{.K}}xtf32>
    %o = ftof %o2 : tile<{{.K}}x{{.N}}xf32> -> tile<{{.K}}x{{.N}}xtf32>
    %d = mmaf %l, %o, %acc : tile<{{.M}}x{{.K}}xtf32>, tile<{{.K}}x{{.N}}xtf32>, tile<{{.M}}x{{.N}}xf32>
{{- else}}
    %d = mmaf %l2, %o2, %acc : tile<{{.M}}x{{.K}}x{{.In}}>, tile<{{.K}}x{{.N}}x{{.In}}>, tile<{{.M}}x{{.N}}xf32>
{{- end}}
    continue %d : tile<{{.M}}x{{.N}}xf32>
  }
{{- if eq .Out "f32"}}
  %c2 = reshape %sum : tile<{{.M}}x{{.N}}xf32> -> tile<1x{{.M}}x{{.N}}xf32>
{{- else}}
  %h = ftof %sum : tile<{{.M}}x{{.N}}xf32> -> tile<{{.M}}x{{.N}}x{{.Out}}>
  %c2 = reshape %h : tile<{{.M}}x{{.N}}x{{.Out}}> -> tile<1x{{.M}}x{{.N}}x{{.Out}}>
{{- end}}
  %done = store_view_tko weak %c2, %cv[%z, %x, %y] token = %start : tile<1x{{.M}}x{{.N}}x{{.Out}}>, partition_view<tile=(1x{{.M}}x{{.N}}), tensor_view<?x?x?x{{.Out}}, strides=[?,?,1]>>, tile<i32> -> token
  return
}
