package cli

import (
	"fmt"
	"io"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline"
)

// Dumps are the flags with which tools print the IR between passes: MLIR's, so that they mean the same in each tool.
type Dumps struct {
	before, after                                          []string
	beforeAll, afterAll, afterChange, afterFailure, module bool
	tree, diff                                             string
}

// Define adds the flags.
func (d *Dumps) Define(fs *pflag.FlagSet) {
	fs.StringSliceVar(&d.before, "print-before", nil, "print the IR before these `PASSES`")
	fs.StringSliceVar(&d.after, "print-after", nil, "print the IR after these `PASSES`")
	fs.BoolVar(&d.beforeAll, "print-before-all", false, "print the IR before each pass")
	fs.BoolVar(&d.afterAll, "print-after-all", false, "print the IR after each pass")
	fs.BoolVar(&d.afterChange, "print-after-change", false, "print the IR after a pass only if it changed something")
	fs.BoolVar(&d.afterFailure, "print-after-failure", false, "print the IR after a pass only if it failed")
	fs.BoolVar(&d.module, "print-module-scope", false, "print the outermost operation, not that which the pass ran on")
	fs.StringVar(&d.diff, "print-ir-diff", "", "print what each pass changed, as a unified diff, instead of the IR after it, in `auto|plain|colour`; auto: in colour on a terminal, unless NO_COLOR is set")
	fs.Lookup("print-ir-diff").NoOptDefVal = "auto"
	fs.StringVar(&d.tree, "print-ir-tree-dir", "", "print the IR to files in `DIR`, by operation and pass")
}

// Passes are the passes that the flags name; whether they exist the tool knows.
func (d *Dumps) Passes() []string { return append(append([]string(nil), d.before...), d.after...) }

// Any reports whether the flags ask for a dump.
func (d *Dumps) Any() bool { return d.some() || d.tree != "" }

func (d *Dumps) some() bool {
	return d.beforeAll || d.afterAll || d.afterChange || d.afterFailure || d.before != nil || d.after != nil || d.diff != ""
}

// PrintIR returns the instrument that the flags ask for, or nil. A folder alone asks for all that there is.
func (d *Dumps) PrintIR(w io.Writer, print func(w io.Writer, op ir.Op) error) *pipeline.PrintIR {
	if !d.Any() {
		return nil
	}
	out := &pipeline.PrintIR{W: w, Print: print, Before: d.before, After: d.after, BeforeAll: d.beforeAll, AfterAll: d.afterAll || !d.some(),
		OnlyChanged: d.afterChange, OnlyFailed: d.afterFailure, ModuleScope: d.module, Tree: d.tree}
	if d.diff != "" {
		out.Diff = &pipeline.Diff{Context: pipeline.DefaultContext, Colour: d.diff == "colour" || d.diff == "auto" && d.tree == "" && Colours(w)}
	}
	return out
}

// Check returns what is wrong with the flags.
func (d *Dumps) Check() error {
	switch {
	case d.diff != "" && d.diff != "auto" && d.diff != "plain" && d.diff != "colour":
		return fmt.Errorf("--print-ir-diff must be auto, plain or colour, but got '%s'", d.diff)
	case d.diff != "" && (d.beforeAll || d.before != nil):
		return fmt.Errorf("--print-ir-diff is of the IR after passes, and cannot be combined with --print-before")
	}
	return nil
}
