package view

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/sm"
)

// Flags are what the page may change.
type Flags struct {
	GPU      string   `json:"gpu"` // "": what the module says, or the default
	OptLevel int      `json:"opt"`
	Stages   int      `json:"stages"` // of software pipelines; 0: the scheduler decides
	Disabled []string `json:"disabled"`
}

// MaxStages bounds the number of stages.
const MaxStages = 8

// scheduling is the pass that decides how many stages loops have.
const scheduling = "tileas-schedule-loops"

// Check returns an error if flags are not of the lists that they are from.
func (f Flags) Check() error {
	switch {
	case f.GPU != "" && !slices.Contains(sm.Names(), f.GPU):
		return fmt.Errorf("there is no target '%.40s'", f.GPU)
	case f.OptLevel < 0 || f.OptLevel > 3:
		return fmt.Errorf("-O must be 0 to 3, but got %d", f.OptLevel)
	case f.Stages < 0 || f.Stages > MaxStages:
		return fmt.Errorf("the stages must be 0 to %d, but got %d", MaxStages, f.Stages)
	}
	for i, name := range f.Disabled {
		if passes.Default.Lookup(name) == nil {
			return fmt.Errorf("there is no pass '%.80s'", name)
		}
		if slices.Contains(f.Disabled[:i], name) {
			return fmt.Errorf("pass '%s' is disabled twice", name)
		}
	}
	return nil
}

// options are the flags as the compiler takes them.
func (f Flags) options() compile.Options {
	o := compile.Options{GPU: f.GPU, OptLevel: f.OptLevel, Disabled: f.Disabled}
	if f.Stages > 0 {
		o.PassOptions = map[string]string{scheduling: fmt.Sprintf("prefetch=%d", max(1, f.Stages-1))}
	}
	return o
}
