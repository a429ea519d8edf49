//go:build unix

package interp

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// cpuTime is the time that the process has spent on processors, which other processes do not stretch as they do the
// time of a clock.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// benchmark runs @k and reports how many billion of what a run does perRun of are done for each second of a processor.
func benchmark(b *testing.B, body string, grid [3]uint32, perRun int, unit string, args ...launch.Arg) {
	b.Helper()
	e := parse(b, body)
	e.scribble = false
	req := &launch.Request{Entry: "k", Grid: grid, Args: args}
	b.ReportAllocs()
	start := cpuTime(b)
	for b.Loop() {
		if err := e.Run(b.Context(), req); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(perRun)*float64(b.N)/(cpuTime(b)-start).Seconds()/1e9, unit+"/cpu-s")
}

// BenchmarkElementwise adds two arrays, in blocks of 4096 elements.
func BenchmarkElementwise(b *testing.B) {
	const n = 1 << 18
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
			benchmark(b, strings.ReplaceAll(text, "ELEM", elem.name), [3]uint32{n / 4096, 1, 1}, n, "Gelem", x, y, z)
		})
	}
}

// random returns patterns of finite numbers of a type, most of them between 1/8 and 8, and as many negative ones.
func random(t launch.DType, n int) []uint64 {
	rng := rand.New(rand.NewPCG(1, 2))
	format, float := t.Format()
	out := make([]uint64, n)
	for i := range out {
		if out[i] = rng.Uint64() >> (64 - 8*t.Size()); float {
			out[i] = format.Encode((rng.Float64()-0.5)*16, numeric.Env{})
		}
	}
	return out
}

