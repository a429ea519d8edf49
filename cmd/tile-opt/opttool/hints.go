package opttool

import (
	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// HintFlags adds the flags of the reference tools about unknown optimization hints. By default such hints are ignored.
// -Wunsupported-hints warns about them, and -Werr-hints turns the warnings into errors.
func HintFlags(fs *pflag.FlagSet) func(ir.Op) bool {
	warn := fs.Bool("Wunsupported-hints", false, "warn about optimization hints that are not supported")
	reject := fs.Bool("Werr-hints", false, "with -Wunsupported-hints: reject them")
	return func(root ir.Op) bool {
		accepted := true
		if !*warn {
			return accepted
		}
		engine := root.Context().Diag
		root.Walk(func(op ir.Op) ir.WalkResult {
			problems := cudatile.HintProblems(op)
			for _, p := range problems {
				d := op.Errorf("%s", p)
				d.Severity = ir.Warning
				engine.Emit(d)
			}
			if problems != nil && *reject {
				engine.Emit(op.Errorf("Optimization hints verification failed"))
				accepted = false
			}
			return ir.Advance
		})
		return accepted
	}
}
