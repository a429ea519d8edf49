package assignlayouts_test

import (
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/tileas/layout/assignlayouts"
)

// A dialect that the pass has never heard of. Its operations say what they do with layouts, or say nothing.
var strange = &ir.Dialect{Name: "strange", Doc: "for the test"}

var (
	_ = strangeOp("same", transfer.Transfers.Is(transfer.Same()))
	_ = strangeOp("flip", transfer.Transfers.Is(transfer.Shaped(flip, flip)))
	_ = strangeOp("dark")
)

func strangeOp(name string, caps ...ir.CapImpl) *ir.OpDef {
	return strange.Op(ir.OpDef{Name: name, Summary: "for the test", Operands: []ir.Field{{Name: "source", Type: tile.Tensor}},
		Results: []ir.Field{{Name: "result", Type: tile.Tensor}}, Syntax: "$source attr-dict `:` type($source) `->` type($result)", Caps: caps})
}

func flip(op ir.Op, l linear.Layout) (linear.Layout, error) { return l.Permute([]int{1, 0}) }

type ignore struct{}

func (ignore) Report(*ir.Diagnostic)            {}
func (ignore) Count(*passes.Statistic, int64)   {}
func (ignore) Artifact(string, passes.Artifact) {}

// run gives the body of a kernel layouts and returns its text.
func run(t *testing.T, body string) string {
	t.Helper()
	c := ir.NewContext(tileaa.Dialect, tileas.Dialect, strange)
	text := `nv_tileas.func @k(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
		%z = arith.constant 0 : i64
		%one = arith.constant 1 : i64
		%a, %t = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<32x64xf32>
` + body + "\nnv_tileas.return\n}\n"
	fn, err := asm.Parse(c, "k.mlir", []byte(text), asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r := passes.NewRun(t.Context(), assignlayouts.Pass, fn, nil, &passes.Target{GPU: "sm_90"}, ignore{})
	if err := assignlayouts.Pass.Run(r); err != nil {
		t.Fatal(err)
	}
	if err := ir.Verify(fn); err != nil {
		t.Fatal(err)
	}
	return asm.String(fn)
}

func TestPluginsGetLayouts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, body  string
		conversions int
	}{
		{"one layout for all", "%b = strange.same %a : tensor<32x64xf32> -> tensor<32x64xf32>\n%c = arith.addf %a, %b : tensor<32x64xf32>", 0},
		{"one that follows", "%b = strange.flip %a : tensor<32x64xf32> -> tensor<64x32xf32>\n%c = strange.flip %b : tensor<64x32xf32> -> tensor<32x64xf32>\n%d = arith.addf %a, %c : tensor<32x64xf32>", 0},
		{"nothing known", "%b = strange.dark %a : tensor<32x64xf32> -> tensor<64x32xf32>", 0},
	} {
		out := run(t, tt.body)
		if n := strings.Count(out, "convert_layout"); n != tt.conversions {
			t.Errorf("%s: %d conversions, want %d:\n%s", tt.name, n, tt.conversions, out)
		}
		for line := range strings.Lines(out) {
			if strings.Contains(line, "strange.") && strings.Count(line, "#") < 2 {
				t.Errorf("%s: no layouts in %s", tt.name, line)
			}
		}
	}
}
