package tests

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/internal/judges"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/ptxas"
)

// Kernels of which each CTA computes 64 rows, and whose other factors all of them need: these are loaded once for the cluster.

// multicastHead has ROWS rows in a tile, CTAS CTAs, and an argument for trips of loops. The second factor has 192 rows, of which tiles have 64; what lies beyond is zero.
const multicastHead = `cuda_tile.module @m {
  cuda_tile.entry @k(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %n: tile<i32>, %few: tile<i32>) optimization_hints=<default = {num_cta_in_cga = CTAS}> {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %va = make_tensor_view %a, shape = [1024, 192], strides = [192, 1] : tensor_view<1024x192xf16, strides=[192,1]>
    %vb = make_tensor_view %b, shape = [184, 64], strides = [64, 1] : tensor_view<184x64xf16, strides=[64,1]>
    %vc = make_tensor_view %c, shape = [1024, 64], strides = [64, 1] : tensor_view<1024x64xf32, strides=[64,1]>
    %pa = make_partition_view %va : PA
    %pb = make_partition_view %vb : PB
    %pc = make_partition_view %vc : PC
    %none = constant <f32: 0.0> : SUM
    %x, %y, %z = get_tile_block_id : tile<i32>
`

var multicastText = strings.NewReplacer("PA", "partition_view<tile=(ROWSx64), tensor_view<1024x192xf16, strides=[192,1]>>", "PB", "partition_view<tile=(64x64), padding_value = zero, tensor_view<184x64xf16, strides=[64,1]>>",
	"PC", "partition_view<tile=(ROWSx64), tensor_view<1024x64xf32, strides=[64,1]>>", "SUM", "tile<ROWSx64xf32>")

var multicastBodies = map[string]string{
	"a product": `
    %s = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (SUM) {
      %p, %t1 = load_view_tko weak %pa[%x, %i] : PA, tile<i32> -> tile<ROWSx64xf16>, token
      %q, %t2 = load_view_tko weak %pb[%i, %zero] : PB, tile<i32> -> tile<64x64xf16>, token
      %r = mmaf %p, %q, %acc : tile<ROWSx64xf16>, tile<64x64xf16>, SUM
      continue %r : SUM
    }
    %t3 = store_view_tko weak %s, %pc[%x, %zero] : SUM, PC, tile<i32> -> token`,
	"tile blocks that end early": `
    %late = cmpi greater_than_or_equal %x, %few, signed : tile<i32> -> tile<i1>
    if %late {
      return
    }
    %s = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (SUM) {
      %p, %t1 = load_view_tko weak %pa[%x, %i] : PA, tile<i32> -> tile<ROWSx64xf16>, token
      %q, %t2 = load_view_tko weak %pb[%i, %zero] : PB, tile<i32> -> tile<64x64xf16>, token
      %r = mmaf %p, %q, %acc : tile<ROWSx64xf16>, tile<64x64xf16>, SUM
      continue %r : SUM
    }
    %t3 = store_view_tko weak %s, %pc[%x, %zero] : SUM, PC, tile<i32> -> token`,
	"chains of products, whose sums iterations take": `
    %yes = constant <f16: 1.0> : tile<ROWSx64xf16>
    %no = constant <f16: -1.0> : tile<ROWSx64xf16>
    %p, %t1 = load_view_tko weak %pa[%x, %zero] : PA, tile<i32> -> tile<ROWSx64xf16>, token
    %s = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (SUM) {
      %q, %t2 = load_view_tko weak %pb[%i, %zero] : PB, tile<i32> -> tile<64x64xf16>, token
      %u = mmaf %p, %q, %none : tile<ROWSx64xf16>, tile<64x64xf16>, SUM
      %up = cmpf greater_than ordered %u, %none : SUM -> tile<ROWSx64xi1>
      %h = select %up, %yes, %no : tile<ROWSx64xi1>, tile<ROWSx64xf16>
      %j = subi %n, %i : tile<i32>
      %q2, %t4 = load_view_tko weak %pb[%j, %zero] : PB, tile<i32> -> tile<64x64xf16>, token
      %r = mmaf %h, %q2, %acc : tile<ROWSx64xf16>, tile<64x64xf16>, SUM
      continue %r : SUM
    }
    %t3 = store_view_tko weak %s, %pc[%x, %zero] : SUM, PC, tile<i32> -> token`,
	"a loop in a loop": `
    %last = addi %few, %one : tile<i32>
    for %k in (%zero to %last, step %one) : tile<i32> {
      %s = for %i in (%k to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (SUM) {
        %p, %t1 = load_view_tko weak %pa[%k, %i] : PA, tile<i32> -> tile<ROWSx64xf16>, token
        %q, %t2 = load_view_tko weak %pb[%i, %zero] : PB, tile<i32> -> tile<64x64xf16>, token
        %r = mmaf %p, %q, %acc : tile<ROWSx64xf16>, tile<64x64xf16>, SUM
        continue %r : SUM
      }
      %first = cmpi equal %x, %zero, signed : tile<i32> -> tile<i1>
      if %first {
        %t3 = store_view_tko weak %s, %pc[%k, %zero] : SUM, PC, tile<i32> -> token
      }
    }`,
}