// BenchmarkOps executes operations on tiles of 4096 elements, in a loop without loads and stores.
func BenchmarkOps(b *testing.B) {
	const n, trips = 4096, 64
	cond := map[bool]string{true: "cmpf less_than ordered %a, %b", false: "cmpi less_than %a, %b, signed"}
	run := func(name, elem string, before, op string) {
		b.Run(name+"/"+elem, func(b *testing.B) {
			text := "entry @k(%p: tile<ptr<ELEM>>, %q: tile<ptr<ELEM>>, %s: tile<ptr<ELEM>>) {\n%zero = constant <i32: 0> : tile<i32>\n%one = constant <i32: 1> : tile<i32>\n" +
				fmt.Sprintf("%%n = constant <i32: %d> : tile<i32>\n", trips)
			view := fmt.Sprintf("partition_view<tile=(%d), tensor_view<%dxELEM, strides=[1]>>", n, n)
			for i, p := range []string{"p", "q", "s"} {
				text += fmt.Sprintf("%%t%s = make_tensor_view %%%s, shape = [%d], strides = [1] : tensor_view<%dxELEM, strides=[1]>\n%%v%s = make_partition_view %%t%s : %s\n", p, p, n, n, p, p, view)
				text += fmt.Sprintf("%%%c, %%k%s = load_view_tko weak %%v%s[%%zero] : %s, tile<i32> -> tile<%dxELEM>, token\n", "abc"[i], p, p, view, n)
			}
			text += before + "\nfor %i in (%zero to %n, step %one) : tile<i32> {\n%r = " + op + "\ncontinue\n}\nreturn\n}"
			text = strings.NewReplacer("ELEM", elem, "TILE", fmt.Sprintf("tile<%dx%s>", n, elem), "BOOL", fmt.Sprintf("tile<%dxi1>", n),
				"COND", cond[elem[0] != 'i'], "NUM", fmt.Sprint(n)).Replace(text)
			d, err := launch.ParseDType(elem)
			if err != nil {
				b.Fatal(err)
			}
			x := random(d, 3*n)
			benchmark(b, text, [3]uint32{4, 1, 1}, 4*n*trips, "Gelem", bufferOf(d, x[:n]...), bufferOf(d, x[n:2*n]...), bufferOf(d, x[2*n:]...))
		})
	}
	shapes := []struct{ name, before, op string }{
		{"broadcast", "%u = reshape %a : TILE -> tile<64x64xELEM>\n%w = extract %u[%zero, %zero] : tile<64x64xELEM> -> tile<64x1xELEM>", "broadcast %w : tile<64x1xELEM> -> tile<64x64xELEM>"},
		{"reshape", "", "reshape %a : TILE -> tile<64x64xELEM>"},
		{"permute", "%u = reshape %a : TILE -> tile<64x64xELEM>", "permute %u [1, 0] : tile<64x64xELEM> -> tile<64x64xELEM>"},
	}
	for _, elem := range []string{"f16", "bf16", "f32", "f64"} {
		for _, c := range []struct{ name, before, op string }{
			{"add", "", "addf %a, %b : TILE"}, {"mul", "", "mulf %a, %b : TILE"}, {"div", "", "divf %a, %b : TILE"},
			{"fma", "", "fma %a, %b, %c : TILE"}, {"max", "", "maxf %a, %b : TILE"}, {"neg", "", "negf %a : TILE"},
			{"cmp", "", "COND : TILE -> BOOL"}, {"select", "%d = COND : TILE -> BOOL", "select %d, %a, %b : BOOL, TILE"},
			{"exp", "", "exp %a : TILE"}, {"exp2", "", "exp2 %a : TILE"}, {"exp2-ftz", "", "exp2 %a flush_to_zero : TILE"},
			{"sqrt", "", "sqrt %a : TILE"}, {"log", "", "log %c : TILE"},
			{"ftoi-i32", "", "ftoi %a signed : TILE -> tile<NUMxi32>"},
			{"sum", "%u = reshape %a : TILE -> tile<64x64xELEM>", `reduce %u dim=1 identities=[0.0 : ELEM] : tile<64x64xELEM> -> tile<64xELEM>
(%x: tile<ELEM>, %y: tile<ELEM>) {
%z = addf %x, %y : tile<ELEM>
yield %z : tile<ELEM>
}`},
		} {
			if c.name == "exp2-ftz" && elem != "f32" {
				continue
			}
			run(c.name, elem, c.before, c.op)
		}
		for _, to := range []string{"f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2"} {
			if to != elem {
				run("ftof-"+to, elem, "", "ftof %a : TILE -> tile<NUMx"+to+">")
			}
		}
	}
	for _, elem := range []string{"i8", "i32", "i64"} {
		for _, c := range []struct{ name, before, op string }{
			{"add", "", "addi %a, %b : TILE"}, {"mul", "", "muli %a, %b : TILE"}, {"max", "", "maxi %a, %b signed : TILE"},
			{"shr", "", "shri %a, %s signed : TILE"}, {"cmp", "", "COND : TILE -> BOOL"}, {"select", "%d = COND : TILE -> BOOL", "select %d, %a, %b : BOOL, TILE"},
			{"div", "%o = constant <ELEM: 7> : tile<ELEM>\n%o1 = reshape %o : tile<ELEM> -> tile<1xELEM>\n%o2 = broadcast %o1 : tile<1xELEM> -> TILE", "divi %a, %o2 signed : TILE"},
			{"itof-f32", "", "itof %a signed : TILE -> tile<NUMxf32>"}, {"itof-f16", "", "itof %a signed : TILE -> tile<NUMxf16>"},
			{"sum", "%u = reshape %a : TILE -> tile<64x64xELEM>", `reduce %u dim=1 identities=[0 : ELEM] : tile<64x64xELEM> -> tile<64xELEM>
(%x: tile<ELEM>, %y: tile<ELEM>) {
%z = addi %x, %y : tile<ELEM>
yield %z : tile<ELEM>
}`},
		} {
			if c.name == "shr" {
				c.before, c.op = "%o = constant <ELEM: 3> : tile<ELEM>\n%o1 = reshape %o : tile<ELEM> -> tile<1xELEM>\n%s1 = broadcast %o1 : tile<1xELEM> -> TILE", "shri %a, %s1 signed : TILE"
			}
			run(c.name, elem, c.before, c.op)
		}
	}
	run("exti-i64", "i32", "", "exti %a signed : TILE -> tile<NUMxi64>")
	run("trunci-i32", "i64", "", "trunci %a : TILE -> tile<NUMxi32>")
	for _, elem := range []string{"f8E4M3FN", "f8E5M2"} {
		for _, to := range []string{"f16", "bf16", "f32"} {
			run("ftof-"+to, elem, "", "ftof %a : TILE -> tile<NUMx"+to+">")
		}
		run("select", elem, "%w = bitcast %a : TILE -> tile<NUMxi8>\n%d = cmpi less_than %w, %w, signed : tile<NUMxi8> -> BOOL", "select %d, %a, %b : BOOL, TILE")
	}
	for _, elem := range []string{"f16", "f32", "f64", "i8", "i64", "f8E4M3FN"} {
		for _, c := range shapes {
			run(c.name, elem, c.before, c.op)
		}
	}
}

