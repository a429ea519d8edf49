package interp

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// Tiles that stay in memory until they are multiplied give the results of loaded ones, which a traced tile block
// has.
func TestInMemory(t *testing.T) {
	t.Parallel()
	const (
		load  = "%a, %k1 = load_view_tko weak %va[%one, %one] : VA, tile<i32> -> tile<8x16xf32>, token\n%b, %k2 = load_view_tko weak %vb[%one, %zero] : VB, tile<i32> -> tile<16x32xf32>, token\n"
		store = "%k3 = store_view_tko weak %a, %va[%zero, %one] : tile<8x16xf32>, VA, tile<i32> -> token\n"
		mma   = "%c = mmaf %a, %b, %sum : tile<8x16xf32>, tile<16x32xf32>, tile<8x32xf32>\n"
	)
	for name, tt := range map[string]struct{ body, strides, shape, rows, padding string }{
		"plain":            {body: load + mma},
		"columns":          {body: load + mma, strides: "1,16"},
		"contiguous":       {body: load + mma, strides: "16,1"},
		"padded":           {body: load + mma, shape: "13x32", padding: "padding_value = zero, "},
		"unspecified":      {body: load + mma, rows: "29"}, // times the last columns of A, which are zeros
		"used twice":       {body: load + mma + "%d = mmaf %a, %b, %c : tile<8x16xf32>, tile<16x32xf32>, tile<8x32xf32>\n"},
		"used elsewhere":   {body: load + mma + store},
		"stored before":    {body: strings.NewReplacer("%a,", "%zeros,", "%zero, %one]", "%one, %one]").Replace(store) + load + mma},
		"stored meanwhile": {body: load + strings.NewReplacer("%a,", "%zeros,", "%zero, %one]", "%one, %one]").Replace(store) + mma},
		"in a loop": {body: `%s = for %i in (%zero to %two, step %one) : tile<i32> iter_values(%acc = %sum) -> (tile<8x32xf32>) {
  ` + strings.ReplaceAll(load, "%one, %one", "%i, %i") + strings.Replace(mma, "%sum", "%acc", 1) + "  continue %c : tile<8x32xf32>\n}\n%c = addf %s, %s : tile<8x32xf32>\n"},
		"loaded outside": {body: load + `%s = for %i in (%zero to %two, step %one) : tile<i32> iter_values(%acc = %sum) -> (tile<8x32xf32>) {
  ` + strings.NewReplacer("%sum", "%acc").Replace(mma) + "  continue %c : tile<8x32xf32>\n}\n%c = addf %s, %s : tile<8x32xf32>\n"},
	} {
		for elem, format := range map[string]struct {
			numeric.Format
			launch.DType
		}{"f32": {numeric.F32, launch.F32}, "f16": {numeric.F16, launch.F16}, "bf16": {numeric.BF16, launch.BF16}} {
			t.Run(name+" "+elem, func(t *testing.T) {
				t.Parallel()
				strides, shape, rows := cmp.Or(tt.strides, "40,1"), cmp.Or(tt.shape, "16x32"), cmp.Or(tt.rows, "32")
				text := `entry @k(%pa: tile<ptr<f32>>, %pb: tile<ptr<f32>>, %pc: tile<ptr<f32>>) {
%zero = constant <i32: 0> : tile<i32>
%one = constant <i32: 1> : tile<i32>
%two = constant <i32: 2> : tile<i32>
%sum = constant <f32: 0.5> : tile<8x32xf32>
%zeros = constant <f32: 0.0> : tile<8x16xf32>
%ta = make_tensor_view %pa, shape = [SHAPE], strides = [STRIDES] : tensor_view<SIZESxf32, strides=[STRIDES]>
%va = make_partition_view %ta : VA
%tb = make_tensor_view %pb, shape = [ROWS, 32], strides = [32, 1] : tensor_view<ROWSx32xf32, strides=[32,1]>
%vb = make_partition_view %tb : VB
%tc = make_tensor_view %pc, shape = [8, 32], strides = [32, 1] : tensor_view<8x32xf32, strides=[32,1]>
%vc = make_partition_view %tc : VC
` + tt.body + `%k4 = store_view_tko weak %c, %vc[%zero, %zero] : tile<8x32xf32>, VC, tile<i32> -> token
return
}`
				text = strings.NewReplacer("VA", "partition_view<tile=(8x16), PADDINGtensor_view<SIZESxf32, strides=[STRIDES]>>",
					"VB", "partition_view<tile=(16x32), tensor_view<ROWSx32xf32, strides=[32,1]>>", "VC", "partition_view<tile=(8x32), tensor_view<8x32xf32, strides=[32,1]>>").Replace(text)
				text = strings.NewReplacer("PADDING", tt.padding, "SIZES", shape, "SHAPE", strings.Replace(shape, "x", ", ", 1), "STRIDES", strides, "ROWS", rows).Replace(text)
				text = strings.NewReplacer("tile<8x16xf32>", "tile<8x16x"+elem+">", "tile<16x32xf32>", "tile<16x32x"+elem+">", "tensor_view<"+shape+"xf32", "tensor_view<"+shape+"x"+elem,
					"tensor_view<"+rows+"x32xf32", "tensor_view<"+rows+"x32x"+elem, "%pa: tile<ptr<f32>", "%pa: tile<ptr<"+elem+">", "%pb: tile<ptr<f32>", "%pb: tile<ptr<"+elem+">",
					"%zeros = constant <f32", "%zeros = constant <"+elem).Replace(text)
				run := func(traced bool) []uint64 {
					e := parse(t, text)
					if traced {
						e.Trace = func(core.Event) {}
					}
					numbers := func(n int, f numeric.Format, d launch.DType) launch.Arg {
						list := make([]uint64, n)
						for i := range list {
							if i%40 < 29 {
								list[i] = f.Encode(math.Sin(float64(i*i)), numeric.Env{})
							}
						}
						return bufferOf(d, list...)
					}
					a, b, c := numbers(16*40, format.Format, format.DType), numbers(32*32, format.Format, format.DType), numbers(8*32, numeric.F32, launch.F32)
					if err := runKernel(t, e, a, b, c); err != nil {
						t.Fatalf("traced %t: %v", traced, err)
					}
					return slices.Concat(elements(a), elements(b), elements(c))
				}
				if got, want := run(false), run(true); !slices.Equal(got, want) {
					t.Errorf("the results differ:\n%s\n%s", hex(got), hex(want))
				}
			})
		}
	}
}