func multicastKernel(body string, ctas int) string {
	rows := fmt.Sprint(64 * ctas)
	return strings.ReplaceAll(strings.ReplaceAll(multicastText.Replace(multicastHead+body+"\n    return\n  }\n}\n"), "ROWS", rows), "CTAS", fmt.Sprint(ctas))
}

// multicastWays: with roles and without, both ways of making maps, each as late as is legal, on all engines.
var multicastWays = []string{
	"--gpu-name=sm_90 --tensor-maps=params", "--gpu-name=sm_90 --tensor-maps=params --warp-roles=none", "--gpu-name=sm_90 --tensor-maps=device --warp-roles=always", "--gpu-name=sm_100 --tensor-maps=params",
	"--gpu-name=sm_90 -O1 --tensor-maps=params",
}

// TestMulticast: what CTAs load for each other is what each would load for itself.
func TestMulticast(t *testing.T) {
	t.Parallel()
	for name, body := range multicastBodies {
		for _, ctas := range []int{2, 4, 8} {
			t.Run(fmt.Sprint(name, ", ", ctas), func(t *testing.T) {
				t.Parallel()
				for i, way := range multicastWays {
					if ctas > 2 && (i+ctas/4)%2 > 0 { // the larger ones in every other way
						continue
					}
					dealtOut(t, multicastKernel(body, ctas), way, i, ctas)
				}
			})
		}
	}
}

// dealtOut runs a kernel of multicastBodies, which so many CTAs share, on all engines, in a way of a list: which one says how the others are chosen.
func dealtOut(t *testing.T, text, way string, i, ctas int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "k.mlir")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	args := strings.Fields(fmt.Sprintf("%s --entry=k --grid=2 --diff-engines=interp,tileas,ptx --adversarial --seed=%d --arg=f16[196608]=random --arg=f16[11776]=random --arg=f32[65536]=0 --arg=i32:%d --arg=i32:1 %s",
		way, 3+i+ctas, 1+(i+ctas)%3, file))
	var out, errs bytes.Buffer
	if status := runtool.Main(context.Background(), args, strings.NewReader(""), &out, &errs); status != 0 {
		t.Errorf("%s: status %d\n%s%s", way, status, &out, &errs)
	}
}