// BenchmarkMma multiplies tiles of 128x64 and 64x128.
func BenchmarkMma(b *testing.B) {
	const trips, blocks = 8, 4
	for _, c := range []struct{ elem, acc, op string }{
		{"f16", "f32", "mmaf %a, %b, %acc"}, {"bf16", "f32", "mmaf %a, %b, %acc"}, {"f32", "f32", "mmaf %a, %b, %acc"}, {"f16", "f16", "mmaf %a, %b, %acc"},
		{"tf32", "f32", "mmaf %a, %b, %acc"}, {"f64", "f64", "mmaf %a, %b, %acc"}, {"f8E4M3FN", "f32", "mmaf %a, %b, %acc"}, {"f8E5M2", "f32", "mmaf %a, %b, %acc"},
		{"i8", "i32", "mmai %a, %b, %acc signed signed"},
	} {
		b.Run(c.elem+"-"+c.acc, func(b *testing.B) {
			text := strings.NewReplacer("ELEM", c.elem, "ACC", c.acc, "TRIPS", fmt.Sprint(trips), "MMA", c.op, "ZERO", map[bool]string{true: "0", false: "0.0"}[c.acc == "i32"]).Replace(`entry @k(%p: tile<ptr<ELEM>>) {
%zero = constant <i32: 0> : tile<i32>
%one = constant <i32: 1> : tile<i32>
%n = constant <i32: TRIPS> : tile<i32>
%t = make_tensor_view %p, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xELEM, strides=[64,1]>
%v = make_partition_view %t : partition_view<tile=(128x64), tensor_view<128x64xELEM, strides=[64,1]>>
%w = make_partition_view %t : partition_view<tile=(64x128), tensor_view<128x64xELEM, strides=[64,1]>, dim_map=[1, 0]>
%init = constant <ACC: ZERO> : tile<128x128xACC>
%r = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %init) -> (tile<128x128xACC>) {
  %a, %k1 = load_view_tko weak %v[%zero, %zero] : partition_view<tile=(128x64), tensor_view<128x64xELEM, strides=[64,1]>>, tile<i32> -> tile<128x64xELEM>, token
  %b, %k2 = load_view_tko weak %w[%zero, %zero] : partition_view<tile=(64x128), tensor_view<128x64xELEM, strides=[64,1]>, dim_map=[1, 0]>, tile<i32> -> tile<64x128xELEM>, token
  %c = MMA : tile<128x64xELEM>, tile<64x128xELEM>, tile<128x128xACC>
  continue %c : tile<128x128xACC>
}
return
}`)
			d, err := launch.ParseDType(c.elem)
			if err != nil {
				b.Fatal(err)
			}
			benchmark(b, text, [3]uint32{blocks, 1, 1}, trips*blocks*2*128*128*64, "GFLOP", bufferOf(d, random(d, 128*64)...))
		})
	}
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
	benchmark(b, text, [3]uint32{8, 1, 1}, 8*64*1024, "Gelem")
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
	benchmark(b, text, [3]uint32{2, 1, 1}, 20000, "Giter")
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

// BenchmarkChecks copies tiles of 64 x 64, and gathers elements in an order of chance: without checks, with races looked
// for, and into memory without values.
func BenchmarkChecks(b *testing.B) {
	const n = 1 << 18
	order := make([]uint64, n)
	for i, x := range rand.New(rand.NewPCG(1, 1)).Perm(n) {
		order[i] = uint64(x)
	}
	const pointers = "%%%[1]s0 = reshape %%%[1]s : tile<ptr<i32>> -> tile<1xptr<i32>>\n%%%[1]s1 = broadcast %%%[1]s0 : tile<1xptr<i32>> -> tile<1024xptr<i32>>\n" +
		"%%%[1]s2 = offset %%%[1]s1, %%%[2]s : tile<1024xptr<i32>>, tile<1024xi32> -> tile<1024xptr<i32>>\n"
	gather := "%n = constant <i32: 1024> : tile<i32>\n%f = muli %i, %n : tile<i32>\n%f0 = reshape %f : tile<i32> -> tile<1xi32>\n%f1 = broadcast %f0 : tile<1xi32> -> tile<1024xi32>\n" +
		"%l = iota : tile<1024xi32>\n%at = addi %f1, %l : tile<1024xi32>\n" +
		fmt.Sprintf(pointers, "a", "at") + "%x, %t1 = load_ptr_tko weak %a2 : tile<1024xptr<i32>> -> tile<1024xi32>, token\n" +
		fmt.Sprintf(pointers, "b", "x") + "%y, %t2 = load_ptr_tko weak %b2 : tile<1024xptr<i32>> -> tile<1024xi32>, token\n" +
		fmt.Sprintf(pointers, "c", "x") + "%t3 = store_ptr_tko weak %c2, %y : tile<1024xptr<i32>>, tile<1024xi32> -> token\n"
	const view = "partition_view<tile=(64x64), tensor_view<512x512xi32, strides=[512,1]>>"
	tiles := ""
	for _, p := range []string{"a", "c"} {
		tiles += fmt.Sprintf("%%t%[1]s = make_tensor_view %%%[1]s, shape = [512, 512], strides = [512, 1] : tensor_view<512x512xi32, strides=[512,1]>\n%%v%[1]s = make_partition_view %%t%[1]s : %[2]s\n", p, view)
	}
	tiles += "%x, %t1 = load_view_tko weak %va[%i, %j] : " + view + ", tile<i32> -> tile<64x64xi32>, token\n%t2 = store_view_tko weak %x, %vc[%i, %j] : tile<64x64xi32>, " + view + ", tile<i32> -> token\n"
	for _, k := range []struct {
		name, body string
		grid       [3]uint32
	}{{"tiles", tiles, [3]uint32{8, 8, 1}}, {"gather", gather, [3]uint32{n / 1024, 1, 1}}} {
		for _, check := range []string{"plain", "races", "initialization"} {
			b.Run(k.name+"/"+check, func(b *testing.B) {
				e := parse(b, "entry @k(%a: tile<ptr<i32>>, %b: tile<ptr<i32>>, %c: tile<ptr<i32>>) {\n%i, %j, %k = get_tile_block_id : tile<i32>\n"+k.body+"return\n}")
				e.scribble, e.Races, e.Workers = false, check == "races", 1
				req := &launch.Request{Entry: "k", Grid: k.grid, Args: []launch.Arg{bufferOf(launch.I32, order...), bufferOf(launch.I32, order...), bufferOf(launch.I32, order...)}}
				req.Args[2].Buffer.Uninitialized = check == "initialization"
				b.ReportAllocs()
				start := cpuTime(b)
				for b.Loop() {
					if err := e.Run(b.Context(), req); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64((cpuTime(b)-start).Nanoseconds())/float64(b.N)/n, "cpu-ns/element")
			})
		}
	}
}
