package legalizearith

import (
	"maps"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/nvvmprop"
	"github.com/tilewright/tilewright/target/sm"
)

var rewritten = passes.NewStatistic("operations-rewritten", "operations that were replaced by others")

// Pass is nvvm-legalize-arith.
var Pass = passes.Register(&passes.Pass{
	Name:        "nvvm-legalize-arith",
	Summary:     "rewrite arithmetic that the target has no instruction for",
	Doc:         "Computes in wider types what narrow ones lack, without a change in results. The target's architecture decides what is lacking.",
	Requires:    []*passes.Property{property.NVVM},
	Establishes: []*passes.Property{nvvmprop.LegalArith},
	Destroys:    []*passes.Property{property.Canonical},
	After: []passes.Edge{
		{Pass: "nvvm-expand-math", Reason: "what it writes may itself have no instruction on the target"},
	},
	Creates:    []string{"arith", "cf", "nvvm"},
	Statistics: []*passes.Statistic{rewritten},
	Run:        run,
})

func run(r *passes.Run) error {
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	n, err := Legalize(r.Op, arch)
	r.Add(rewritten, n)
	return err
}

// Legalize rewrites a function for an architecture, and returns how many operations it replaced. What a rule
// builds is looked at again (package scalar). So rules may use operations that are not legal either: an i4
// becomes i16 by the rule of i8.
func Legalize(fn ir.Op, arch *sm.Arch) (int, error) {
	l := &legalizer{arch: arch}
	rules := maps.Clone(integerRules)
	maps.Copy(rules, l.floatRules())
	maps.Copy(rules, l.conversionRules())
	maps.Copy(rules, l.atomicRules())
	return scalar.Rewrite(fn, rules)
}

// legalizer knows the target.
type legalizer struct{ arch *sm.Arch }

func keep() (ir.Value, error) { return ir.Value{}, nil }
