package tests

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/internal/judges"
	"github.com/tilewright/tilewright/target/engine/npy"
	"github.com/tilewright/tilewright/target/ptxas"
)

// halfKernels are kernels on elements of half a byte. All have the arguments (in, out: pointers to f4E2M1FN, 4096 elements each; res: pointer to i8, 4096 bytes; i, n: i32).
// IN and OUT stand for tensor_views of 64x64 elements with rows one after the other.
var halfKernels = map[string]string{
	"copy": viewsOf("partition", "partition_view<tile=(16x32), tensor_view<TENSOR>>", "%i, %one", "%one, %i", "16x32"),
	"aligned": `
  %ia = assume div_by<16>, %in : tile<ptr<f4E2M1FN>>
  %oa = assume div_by<16>, %out : tile<ptr<f4E2M1FN>>` +
		strings.NewReplacer("%in,", "%ia,", "%out,", "%oa,").Replace(viewsOf("partition", "partition_view<tile=(32x64), tensor_view<TENSOR>>", "%zero, %zero", "%one, %zero", "32x64")),
	"small":                      viewsOf("partition", "partition_view<tile=(2x2), tensor_view<TENSOR>>", "%i, %one", "%one, %i", "2x2"),
	"padding":                    viewsOf("partition", "partition_view<tile=(16x64), padding_value = neg_inf, tensor_view<TENSOR>>", "%i, %one", "%zero, %zero", "16x64"),
	"padding -0":                 viewsOf("partition", "partition_view<tile=(16x64), padding_value = neg_zero, tensor_view<TENSOR>>", "%i, %one", "%zero, %zero", "16x64"),
	"padding nan":                viewsOf("partition", "partition_view<tile=(128x16), padding_value = nan, tensor_view<TENSOR>>", "%zero, %one", "%zero, %zero", "128x16"),
	"transposed":                 viewsOf("partition", "partition_view<tile=(16x32), tensor_view<TENSOR>, dim_map=[1, 0]>", "%one, %one", "%zero, %one", "16x32"),
	"one byte of a row":          viewsOf("partition", "partition_view<tile=(16x2), tensor_view<TENSOR>>", "%i, %n", "%one, %i", "16x2"),
	"strided":                    viewsOf("strided", "strided_view<tile=(8x16), traversal_strides=[3,6], tensor_view<TENSOR>>", "%i, %n", "%n, %i", "8x16"),
	"gather rows":                viewsOf("gather_scatter", "gather_scatter_view<tile=(16x32), padding_value = zero, tensor_view<TENSOR>, sparse_dim=0>", "%rows, %zero", "%rows, %thirtytwo", "16x32"),
	"gather rows at even column": viewsOf("gather_scatter", "gather_scatter_view<tile=(16x32), padding_value = neg_zero, tensor_view<TENSOR>, sparse_dim=0>", "%rows, %six", "%rows, %two", "16x32"),
	"gather columns":             strings.ReplaceAll(viewsOf("gather_scatter", "gather_scatter_view<tile=(32x16), padding_value = nan, tensor_view<TENSOR>, sparse_dim=1>", "%six, %rows", "%thirtytwo, %rows", "32x16"), "64,1]", "1,64]"),

	// Strides and sizes that are known when the kernel runs only.
	"dynamic strides": dynamicViews("strides = [%s, 1] : tile<i32> -> tensor_view<TYPE>", "64x64xf4E2M1FN, strides=[?,1]", "%sixtyfour"),
	"dynamic sizes":   dynamicViews("strides = [64, 1] : tile<i32> -> tensor_view<TYPE>", "?x?xf4E2M1FN, strides=[64,1]", ""),

	"pack": `
  %tv = make_tensor_view %in, shape = [4096], strides = [1] : tensor_view<4096xf4E2M1FN, strides=[1]>
  %v = make_partition_view %tv : partition_view<tile=(1024), tensor_view<4096xf4E2M1FN, strides=[1]>>
  %x, %t = load_view_tko weak %v[%one] : partition_view<tile=(1024), tensor_view<4096xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<1024xf4E2M1FN>, token
  %b = pack %x : tile<1024xf4E2M1FN> -> tile<512xi8>` + storeBytes(512),
	"unpack": loadBytes(512) + `
  %x = unpack %bytes : tile<512xi8> -> tile<1024xf4E2M1FN>
  %f = ftof %x : tile<1024xf4E2M1FN> -> tile<1024xf32>
  %h = ftof %x : tile<1024xf4E2M1FN> -> tile<1024xf16>
  %g = ftof %h : tile<1024xf16> -> tile<1024xf32>
  %s = addf %f, %g rounding<nearest_even> : tile<1024xf32>
  %y = ftof %s : tile<1024xf32> -> tile<1024xf4E2M1FN>
  %b = pack %y : tile<1024xf4E2M1FN> -> tile<512xi8>` + storeBytes(512),
	"unpack integers": loadBytes(512) + `
  %x = unpack %bytes : tile<512xi8> -> tile<1024xi4>
  %s = exti %x signed : tile<1024xi4> -> tile<1024xi32>
  %u = exti %x unsigned : tile<1024xi4> -> tile<1024xi16>
  %w = exti %u unsigned : tile<1024xi16> -> tile<1024xi32>
  %p = muli %s, %w : tile<1024xi32>
  %d = trunci %p : tile<1024xi32> -> tile<1024xi8>
  %e = exti %x signed : tile<1024xi4> -> tile<1024xi8>
  %b = xori %d, %e : tile<1024xi8>` + storeBytes(1024),
	"truth values": loadBytes(64) + `
  %x = unpack %bytes : tile<64xi8> -> tile<512xi1>
  %k = unpack %bytes : tile<64xi8> -> tile<128xi4>
  %kb = pack %k : tile<128xi4> -> tile<64xi8>
  %y = unpack %kb : tile<64xi8> -> tile<512xi1>
  %true = constant <i1: true> : tile<512xi1>
  %z = xori %x, %true : tile<512xi1>
  %w = cat %z, %y dim = 0 : tile<512xi1>, tile<512xi1> -> tile<1024xi1>
  %b = pack %w : tile<1024xi1> -> tile<128xi8>` + storeBytes(128),
	"few bytes": loadBytes(4) + `
  %x = unpack %bytes : tile<4xi8> -> tile<8xi4>
  %b = pack %x : tile<8xi4> -> tile<4xi8>` + storeBytes(4),
	"wide": loadBytes(1024) + `
  %x = unpack %bytes : tile<1024xi8> -> tile<256xf32>
  %y = ftof %x : tile<256xf32> -> tile<256xf4E2M1FN>
  %b = pack %y : tile<256xf4E2M1FN> -> tile<128xi8>` + storeBytes(128),
	"half": loadBytes(1024) + `
  %x = unpack %bytes : tile<1024xi8> -> tile<512xf16>
  %y = ftof %x : tile<512xf16> -> tile<512xf4E2M1FN>
  %b = pack %y : tile<512xf4E2M1FN> -> tile<256xi8>` + storeBytes(256),
	"double": loadBytes(1024) + `
  %x = unpack %bytes : tile<1024xi8> -> tile<128xf64>
  %y = ftof %x : tile<128xf64> -> tile<128xf4E2M1FN>
  %b = pack %y : tile<128xf4E2M1FN> -> tile<64xi8>` + storeBytes(64),
	"ftof of bytes": loadBytes(256) + `
  %x = bitcast %bytes : tile<256xi8> -> tile<256xf8E4M3FN>
  %y = ftof %x : tile<256xf8E4M3FN> -> tile<256xf4E2M1FN>
  %z = ftof %y : tile<256xf4E2M1FN> -> tile<256xf8E5M2>
  %b = bitcast %z : tile<256xf8E5M2> -> tile<256xi8>` + storeBytes(256),

	"shapes": `
  %tv = make_tensor_view %in, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf4E2M1FN, strides=[64,1]>
  %v = make_partition_view %tv : partition_view<tile=(32x16), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>
  %x, %t = load_view_tko weak %v[%one, %one] : partition_view<tile=(32x16), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>, tile<i32> -> tile<32x16xf4E2M1FN>, token
  %y = permute %x [1, 0] : tile<32x16xf4E2M1FN> -> tile<16x32xf4E2M1FN>
  %z = cat %y, %y dim = 0 : tile<16x32xf4E2M1FN>, tile<16x32xf4E2M1FN> -> tile<32x32xf4E2M1FN>
  %e = extract %z[%zero, %i] : tile<32x32xf4E2M1FN> -> tile<32x16xf4E2M1FN>
  %r = reshape %e : tile<32x16xf4E2M1FN> -> tile<512xf4E2M1FN>
  %b = pack %r : tile<512xf4E2M1FN> -> tile<256xi8>` + storeBytes(256),
	"constants": `
  %c = constant <f4E2M1FN: [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0, 0.5]> : tile<16xf4E2M1FN>
  %d = constant <f4E2M1FN: -3.0> : tile<16xf4E2M1FN>
  %x = cat %c, %d dim = 0 : tile<16xf4E2M1FN>, tile<16xf4E2M1FN> -> tile<32xf4E2M1FN>
  %b = pack %x : tile<32xf4E2M1FN> -> tile<16xi8>` + storeBytes(16),
	"global": `
  %g = get_global @table : tile<ptr<f4E2M1FN>>
  %tv = make_tensor_view %g, shape = [6], strides = [1] : tensor_view<6xf4E2M1FN, strides=[1]>
  %v = make_partition_view %tv : partition_view<tile=(4), padding_value = nan, tensor_view<6xf4E2M1FN, strides=[1]>>
  %x, %t = load_view_tko weak %v[%one] : partition_view<tile=(4), padding_value = nan, tensor_view<6xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<4xf4E2M1FN>, token
  %b = pack %x : tile<4xf4E2M1FN> -> tile<2xi8>` + storeBytes(2),
	"alloca": `
  %a = alloca num_elem = 64, alignment = 4 : tile<ptr<f4E2M1FN>>
  %tv = make_tensor_view %in, shape = [64], strides = [1] : tensor_view<64xf4E2M1FN, strides=[1]>
  %v = make_partition_view %tv : partition_view<tile=(64), tensor_view<64xf4E2M1FN, strides=[1]>>
  %x, %t = load_view_tko weak %v[%zero] : partition_view<tile=(64), tensor_view<64xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<64xf4E2M1FN>, token
  %aw = make_tensor_view %a, shape = [64], strides = [1] : tensor_view<64xf4E2M1FN, strides=[1]>
  %w = make_partition_view %aw : partition_view<tile=(64), tensor_view<64xf4E2M1FN, strides=[1]>>
  %t1 = store_view_tko weak %x, %w[%zero] : tile<64xf4E2M1FN>, partition_view<tile=(64), tensor_view<64xf4E2M1FN, strides=[1]>>, tile<i32> -> token
  %z, %t4 = load_view_tko weak %w[%zero] token = %t1 : partition_view<tile=(64), tensor_view<64xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<64xf4E2M1FN>, token
  %b = pack %z : tile<64xf4E2M1FN> -> tile<32xi8>` + storeBytes(32),
	// Operands of a product: K is along the packed dimension of one, and across that of the other.
	"scaled": `
  %ta = make_tensor_view %in, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf4E2M1FN, strides=[64,1]>
  %va = make_partition_view %ta : partition_view<tile=(16x64), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>
  %vb = make_partition_view %ta : partition_view<tile=(64x16), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>
  %x, %tx = load_view_tko weak %va[%one, %zero] : partition_view<tile=(16x64), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>, tile<i32> -> tile<16x64xf4E2M1FN>, token
  %y, %ty = load_view_tko weak %vb[%zero, %one] : partition_view<tile=(64x16), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>, tile<i32> -> tile<64x16xf4E2M1FN>, token
  %sa = constant <f8E8M0FNU: 2.0> : tile<16x2xf8E8M0FNU>
  %sb = constant <f8E8M0FNU: 0.5> : tile<2x16xf8E8M0FNU>
  %acc = constant <f32: 1.0> : tile<16x16xf32>
  %d = mmaf_scaled %x, %y, %acc, %sa, %sb : tile<16x64xf4E2M1FN>, tile<64x16xf4E2M1FN>, tile<16x16xf32>, tile<16x2xf8E8M0FNU>, tile<2x16xf8E8M0FNU>
  %e = reshape %d : tile<16x16xf32> -> tile<256xf32>
  %b = pack %e : tile<256xf32> -> tile<1024xi8>
  %to = make_tensor_view %out, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf4E2M1FN, strides=[64,1]>
  %vo = make_partition_view %to : partition_view<tile=(16x16), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>
  %vt = make_partition_view %to : partition_view<tile=(16x16), tensor_view<64x64xf4E2M1FN, strides=[64,1]>, dim_map=[1, 0]>
  %f = ftof %d : tile<16x16xf32> -> tile<16x16xf4E2M1FN>
  %t1 = store_view_tko weak %f, %vo[%one, %one] : tile<16x16xf4E2M1FN>, partition_view<tile=(16x16), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>, tile<i32> -> token
  %t2 = store_view_tko weak %f, %vt[%one, %zero] token = %t1 : tile<16x16xf4E2M1FN>, partition_view<tile=(16x16), tensor_view<64x64xf4E2M1FN, strides=[64,1]>, dim_map=[1, 0]>, tile<i32> -> token` + storeBytes(1024),
	"ordered": `
  %tv = make_tensor_view %in, shape = [64, 4], strides = [4, 1] : tensor_view<64x4xf4E2M1FN, strides=[4,1]>
  %v = make_partition_view %tv : partition_view<tile=(64x2), tensor_view<64x4xf4E2M1FN, strides=[4,1]>>
  %x, %t = load_view_tko acquire device %v[%zero, %one] : partition_view<tile=(64x2), tensor_view<64x4xf4E2M1FN, strides=[4,1]>>, tile<i32> -> tile<64x2xf4E2M1FN>, token
  %tw = make_tensor_view %out, shape = [64, 4], strides = [4, 1] : tensor_view<64x4xf4E2M1FN, strides=[4,1]>
  %w = make_partition_view %tw : partition_view<tile=(64x2), tensor_view<64x4xf4E2M1FN, strides=[4,1]>>
  %s = store_view_tko release sys %x, %w[%zero, %one] token = %t : tile<64x2xf4E2M1FN>, partition_view<tile=(64x2), tensor_view<64x4xf4E2M1FN, strides=[4,1]>>, tile<i32> -> token`,
}

