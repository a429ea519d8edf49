package cli

import (
	"fmt"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline"
)

// PlanFlag defines --plan, which gives passes other options for single kernels.
func PlanFlag(fs *pflag.FlagSet, to *string) {
	fs.StringVar(to, "plan", "", "compile each kernel as this `FILE` says: options of passes, as --print-plan of tilec prints them")
}

// ReadPlan reads the plans of --plan, and their text. Without the flag there are none.
func ReadPlan(reg *passes.Registry, file string) (pipeline.KernelPlans, string, error) {
	if file == "" {
		return nil, "", nil
	}
	data, err := ReadFile(file)
	if err != nil {
		return nil, "", err
	}
	plans, err := pipeline.ParseKernelPlans(reg, file, string(data))
	if err != nil {
		return nil, "", fmt.Errorf("--plan: %w", err)
	}
	return plans, string(data), nil
}
