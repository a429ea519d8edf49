package suite

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/target/sm"
)

// planTool is the tool of suite/plans: it prints the default pipelines from the input to a level, for every target
// and level of optimisation, one step a line. Targets with the same pipeline are named together. The files are
// goldens (-update rewrites them): a pass that is added, or an edge that moves one, shows as the lines that it moves.
func planTool(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	if len(args) != 1 || passes.PropertyNamed(args[0]) == nil {
		fmt.Fprintln(stderr, "usage: plans LEVEL")
		return 2
	}
	for opt := range 4 {
		var texts []string // in the order of the targets
		targets := make(map[string][]string)
		for _, gpu := range sm.Names() {
			text, err := planText(passes.PropertyNamed(args[0]), &passes.Target{GPU: gpu, OptLevel: opt})
			if err != nil {
				fmt.Fprintln(stderr, "plans:", err)
				return 1
			}
			if !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
			targets[text] = append(targets[text], gpu)
		}
		for _, text := range texts {
			who := strings.Join(targets[text], " ")
			if len(texts) == 1 {
				who = "every target"
			}
			fmt.Fprintf(stdout, "-O%d, %s:\n%s", opt, who, text)
		}
	}
	return 0
}

func planText(to *passes.Property, target *passes.Target) (string, error) {
	plan, err := pipeline.NewPlan(passes.Default, pipeline.Goal{From: property.CudaTile, To: to, Target: target})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, v := range plan.Steps {
		fmt.Fprintf(&b, "  %-9s  %s", v.Level.Level(), v.ID)
		if v.Options != "" {
			fmt.Fprintf(&b, "{%s}", v.Options)
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}
