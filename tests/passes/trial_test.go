package passes_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// TestTrialsLeaveTheKernelAlone puts a pass that tries variants where tileaa-plan-kernel stands: one that is the same
// twice, one that does not compile, and, of a pass that does not declare it, one that is refused.
func TestTrialsLeaveTheKernelAlone(t *testing.T) {
	t.Parallel()
	const file = "../suite/passes/tileaa-plan-kernel.mlir"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	ctx := tileir.NewContext()
	var said []string
	defer ctx.Diag.Push(func(d *ir.Diagnostic) { said = append(said, d.Message) })()
	module, err := tileir.Read(ctx, file, text)
	if err != nil {
		t.Fatal(err)
	}
	plan, in, err := compile.Plan(module, compile.Options{GPU: "sm_90", OptLevel: 3, To: property.TileAS})
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Pipeline(passes.Default, module.Name(), ctx)
	if err != nil {
		t.Fatal(err)
	}
	prices := make(map[string][]passes.Price)
	probe := &passes.Pass{Name: "test-trials", On: "nv_tileaa.func", Tries: true, Run: func(r *passes.Run) error {
		before := textOf(t, r.Op)
		for range 2 {
			price, err := r.Trial(passes.Variant{})
			if err != nil {
				return err
			}
			prices[r.Op.SymbolName()] = append(prices[r.Op.SymbolName()], price)
		}
		// No layout has three warps.
		if price, err := r.Trial(passes.Variant{Change: func(kernel ir.Op) { contract.SetNumWarps(kernel, 3) }}); err == nil {
			t.Errorf("three warps have the price %s", price)
		}
		if textOf(t, r.Op) != before {
			t.Errorf("trials changed %s", r.Op.SymbolName())
		}
		return nil
	}}
	shy := &passes.Pass{Name: "test-undeclared", On: "nv_tileaa.func", Run: func(r *passes.Run) error {
		if _, err := r.Trial(passes.Variant{}); err == nil || errors.Is(err, passes.ErrNoTrial) {
			t.Errorf("a pass that declares no trials got the error %v", err)
		}
		return nil
	}}
	if !replace(p.Root, "tileaa-plan-kernel", pipeline.Item{Pass: probe}, pipeline.Item{Pass: shy}) {
		t.Fatal("tileaa-plan-kernel does not stand in the pipeline")
	}
	m := &pipeline.Manager{Target: plan.Goal.Target, Plan: plan, Input: in, Workers: 1}
	if _, err := m.Run(context.Background(), p, module); err != nil {
		t.Fatal(err)
	}
	for _, kernel := range []string{"large", "unchanged_small"} {
		if got := prices[kernel]; len(got) != 2 || got[0] != got[1] || got[0].Cycles <= 0 {
			t.Errorf("%s has the prices %v, expected one twice", kernel, got)
		}
	}
	if all := strings.Join(said, "\n"); strings.Contains(all, "warps") {
		t.Errorf("diagnostics of trials are shown:\n%s", all)
	}
}

// replace puts items in the place of a pass.
func replace(n *pipeline.OpPipeline, name string, items ...pipeline.Item) bool {
	for i := range n.Items {
		it := &n.Items[i]
		switch {
		case it.Nest != nil:
			if replace(it.Nest, name, items...) {
				return true
			}
		case it.Pass.Name == name:
			n.Items = append(n.Items[:i:i], append(items, n.Items[i+1:]...)...)
			return true
		}
	}
	return false
}

func textOf(t *testing.T, op ir.Op) string {
	t.Helper()
	text, err := compile.Text(op, true)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
