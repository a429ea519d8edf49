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
	"github.com/tilewright/tilewright/target/ptxas"
)

// Products of two CTAs: kernels of which each CTA computes 128 rows by a factor that is the same for all.

// pairKernel is a kernel for products by a factor of 64 columns. Aligned says that pointers are known to be, so that the loop has no version in which threads load.
func pairKernel(body string, ctas int, aligned bool) string {
	rows := fmt.Sprint(128 * ctas)
	text := strings.ReplaceAll(strings.ReplaceAll(multicastText.Replace(multicastHead+body+"\n    return\n  }\n}\n"), "ROWS", rows), "CTAS", fmt.Sprint(ctas))
	if aligned {
		text = strings.NewReplacer("%a: tile", "%a0: tile", "%b: tile", "%b0: tile", "%c: tile", "%c0: tile", "    %zero =", `    %a = assume div_by<16>, %a0 : tile<ptr<f16>>
    %b = assume div_by<16>, %b0 : tile<ptr<f16>>
    %c = assume div_by<16>, %c0 : tile<ptr<f32>>
    %zero =`).Replace(text)
	}
	return text
}

var pairWays = []string{
	"--gpu-name=sm_100 --tensor-maps=params", "--gpu-name=sm_100 --tensor-maps=params --warp-roles=none", "--gpu-name=sm_103 --tensor-maps=device --warp-roles=always", "--gpu-name=sm_110 -O2",
}

// TestPairs: what two CTAs multiply together is what each would multiply alone.
func TestPairs(t *testing.T) {
	t.Parallel()
	for name, body := range multicastBodies {
		for _, ctas := range []int{2, 4} {
			t.Run(fmt.Sprint(name, ", ", ctas), func(t *testing.T) {
				t.Parallel()
				for i, way := range pairWays {
					if ctas > 2 && i%2 > 0 {
						continue
					}
					dealtOut(t, pairKernel(body, ctas, i%3 == 0), way, i, ctas)
				}
			})
		}
	}
}

// TestPairsCode: the code of these kernels has the instructions of two CTAs and no others, and ptxas takes it.
func TestPairsCode(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	for name, body := range multicastBodies {
		for i, gpu := range []string{"sm_100", "sm_103", "sm_107", "sm_110"} {
			t.Run(name+" "+gpu, func(t *testing.T) {
				t.Parallel()
				text := pairKernel(body, 2+i%2*2, i%3 == 0)
				var out, errs bytes.Buffer
				if status := opttool.TileOpt().Main([]string{"-", "--lower-to=ptx", "-O3", "--tensor-maps=params", "--gpu-name=" + gpu}, strings.NewReader(text), &out, &errs); status != 0 {
					t.Fatalf("status %d\n%s", status, &errs)
				}
				if !strings.Contains(out.String(), "tcgen05.mma.cta_group::2") || strings.Contains(out.String(), "cta_group::1") {
					t.Errorf("no product of two CTAs, or others beside them\n%s", &errs)
				}
				assemble(t, tool, gpu, []byte(text))
			})
		}
	}
}

// pairMistakes are what adversarial runs at level tileas find.
var pairMistakes = map[string]func(text string) string{
	"the mbarriers of the other CTA may not be there": func(text string) string {
		return strings.Replace(text, "nv_tileas.cluster_barrier\n", "nv_tileas.barrier\n", 1)
	},
	"the even CTA waits for the phase before": func(text string) string {
		return regexp.MustCompile(`(nv_tileas.tensor_dot .* ready %\w+, )%\w+`).ReplaceAllString(text, "%wrong = arith.constant 1 : i32\n${1}%wrong")
	},
	"nobody waits for products": func(text string) string {
		return regexp.MustCompile(`nv_tileas.tensor_wait .*\n`).ReplaceAllString(text, "\n")
	},
	"halves of the factor change places": func(text string) string {
		i := strings.LastIndex(text, "role \"load\"")
		return text[:i] + strings.Replace(text[i:], "arith.andi", "arith.xori", 1)
	},
	"the mbarrier of the even CTA takes two arrivals": func(text string) string {
		i := strings.Index(text, "nv_tileas.cluster_barrier")
		at := strings.LastIndex(text[:i], ", 1 :")
		return text[:at] + ", 2 :" + text[at+len(", 1 :"):]
	},
}