// viewsOf is the body of a kernel that loads a tile of a view of in and stores it through one of out.
func viewsOf(kind, view, from, to, shape string) string {
	const tensor = "64x64xf4E2M1FN, strides=[64,1]"
	view = strings.ReplaceAll(view, "TENSOR", tensor)
	index := "tile<i32>"
	switch {
	case strings.Contains(view, "sparse_dim=0"):
		index = "tile<16xi32>, tile<i32>"
	case strings.Contains(view, "sparse_dim=1"):
		index = "tile<i32>, tile<16xi32>"
	}
	return fmt.Sprintf(`
  %%ti = make_tensor_view %%in, shape = [64, 64], strides = [64,1] : tensor_view<%[1]s>
  %%to = make_tensor_view %%out, shape = [64, 64], strides = [64,1] : tensor_view<%[1]s>
  %%vi = make_%[2]s_view %%ti : %[3]s
  %%vo = make_%[2]s_view %%to : %[3]s
  %%x, %%t = load_view_tko weak %%vi[%[4]s] : %[3]s, %[7]s -> tile<%[6]sxf4E2M1FN>, token
  %%u = store_view_tko weak %%x, %%vo[%[5]s] token = %%t : tile<%[6]sxf4E2M1FN>, %[3]s, %[7]s -> token`, tensor, kind, view, from, to, shape, index)
}

