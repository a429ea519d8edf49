package pipeline_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/passes"
	_ "github.com/tilewright/tilewright/passes/all"
	"github.com/tilewright/tilewright/pipeline"
)

const goodPlan = `// two kernels
kernel @matmul {
  tileas-specialize-warps{roles=pingpong stages=3} // "quoted"
  tileas-schedule-loops{prefetch=2}
}
kernel @"odd name" { tileas-split-k-step }
kernel @* { tileas-schedule-loops{scheduler="iterative"} }
`

// TestKernelPlans checks that a plan reads back what it prints, with all options of each pass.
func TestKernelPlans(t *testing.T) {
	plans, err := pipeline.ParseKernelPlans(passes.Default, "k.plan", goodPlan)
	if err != nil {
		t.Fatal(err)
	}
	if got := plans.Of("matmul")["tileas-specialize-warps"]; !strings.Contains(got, "roles=pingpong stages=3") || !strings.Contains(got, "late=true") {
		t.Errorf("the options are %q", got)
	}
	if got := plans.Of("other")["tileas-schedule-loops"]; !strings.Contains(got, "scheduler=iterative") {
		t.Errorf("a kernel without a plan of its own has %q", got)
	}
	again, err := pipeline.ParseKernelPlans(passes.Default, "again", plans.String())
	if err != nil || again.String() != plans.String() {
		t.Errorf("it reads back as %v, %v", again, err)
	}
}

func TestKernelPlanErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"matmul {}", "k.plan:1:1: error: expected 'kernel @NAME {...}', but got \"m\""},
		{"kernel matmul {}", "k.plan:1:8: error: expected the name of a kernel, as in '@matmul', but got \"m\""},
		{"kernel @ {}", "k.plan:1:9: error: expected the name of a kernel after '@', but got \" \""},
		{"kernel @k", "k.plan:1:10: error: expected '{' after kernel 'k', but got the end"},
		{"kernel @k {\n", "k.plan:1:11: error: '{' of kernel 'k' is not closed"},
		{"kernel @k {} kernel @k {}", "k.plan:1:21: error: kernel 'k' has a plan already"},
		{"kernel @k { // c\n tileas-specialise-warps{} }", "k.plan:2:2: error: unknown pass 'tileas-specialise-warps' (did you mean 'tileas-specialize-warps'?)"},
		{"kernel @k { tileas-schedule-loops{prefetch=x} }", "k.plan:1:35: error: pass 'tileas-schedule-loops': option 'prefetch' must be an integer, but got 'x'"},
		{"kernel @k { tileas-schedule-loops{fetch=1} }", "k.plan:1:35: error: pass 'tileas-schedule-loops': no option 'fetch'"},
		{"kernel @k { tileas-schedule-loops tileas-schedule-loops }", "k.plan:1:35: error: pass 'tileas-schedule-loops' stands twice in the plan of this kernel"},
		{"kernel @k { canonicalize{} }", "k.plan:1:13: error: pass 'canonicalize' has no place in the plan of a kernel: it "},
		{"kernel @k { , }", "k.plan:1:13: error: expected the name of a pass, but got \",\""},
		{strings.Repeat(" ", 1<<20+1), "k.plan:1:1: error: plan of 1048577 bytes is longer than the limit of 1048576"},
	} {
		_, err := pipeline.ParseKernelPlans(passes.Default, "k.plan", c.text)
		var at *pipeline.SyntaxError
		if err == nil || !errors.As(err, &at) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%.40q: %v\nwant %s", c.text, err, c.want)
		}
	}
}

func FuzzKernelPlans(f *testing.F) {
	f.Add(goodPlan)
	f.Add(`kernel @"a\"b" {tileas-schedule-loops{scheduler='x' }//`)
	f.Fuzz(func(t *testing.T, text string) {
		plans, err := pipeline.ParseKernelPlans(passes.Default, "k.plan", text)
		if err != nil {
			var at *pipeline.SyntaxError
			if !errors.As(err, &at) {
				t.Fatalf("no place: %v", err)
			}
			_ = at.Detail()
			return
		}
		again, err := pipeline.ParseKernelPlans(passes.Default, "again", plans.String())
		if err != nil || again.String() != plans.String() {
			t.Fatalf("%s reads back as %s: %v", plans, again, err)
		}
	})
}