func TestPairMistakes(t *testing.T) {
	t.Parallel()
	long := strings.NewReplacer("192", "640", "184", "632").Replace(pairKernel(multicastBodies["a product"], 2, true))
	want := multicastRun(t, long, 0)
	var out, errs bytes.Buffer
	if status := opttool.TileOpt().Main([]string{"-", "--lower-to=tileas", "-O3", "--tensor-maps=params", "--gpu-name=sm_100"}, strings.NewReader(long), &out, &errs); status != 0 {
		t.Fatalf("status %d\n%s", status, &errs)
	}
	if got := multicastRun(t, out.String(), 1); len(got) == 0 || !bytes.Equal(got, want) {
		t.Fatal("without a mistake another result")
	}
	for name, damage := range pairMistakes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bad := damage(out.String())
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

// pairTypes are the types of factors and sums that products of two CTAs have, and how Tile IR multiplies them.
var pairTypes = []struct{ factor, sum, zero, mma string }{
	{"bf16", "f32", "f32: 0.0", "mmaf %p, %q, %acc"}, {"tf32", "f32", "f32: 0.0", "mmaf %p, %q, %acc"}, {"f16", "f16", "f16: 0.0", "mmaf %p, %q, %acc"},
	{"f8E4M3FN", "f32", "f32: 0.0", "mmaf %p, %q, %acc"}, {"f8E5M2", "f32", "f32: 0.0", "mmaf %p, %q, %acc"}, {"f8E4M3FN", "f16", "f16: 0.0", "mmaf %p, %q, %acc"},
	{"i8", "i32", "i32: 0", "mmai %p, %q, %acc signed signed"},
}

// pairTyped is a product whose factor B is stored along its depth or its columns, with tiles of which not all rows are there.
func pairTyped(factor, sum, zero, mma string, along bool) string {
	text := `cuda_tile.module @m {
  cuda_tile.entry @k(%a0: tile<ptr<FACTOR>>, %b0: tile<ptr<FACTOR>>, %c0: tile<ptr<SUM>>, %n: tile<i32>) optimization_hints=<default = {num_cta_in_cga = 2}> {
    %a = assume div_by<16>, %a0 : tile<ptr<FACTOR>>
    %b = assume div_by<16>, %b0 : tile<ptr<FACTOR>>
    %c = assume div_by<16>, %c0 : tile<ptr<SUM>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %va = make_tensor_view %a, shape = [472, 192], strides = [192, 1] : tensor_view<472x192xFACTOR, strides=[192,1]>
    %vb = make_tensor_view %b, shape = [EXTENT], strides = [STRIDE, 1] : tensor_view<WIDExFACTOR, strides=[STRIDE,1]>
    %vc = make_tensor_view %c, shape = [472, 112], strides = [112, 1] : tensor_view<472x112xSUM, strides=[112,1]>
    %pa = make_partition_view %va : partition_view<tile=(256x64), padding_value = zero, tensor_view<472x192xFACTOR, strides=[192,1]>>
    %pb = make_partition_view %vb : partition_view<tile=(TILE), padding_value = zero, tensor_view<WIDExFACTOR, strides=[STRIDE,1]>ORDER>
    %pc = make_partition_view %vc : partition_view<tile=(256x128), tensor_view<472x112xSUM, strides=[112,1]>>
    %none = constant <ZERO> : tile<256x128xSUM>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %s = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<256x128xSUM>) {
      %p, %t1 = load_view_tko weak %pa[%x, %i] : partition_view<tile=(256x64), padding_value = zero, tensor_view<472x192xFACTOR, strides=[192,1]>>, tile<i32> -> tile<256x64xFACTOR>, token
      %q, %t2 = load_view_tko weak %pb[%i, %zero] : partition_view<tile=(TILE), padding_value = zero, tensor_view<WIDExFACTOR, strides=[STRIDE,1]>ORDER>, tile<i32> -> tile<64x128xFACTOR>, token
      %r = MMA : tile<256x64xFACTOR>, tile<64x128xFACTOR>, tile<256x128xSUM>
      continue %r : tile<256x128xSUM>
    }
    %t3 = store_view_tko weak %s, %pc[%x, %zero] : tile<256x128xSUM>, partition_view<tile=(256x128), tensor_view<472x112xSUM, strides=[112,1]>>, tile<i32> -> token
    return
  }
}
`
	lie := []string{"EXTENT", "192, 112", "WIDE", "192x112", "STRIDE", "112", "ORDER", "", "TILE", "64x128"}
	if along {
		lie = []string{"EXTENT", "112, 192", "WIDE", "112x192", "STRIDE", "192", "ORDER", ", dim_map=[1, 0]", "TILE", "64x128"}
	}
	return strings.NewReplacer(append(lie, "FACTOR", factor, "SUM", sum, "ZERO", zero, "MMA", mma)...).Replace(text)
}

// TestPairTypes: products of two CTAs of all types, with factors as they may lie in memory.
func TestPairTypes(t *testing.T) {
	t.Parallel()
	for i, tt := range pairTypes {
		for k, along := range []bool{false, true} {
			t.Run(fmt.Sprint(tt.factor, " ", tt.sum, " ", along), func(t *testing.T) {
				t.Parallel()
				text := pairTyped(tt.factor, tt.sum, tt.zero, tt.mma, along)
				file := filepath.Join(t.TempDir(), "k.mlir")
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				engines := "interp,tileas,ptx"
				if tt.sum == "f16" { // code rounds after each instruction
					engines = "interp,tileas"
				}
				args := strings.Fields(fmt.Sprintf("%s --entry=k --grid=2 --diff-engines=%s --adversarial --seed=%d --arg=%s[90624]=random --arg=%s[21504]=random --arg=%s[52864]=0 --arg=i32:3 %s",
					pairWays[(i+k)%len(pairWays)], engines, i+2, tt.factor, tt.factor, tt.sum, file))
				if tt.factor == "i8" && strings.Contains(args[0], "sm_103") { // which has no such instruction
					args[0] = "--gpu-name=sm_100"
				}
				var out, errs bytes.Buffer
				if status := runtool.Main(context.Background(), args, strings.NewReader(""), &out, &errs); status != 0 {
					t.Errorf("%v: status %d\n%s%s", args, status, &out, &errs)
				}
				out.Reset()
				if status := opttool.TileOpt().Main([]string{"-", "--lower-to=ptx", "--tensor-maps=params", args[0]}, strings.NewReader(text), &out, &errs); status != 0 || !strings.Contains(out.String(), "tcgen05.mma.cta_group::2") {
					t.Errorf("status %d, or no product of two CTAs\n%s", status, &errs)
				}
			})
		}
	}
}