// dynamicViews is viewsOf for tensors not all of whose numbers are known.
func dynamicViews(strides, tensor, stride string) string {
	shape := "[64, 64]"
	strides = strings.ReplaceAll(strings.ReplaceAll(strides, "%s", stride), "TYPE", tensor)
	if strings.HasPrefix(tensor, "?") {
		shape = "[%odd, %sixty]"
	}
	return fmt.Sprintf(`
  %%odd = constant <i32: 65> : tile<i32>
  %%s0 = muli %%i, %%thirtytwo : tile<i32>
  %%sixtyfour = addi %%s0, %%thirtytwo : tile<i32>
  %%sixty = addi %%s0, %%thirtytwo : tile<i32>
  %%ti = make_tensor_view %%in, shape = %[1]s, %[2]s
  %%to = make_tensor_view %%out, shape = %[1]s, %[2]s
  %%vi = make_partition_view %%ti : partition_view<tile=(16x32), padding_value = zero, tensor_view<%[3]s>>
  %%vo = make_partition_view %%to : partition_view<tile=(16x32), padding_value = zero, tensor_view<%[3]s>>
  %%x, %%t = load_view_tko weak %%vi[%%zero, %%one] : partition_view<tile=(16x32), padding_value = zero, tensor_view<%[3]s>>, tile<i32> -> tile<16x32xf4E2M1FN>, token
  %%u = store_view_tko weak %%x, %%vo[%%one, %%one] token = %%t : tile<16x32xf4E2M1FN>, partition_view<tile=(16x32), padding_value = zero, tensor_view<%[3]s>>, tile<i32> -> token`,
		shape, strides, tensor)
}

