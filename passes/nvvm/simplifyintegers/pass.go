package simplifyintegers

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/integers"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
	"github.com/tilewright/tilewright/passes/property"
)

var (
	numSimplified = passes.NewStatistic("simplified", "operations on integers that became simpler by what is known of their operands")
	numPromised   = passes.NewStatistic("promised", "sums and products that provably do not wrap")
)

// Pass is nvvm-simplify-integers.
var Pass = passes.Register(&passes.Pass{
	Name:     "nvvm-simplify-integers",
	Summary:  "fold constants, leave out masks and narrow comparisons by ranges",
	Doc:      "By what ranges prove, folds what can be one number only, leaves out masks, minima and remainders that change nothing, and compares in 32 bits what was extended. Takes constants and shifts out of comparisons, replaces sums that one number is compared with by a difference, and makes minima of remainders of floor divisions.",
	Requires: []*passes.Property{property.NVVM},
	Destroys: []*passes.Property{property.Canonical},
	Steps:    []passes.Step{{MinOpt: 1}},
	After: []passes.Edge{
		{Pass: "nvvm-unroll-loops", Reason: "counters of unrolled loops are constants"},
	},
	Before: []passes.Edge{
		{Pass: "nvvm-fold-offsets", Reason: "constants pass through extensions of sums that do not wrap"},
		{Pass: "cse#nvvm", Reason: "what promises as much is equal"},
		{Pass: "nvvm-reduce-divisions", Reason: "it replaces remainders"},
	},
	Creates:    []string{"arith"},
	Statistics: []*passes.Statistic{numSimplified, numPromised},
	Uses:       []*passes.Analysis{integers.Ranges.Analysis},
	Run:        run,
})

func run(r *passes.Run) error {
	ranges := integers.Ranges.Get(r)
	s := &simplifier{in: ranges, may: r.May}
	s.countCompared(r.Op)
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		s.visit(op)
		return ir.Advance
	})
	s.sweep()
	r.Add(numSimplified, s.simplified)
	r.Add(numPromised, s.promised)
	return nil
}

// A rule returns what an operation is the same as; a zero Value: it knows nothing.
type rule func(s *simplifier, op ir.Op) ir.Value

var rules = map[*ir.OpDef][]rule{
	arith.AndI:   {(*simplifier).mask},
	arith.OrI:    {(*simplifier).allSet},
	arith.CmpI:   {(*simplifier).narrower, (*simplifier).unshifted, (*simplifier).untruncated, (*simplifier).moved, (*simplifier).difference},
	arith.Select: {(*simplifier).chosen, (*simplifier).floorRemainder},
	arith.MinSI:  {(*simplifier).extreme},
	arith.MinUI:  {(*simplifier).extreme},
	arith.MaxSI:  {(*simplifier).extreme},
	arith.MaxUI:  {(*simplifier).extreme},
	arith.RemSI:  {(*simplifier).whole},
	arith.RemUI:  {(*simplifier).whole},
}

type simplifier struct {
	in                   *intrange.Ranges
	may                  func(what string, op ir.Op) bool
	simplified, promised int
	replaced             []ir.Op
	pairs                map[compared]int // how many comparisons each has
}

// visit simplifies one operation. Those that are replaced stay until the end: ranges are known by value, and a new
// operation may otherwise get the number of one that is gone.
func (s *simplifier) visit(op ir.Op) {
	s.promise(op)
	v := s.constant(op)
	for i, more := 0, rules[op.Def()]; v.IsNil() && i < len(more); i++ {
		v = more[i](s, op)
	}
	if !v.IsNil() && v != op.Result(0) && s.may("simplify", op) {
		op.Result(0).ReplaceAllUsesWith(v)
		s.replaced = append(s.replaced, op)
		s.simplified++
	}
}

// sweep erases what nothing uses any more.
func (s *simplifier) sweep() {
	for len(s.replaced) > 0 {
		op := s.replaced[len(s.replaced)-1]
		s.replaced = s.replaced[:len(s.replaced)-1]
		if op.Erased() || !ir.IsTriviallyDead(op) {
			continue
		}
		for _, v := range op.Operands() {
			if def := v.DefiningOp(); !def.IsNil() {
				s.replaced = append(s.replaced, def)
			}
		}
		op.Erase()
	}
}

// before returns a builder for what takes the place of an operation.
func before(op ir.Op) scalar.Builder { return scalar.Before(op) }

// constantOf returns the integer constant that a value is.
func constantOf(v ir.Value) (*ir.IntegerAttr, bool) {
	c, ok := ir.ConstantValue(v).(*ir.IntegerAttr)
	return c, ok
}
