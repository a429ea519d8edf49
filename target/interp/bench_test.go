package interp

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/corpus"
	"github.com/tilewright/tilewright/target/launch"
)

func benchmark(b *testing.B, body string, grid [3]uint32, perRun int, unit string, args ...launch.Arg) {
	b.Helper()
	e := parse(b, body)
	e.scribble = false
	req := &launch.Request{Entry: "k", Grid: grid, Args: args}
	b.ReportAllocs()
	for b.Loop() {
		if err := e.Run(b.Context(), req); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(perRun)*float64(b.N)/b.Elapsed().Seconds()/1e9, unit)
}

// BenchmarkElementwise adds two arrays, in blocks of 4096 elements.
func BenchmarkElementwise(b *testing.B) {
	const n = 1 << 20
	for _, elem := range []struct {
		name string
		d    launch.DType
		op   string
	}{{"f32", launch.F32, "addf"}, {"i32", launch.I32, "addi"}, {"f16", launch.F16, "addf"}, {"bf16", launch.BF16, "mulf"}} {
		b.Run(elem.name, func(b *testing.B) {
			x := bufferOf(elem.d, make([]uint64, n)...)
			y := bufferOf(elem.d, make([]uint64, n)...)
			z := bufferOf(elem.d, make([]uint64, n)...)
			view := fmt.Sprintf("partition_view<tile=(4096), tensor_view<%dx%s, strides=[1]>>", n, elem.name)
			text := fmt.Sprintf("entry @k(%%a: tile<ptr<ELEM>>, %%b: tile<ptr<ELEM>>, %%c: tile<ptr<ELEM>>) {\n%%i, %%j, %%k = get_tile_block_id : tile<i32>\n")
			for _, p := range []string{"a", "b", "c"} {
				text += fmt.Sprintf("%%t%s = make_tensor_view %%%s, shape = [%d], strides = [1] : tensor_view<%dxELEM, strides=[1]>\n%%v%s = make_partition_view %%t%s : %s\n", p, p, n, n, p, p, view)
			}
			for _, p := range []string{"a", "b"} {
				text += fmt.Sprintf("%%x%s, %%k%s = load_view_tko weak %%v%s[%%i] : %s, tile<i32> -> tile<4096xELEM>, token\n", p, p, p, view)
			}
			text += "%r = " + elem.op + " %xa, %xb : tile<4096xELEM>\n" + "%s = store_view_tko weak %r, %vc[%i] : tile<4096xELEM>, " + view + ", tile<i32> -> token\nreturn\n}"
			benchmark(b, strings.ReplaceAll(text, "ELEM", elem.name), [3]uint32{n / 4096, 1, 1}, n, "Gelem/s", x, y, z)
		})
	}
}

// BenchmarkMma multiplies tiles of 128x64 and 64x128, which two factors of type f16 share.
func BenchmarkMma(b *testing.B) {
	const trips, blocks = 8, 4
	text := fmt.Sprintf(`entry @k(%%p: tile<ptr<f16>>) {
%%zero = constant <i32: 0> : tile<i32>
%%one = constant <i32: 1> : tile<i32>
%%n = constant <i32: %d> : tile<i32>
%%t = make_tensor_view %%p, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf16, strides=[64,1]>
%%v = make_partition_view %%t : partition_view<tile=(128x64), tensor_view<128x64xf16, strides=[64,1]>>
%%w = make_partition_view %%t : partition_view<tile=(64x128), tensor_view<128x64xf16, strides=[64,1]>, dim_map=[1, 0]>
%%init = constant <f32: 0.0> : tile<128x128xf32>
%%r = for %%i in (%%zero to %%n, step %%one) : tile<i32> iter_values(%%acc = %%init) -> (tile<128x128xf32>) {
  %%a, %%k1 = load_view_tko weak %%v[%%zero, %%zero] : partition_view<tile=(128x64), tensor_view<128x64xf16, strides=[64,1]>>, tile<i32> -> tile<128x64xf16>, token
  %%b, %%k2 = load_view_tko weak %%w[%%zero, %%zero] : partition_view<tile=(64x128), tensor_view<128x64xf16, strides=[64,1]>, dim_map=[1, 0]>, tile<i32> -> tile<64x128xf16>, token
  %%c = mmaf %%a, %%b, %%acc : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
  continue %%c : tile<128x128xf32>
}
return
}`, trips)
	elems := make([]uint64, 128*64)
	for i := range elems {
		elems[i] = uint64(0x3000 + i%1000)
	}
	benchmark(b, text, [3]uint32{blocks, 1, 1}, trips*blocks*2*128*128*64, "GFLOP/s", bufferOf(launch.F16, elems...))
}

// BenchmarkReduce sums the rows of a tile of 64x1024.
func BenchmarkReduce(b *testing.B) {
	text := `entry @k() {
%i = constant <f32: 0.5> : tile<64x1024xf32>
%r = reduce %i dim=1 identities=[0.0 : f32] : tile<64x1024xf32> -> tile<64xf32>
(%x: tile<f32>, %y: tile<f32>) {
%q = addf %x, %y : tile<f32>
yield %q : tile<f32>
}
return
}`
	benchmark(b, text, [3]uint32{8, 1, 1}, 8*64*1024, "Gelem/s")
}

// BenchmarkScalars counts loop iterations of a few scalar operations.
func BenchmarkScalars(b *testing.B) {
	text := `entry @k() {
%zero = constant <i32: 0> : tile<i32>
%one = constant <i32: 1> : tile<i32>
%n = constant <i32: 10000> : tile<i32>
%r = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%a = %zero) -> (tile<i32>) {
  %b = muli %i, %i : tile<i32>
  %c = cmpi less_than %b, %a, signed : tile<i32> -> tile<i1>
  %d = select %c, %a, %b : tile<i1>, tile<i32>
  %e = addi %d, %one : tile<i32>
  continue %e : tile<i32>
}
return
}`
	benchmark(b, text, [3]uint32{2, 1, 1}, 20000, "Giter/s")
}

// BenchmarkCorpus runs cases of the corpus.
func BenchmarkCorpus(b *testing.B) {
	for _, name := range []string{"matmul_f16_big_tile", "fmha_causal_f16_gqa", "layer_norm_fwd", "atomics_int"} {
		b.Run(name, func(b *testing.B) {
			c, e := loadCase(b, filepath.Join(corpus.Dir(b), "cases", name))
			e.scribble = false
			req := c.Request()
			b.ReportAllocs()
			for b.Loop() {
				if err := e.Run(b.Context(), req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