// TestMulticastCode: the code of these kernels has multicast copies, and ptxas takes it.
func TestMulticastCode(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	for name, body := range multicastBodies {
		for _, gpu := range []string{"sm_90", "sm_100", "sm_103", "sm_107", "sm_110"} {
			t.Run(name+" "+gpu, func(t *testing.T) {
				t.Parallel()
				var out, errs bytes.Buffer
				if status := opttool.TileOpt().Main([]string{"-", "--lower-to=ptx", "-O3", "--tensor-maps=params", "--gpu-name=" + gpu}, strings.NewReader(multicastKernel(body, 4)), &out, &errs); status != 0 {
					t.Fatalf("status %d\n%s", status, &errs)
				}
				if !strings.Contains(out.String(), ".multicast::cluster") {
					t.Errorf("no multicast\n%s", &errs)
				}
				assemble(t, tool, gpu, []byte(multicastKernel(body, 4)))
			})
		}
	}
}

// multicastMistakes are what adversarial runs at level tileas find: the ring has 8 slots, which 10 iterations use again.
var multicastMistakes = map[string]struct {
	flags  string
	damage func(text string) string
}{
	"mbarriers may not be there when bytes come": {"", func(text string) string { return strings.Replace(text, "nv_tileas.cluster_barrier\n", "\n", 1) }},
	"a CTA ends while others arrive": {"", func(text string) string {
		i := strings.LastIndex(text, "nv_tileas.cluster_barrier\n")
		return text[:i] + strings.TrimPrefix(text[i:], "nv_tileas.cluster_barrier")
	}},
	"a slot is free when one CTA has read it": {"", func(text string) string {
		return regexp.MustCompile(`(mbarrier_init %\w+, )8 `).ReplaceAllString(text, "${1}4 ")
	}},
	"who loads does not wait for slots": {"", func(text string) string {
		return regexp.MustCompile(`nv_tileas.mbarrier_wait %\w+, %[\w#]+ cluster :.*\n`).ReplaceAllString(text, "\n")
	}},
	"nothing stands in front of copies in a loop": {"--warp-roles=none", func(text string) string {
		i := strings.Index(text, "scf.for")
		return text[:i] + strings.Replace(text[i:], "nv_tileas.cluster_barrier\n", "nv_tileas.barrier\n", 1)
	}},
}

func TestMulticastMistakes(t *testing.T) {
	t.Parallel()
	long := strings.NewReplacer("192", "640", "184", "632").Replace(multicastKernel(multicastBodies["a product"], 2))
	want := multicastRun(t, long, 0)
	for name, tt := range multicastMistakes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out, errs bytes.Buffer
			args := append([]string{"-", "--lower-to=tileas", "-O3", "--tensor-maps=params", "--gpu-name=sm_90"}, strings.Fields(tt.flags)...)
			if status := opttool.TileOpt().Main(args, strings.NewReader(long), &out, &errs); status != 0 {
				t.Fatalf("status %d\n%s", status, &errs)
			}
			if got := multicastRun(t, out.String(), 1); !bytes.Equal(got, want) {
				t.Fatal("without the mistake another result")
			}
			bad := tt.damage(out.String())
			if bad == out.String() {
				t.Fatal("nothing is damaged")
			}
			for seed := range uint64(8) {
				if got := multicastRun(t, bad, 1+seed); !bytes.Equal(got, want) {
					return
				}
			}
			t.Error("nobody noticed")
		})
	}
}

// multicastRun returns what a kernel stores, or nothing where it fails.
func multicastRun(t *testing.T, text string, seed uint64) []byte {
	t.Helper()
	m, err := tileir.Read(tileir.NewContext(), "k.mlir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	small := func(i int) int64 { return int64(i*7+i/37)%5 - 2 }
	req := &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: []launch.Arg{pipedBuffer(t, launch.F16, 1024*640, small), pipedBuffer(t, launch.F16, 632*64, small),
		pipedBuffer(t, launch.F32, 1024*64, func(int) int64 { return 77 }), {Scalar: launch.Scalar{DType: launch.I32, Bits: 10}}, {Scalar: launch.Scalar{DType: launch.I32, Bits: 1}}}}
	e := interp.New(m)
	e.Adversarial, e.Seed = seed > 0, seed
	if err := e.Run(context.Background(), req); err != nil {
		t.Log(err)
		return nil
	}
	return req.Args[2].Buffer.Data
}
