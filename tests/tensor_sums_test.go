package tests

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
)

// Kernels whose products go on with sums of others in ways that one place in tensor memory does not have room for.

const sumsKernel = `cuda_tile.module @m {
  cuda_tile.entry @k(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %va = make_tensor_view %a, shape = [512, 64], strides = [64, 1] : tensor_view<512x64xf16, strides=[64,1]>
    %vb = make_tensor_view %b, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
    %vc = make_tensor_view %c, shape = [512, 64], strides = [64, 1] : tensor_view<512x64xf32, strides=[64,1]>
    %pa = make_partition_view %va : partition_view<tile=(128x64), tensor_view<512x64xf16, strides=[64,1]>>
    %pb = make_partition_view %vb : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
    %pc = make_partition_view %vc : PC
    %none = constant <f32: 0.0> : SUM
    LOAD(%x, %zero)
    %y, %ty = load_view_tko weak %pb[%zero, %zero] : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %s = MUL(%x, %none)
BODY
    return
  }
}
`

var sumsText = strings.NewReplacer("PC", "partition_view<tile=(128x64), tensor_view<512x64xf32, strides=[64,1]>>", "SUM", "tile<128x64xf32>")

// sumsBodies have LOAD(%v, %index), MUL(%factor, %sum) and STORE(%v, %index), each alone in its line but for the result.
var sumsBodies = map[string]string{
	"each iteration begins with a sum from in front": `
    for %i in (%zero to %n, step %one) : tile<i32> {
      LOAD(%x1, %i)
      %s1 = MUL(%x1, %s)
      STORE(%s1, %i)
    }`,
	"a loop inside begins with it": `
    for %i in (%zero to %n, step %one) : tile<i32> {
      %r = for %j in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %s) -> (SUM) {
        LOAD(%x1, %j)
        %s1 = MUL(%x1, %acc)
        continue %s1 : SUM
      }
      STORE(%r, %i)
    }`,
	"two products begin with it": `
    LOAD(%x1, %one)
    %s1 = MUL(%x1, %s)
    %s2 = MUL(%x, %s)
    STORE(%s1, %zero)
    STORE(%s2, %one)`,
	"two sums change places": `
    %q:2 = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%p = %s, %o = %none) -> (SUM, SUM) {
      LOAD(%x1, %i)
      %s1 = MUL(%x1, %p)
      continue %o, %s1 : SUM, SUM
    }
    STORE(%q#0, %zero)
    STORE(%q#1, %one)`,
	"a product is under way while another one is waited for": `
    %q = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%p = %none) -> (SUM) {
      LOAD(%x1, %i)
      %s1 = MUL(%x1, %p)
      STORE(%s1, %i)
      %s2 = MUL(%x, %s1)
      continue %s2 : SUM
    }`,
	"no iteration waits": `
    %q = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%p = %none) -> (SUM) {
      %s1 = MUL(%x, %p)
      continue %s1 : SUM
    }
    STORE(%q, %zero)`,
}

// sumsModule writes a body out.
func sumsModule(body string) string {
	var sb strings.Builder
	for i, line := range strings.Split(strings.Replace(sumsKernel, "BODY", body, 1), "\n") {
		x, y, _ := strings.Cut(strings.TrimSuffix(line[strings.Index(line, "(")+1:], ")"), ", ")
		switch call := strings.TrimSpace(line); {
		case strings.HasPrefix(call, "LOAD("):
			line = fmt.Sprintf("%s, %%t%d = load_view_tko weak %%pa[%s, %%zero] : partition_view<tile=(128x64), tensor_view<512x64xf16, strides=[64,1]>>, tile<i32> -> tile<128x64xf16>, token", x, i, y)
		case strings.HasPrefix(call, "STORE("):
			line = fmt.Sprintf("%%t%d = store_view_tko weak %s, %%pc[%s, %%zero] : SUM, PC, tile<i32> -> token", i, x, y)
		case strings.Contains(call, "= MUL("):
			line = fmt.Sprintf("%s mmaf %s, %%y, %s : tile<128x64xf16>, tile<64x64xf16>, SUM", call[:strings.Index(call, "=")+1], x, y)
		}
		sb.WriteString(sumsText.Replace(line) + "\n")
	}
	return sb.String()
}

func TestTensorSums(t *testing.T) {
	t.Parallel()
	for name, body := range sumsBodies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "k.mlir")
			if err := os.WriteFile(file, []byte(sumsModule(body)), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, way := range []string{"-O0", "-O1", "-O3", "-O3 --tensor-maps=none"} {
				args := strings.Fields(way + " --entry=k --grid=1 --diff-engines=interp,ptx --gpu-name=sm_100 --adversarial --seed=3 --arg=f16[32768]=random --arg=f16[4096]=random --arg=f32[32768]=0 --arg=i32:4 " + file)
				var out, errs bytes.Buffer
				if status := runtool.Main(context.Background(), args, strings.NewReader(""), &out, &errs); status != 0 {
					t.Errorf("%s: status %d\n%s%s", way, status, &out, &errs)
				}
			}
		})
	}
}