// loadBytes loads bytes of in as %bytes, storeBytes stores %b to res.
func loadBytes(n int) string {
	return fmt.Sprintf(`
  %%ib = ptr_to_ptr %%in : tile<ptr<f4E2M1FN>> -> tile<ptr<i8>>
  %%ibt = make_tensor_view %%ib, shape = [2048], strides = [1] : tensor_view<2048xi8, strides=[1]>
  %%ibv = make_partition_view %%ibt : partition_view<tile=(%[1]d), tensor_view<2048xi8, strides=[1]>>
  %%bytes, %%ibk = load_view_tko weak %%ibv[%%one] : partition_view<tile=(%[1]d), tensor_view<2048xi8, strides=[1]>>, tile<i32> -> tile<%[1]dxi8>, token`, n)
}

func storeBytes(n int) string {
	return fmt.Sprintf(`
  %%rbt = make_tensor_view %%res, shape = [4096], strides = [1] : tensor_view<4096xi8, strides=[1]>
  %%rbv = make_partition_view %%rbt : partition_view<tile=(%[1]d), tensor_view<4096xi8, strides=[1]>>
  %%rbk = store_view_tko weak %%b, %%rbv[%%zero] : tile<%[1]dxi8>, partition_view<tile=(%[1]d), tensor_view<4096xi8, strides=[1]>>, tile<i32> -> token`, n)
}

