// Attention of {{.Heads}} heads, with a running maximum and sum over blocks of keys. Extents are filled in by attention.go.
entry @attention(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>, %p2: tile<ptr<f16>>, %p3: tile<ptr<f16>>) {
  %q0 = assume div_by<16>, %p0 : tile<ptr<f16>>
  %k0 = assume div_by<16>, %p1 : tile<ptr<f16>>
  %v0 = assume div_by<16>, %p2 : tile<ptr<f16>>
  %o0 = assume div_by<16>, %p3 : tile<ptr<f16>>
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %blocks = constant <i32: {{.Blocks}}> : tile<i32>
  %start = make_token : token
  %x, %y, %z = get_tile_block_id : tile<i32>
{{- define "view"}}tensor_view<{{.Heads}}x{{.Length}}x{{.D}}xf16, strides=[{{.Head}},{{.D}},1]>{{end}}
{{- define "rows"}}partition_view<tile=(1x{{.B}}x{{.D}}), {{template "view" .}}>{{end}}
{{- define "columns"}}partition_view<tile=(1x{{.D}}x{{.B}}), {{template "view" .}}, dim_map=[0, 2, 1]>{{end}}
  %vq = make_tensor_view %q0, shape = [{{.Heads}}, {{.Length}}, {{.D}}], strides = [{{.Head}}, {{.D}}, 1] : {{template "view" .}}
  %vk = make_tensor_view %k0, shape = [{{.Heads}}, {{.Length}}, {{.D}}], strides = [{{.Head}}, {{.D}}, 1] : {{template "view" .}}
  %vv = make_tensor_view %v0, shape = [{{.Heads}}, {{.Length}}, {{.D}}], strides = [{{.Head}}, {{.D}}, 1] : {{template "view" .}}
  %vo = make_tensor_view %o0, shape = [{{.Heads}}, {{.Length}}, {{.D}}], strides = [{{.Head}}, {{.D}}, 1] : {{template "view" .}}
  %tq = make_partition_view %vq : {{template "rows" .}}
  %tk = make_partition_view %vk : {{template "columns" .}}
  %tv = make_partition_view %vv : {{template "rows" .}}
  %to = make_partition_view %vo : {{template "rows" .}}
  %q3, %t0 = load_view_tko weak %tq[%y, %x, %zero] token = %start : {{template "rows" .}}, tile<i32> -> tile<1x{{.B}}x{{.D}}xf16>, token
  %q = reshape %q3 : tile<1x{{.B}}x{{.D}}xf16> -> tile<{{.B}}x{{.D}}xf16>
  %none = constant <f32: 0.0> : tile<{{.B}}x{{.D}}xf32>
  %nos = constant <f32: 0.0> : tile<{{.B}}x{{.B}}xf32>
  %low = constant <f32: -1.0e30> : tile<{{.B}}xf32>
  %nol = constant <f32: 0.0> : tile<{{.B}}xf32>
  %scale = constant <f32: {{printf "%.9f" .Scale}}> : tile<{{.B}}x{{.B}}xf32>
  %r:3 = for %i in (%zero to %blocks, step %one) : tile<i32> iter_values(%acc = %none, %max = %low, %sum = %nol) -> (tile<{{.B}}x{{.D}}xf32>, tile<{{.B}}xf32>, tile<{{.B}}xf32>) {
    %k3, %t1 = load_view_tko weak %tk[%y, %zero, %i] token = %start : {{template "columns" .}}, tile<i32> -> tile<1x{{.D}}x{{.B}}xf16>, token
    %k = reshape %k3 : tile<1x{{.D}}x{{.B}}xf16> -> tile<{{.D}}x{{.B}}xf16>
    %s0 = mmaf %q, %k, %nos : tile<{{.B}}x{{.D}}xf16>, tile<{{.D}}x{{.B}}xf16>, tile<{{.B}}x{{.B}}xf32>
    %s = mulf %s0, %scale : tile<{{.B}}x{{.B}}xf32>
    %m0 = reduce %s dim=1 identities=[0xFF800000 : f32] : tile<{{.B}}x{{.B}}xf32> -> tile<{{.B}}xf32>
    (%u: tile<f32>, %v: tile<f32>) {
      %w = maxf %u, %v : tile<f32>
      yield %w : tile<f32>
    }
    %m = maxf %m0, %max : tile<{{.B}}xf32>
    %m1 = reshape %m : tile<{{.B}}xf32> -> tile<{{.B}}x1xf32>
    %m2 = broadcast %m1 : tile<{{.B}}x1xf32> -> tile<{{.B}}x{{.B}}xf32>
    %d = subf %s, %m2 : tile<{{.B}}x{{.B}}xf32>
    %p = exp2 %d : tile<{{.B}}x{{.B}}xf32>
    %l0 = reduce %p dim=1 identities=[0.0 : f32] : tile<{{.B}}x{{.B}}xf32> -> tile<{{.B}}xf32>
    (%u: tile<f32>, %v: tile<f32>) {
      %w = addf %u, %v : tile<f32>
      yield %w : tile<f32>
    }
    %e = subf %max, %m : tile<{{.B}}xf32>
    %fade = exp2 %e : tile<{{.B}}xf32>
    %l1 = mulf %sum, %fade : tile<{{.B}}xf32>
    %l = addf %l1, %l0 : tile<{{.B}}xf32>
    %a1 = reshape %fade : tile<{{.B}}xf32> -> tile<{{.B}}x1xf32>
    %a2 = broadcast %a1 : tile<{{.B}}x1xf32> -> tile<{{.B}}x{{.D}}xf32>
    %o1 = mulf %acc, %a2 : tile<{{.B}}x{{.D}}xf32>
    %h = ftof %p : tile<{{.B}}x{{.B}}xf32> -> tile<{{.B}}x{{.B}}xf16>
    %c3, %t2 = load_view_tko weak %tv[%y, %i, %zero] token = %start : {{template "rows" .}}, tile<i32> -> tile<1x{{.B}}x{{.D}}xf16>, token
    %c = reshape %c3 : tile<1x{{.B}}x{{.D}}xf16> -> tile<{{.B}}x{{.D}}xf16>
    %o = mmaf %h, %c, %o1 : tile<{{.B}}x{{.B}}xf16>, tile<{{.B}}x{{.D}}xf16>, tile<{{.B}}x{{.D}}xf32>
    continue %o, %m, %l : tile<{{.B}}x{{.D}}xf32>, tile<{{.B}}xf32>, tile<{{.B}}xf32>
  }
  %n1 = reshape %r#2 : tile<{{.B}}xf32> -> tile<{{.B}}x1xf32>
  %n2 = broadcast %n1 : tile<{{.B}}x1xf32> -> tile<{{.B}}x{{.D}}xf32>
  %o2 = divf %r#0, %n2 : tile<{{.B}}x{{.D}}xf32>
  %oh = ftof %o2 : tile<{{.B}}x{{.D}}xf32> -> tile<{{.B}}x{{.D}}xf16>
  %o3 = reshape %oh : tile<{{.B}}x{{.D}}xf16> -> tile<1x{{.B}}x{{.D}}xf16>
  %t = store_view_tko weak %o3, %to[%y, %x, %zero] token = %start : tile<1x{{.B}}x{{.D}}xf16>, {{template "rows" .}}, tile<i32> -> token
  return
}
