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
					file := filepath.Join(t.TempDir(), "k.mlir")
					if err := os.WriteFile(file, []byte(pairKernel(body, ctas, i%3 == 0)), 0o600); err != nil {
						t.Fatal(err)
					}
					args := strings.Fields(fmt.Sprintf("%s --entry=k --grid=2 --diff-engines=interp,tileas,ptx --adversarial --seed=%d --arg=f16[196608]=random --arg=f16[11776]=random --arg=f32[65536]=0 --arg=i32:%d --arg=i32:1 %s",
						way, 3+i+ctas, 1+(i+ctas)%3, file))
					var out, errs bytes.Buffer
					if status := runtool.Main(context.Background(), args, strings.NewReader(""), &out, &errs); status != 0 {
						t.Errorf("%s: status %d\n%s%s", way, status, &out, &errs)
					}
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