func halfModule(body string) string {
	return "cuda_tile.module @m {\nglobal @table <f4E2M1FN: [1.0, 0.5, 2.0, 4.0, -6.0, -0.5, 3.0, 3.0]> : tile<8xf4E2M1FN>\n" +
		"entry @k(%in: tile<ptr<f4E2M1FN>>, %out: tile<ptr<f4E2M1FN>>, %res: tile<ptr<i8>>, %i: tile<i32>, %n: tile<i32>) {\n" +
		"  %zero = constant <i32: 0> : tile<i32>\n  %one = constant <i32: 1> : tile<i32>\n  %thirtytwo = constant <i32: 32> : tile<i32>\n" +
		"  %two = addi %i, %i : tile<i32>\n  %six = addi %n, %n : tile<i32>\n" +
		"  %rows = constant <i32: [3, 9, 1, 63, 62, 17, 64, 2, 30, 31, 33, -1, 40, 50, 7, 8]> : tile<16xi32>\n" +
		strings.TrimPrefix(body, "\n") + "\n  return\n}\n}\n"
}

// TestHalves runs the kernels in the interpreter, at each level, and as PTX, which the assembler takes.
func TestHalves(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	r := rand.New(rand.NewPCG(4, 2))
	var files []string
	for i := range 2 {
		data := make([]byte, 2048)
		for j := range data {
			data[j] = byte(r.Uint32())
		}
		files = append(files, filepath.Join(dir, fmt.Sprintf("%d.npy", i)))
		if err := npy.WriteFile(files[i], &npy.Array{DType: npy.Uint8, Shape: []int{len(data)}, Data: data}); err != nil {
			t.Fatal(err)
		}
	}
	kernels := maps.Clone(halfKernels)
	kernels["global alloca"] = strings.Replace(halfKernels["alloca"], "alignment = 4 :", "alignment = 1 global :", 1)
	gpus := []string{"sm_80", "sm_90", "sm_100", "sm_120"}
	for i, name := range slices.Sorted(maps.Keys(kernels)) {
		body := kernels[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(dir, strings.ReplaceAll(name, " ", "-")+".mlir")
			if err := os.WriteFile(file, []byte(halfModule(body)), 0o600); err != nil {
				t.Fatal(err)
			}
			assemble(t, tool, gpus[i%len(gpus)], []byte(halfModule(body)))
			for _, gpu := range gpus {
				for _, way := range []string{"-O0", "-O3", "-O3 --adversarial --seed=1", "-O3 --level=tileaa", "-O0 --level=tileas"} {
					args := append(strings.Fields("--diff-engines=interp,ptx --entry=k --grid=1,1,1 --timeout=30s "+way), "--gpu-name="+gpu,
						"--arg=f4e2m1:"+files[0], "--arg=f4e2m1:"+files[1], "--arg=i8[4096]", "--arg=i32:1", "--arg=i32:3", file)
					var out, errs bytes.Buffer
					status := runtool.Main(context.Background(), args, strings.NewReader(""), &out, &errs)
					if status != 0 || strings.Count(out.String(), ": ok") != 3 {
						t.Fatalf("%s %s: status %d\n%s%s", gpu, way, status, &out, &errs)
					}
				}
			}
		})
	}
}
