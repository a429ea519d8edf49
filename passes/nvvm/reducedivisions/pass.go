package reducedivisions

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/integers"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
	"github.com/tilewright/tilewright/passes/property"
)

var (
	numNarrowed   = passes.NewStatistic("narrowed", "divisions that became simpler by what is known of their operands")
	numShared     = passes.NewStatistic("shared", "remainders computed from the quotient of the same numbers")
	numMultiplied = passes.NewStatistic("multiplied", "divisions that became multiplications, with a multiplier that is computed once")
	numTested     = passes.NewStatistic("tested", "divisions of 64 bits that first test whether 32 do")
)

// Pass is nvvm-reduce-divisions.
var Pass = passes.Register(&passes.Pass{
	Name:     "nvvm-reduce-divisions",
	Summary:  "reduce integer divisions to cheaper ones",
	Doc:      "Divides in fewer bits and without signs where ranges prove it, multiplies instead of dividing by invariant numbers, and tests whether 64-bit numbers fit in 32 bits.",
	Requires: []*passes.Property{property.NVVM},
	Destroys: []*passes.Property{property.Canonical},
	Steps:    []passes.Step{{MinOpt: 1}},
	After: []passes.Edge{
		{Pass: "nvvm-expand-math", Reason: "what it writes divides, too"},
		{Pass: "cse#nvvm", Reason: "equal divisions are made once"},
	},
	Before: []passes.Edge{
		{Pass: "nvvm-legalize-arith", Reason: "it rounds by corrections, which hide what is divided, and knows no ranges"},
		{Pass: "licm#nvvm", Reason: "parts of what a division becomes may not change in a loop"},
	},
	Creates:    []string{"arith", "cf"},
	Statistics: []*passes.Statistic{numNarrowed, numShared, numMultiplied, numTested},
	Uses:       []*passes.Analysis{integers.Ranges.Analysis},
	Run:        run,
})

// divisions are the operations of the pass; all have two operands of one type, which is that of the result.
var divisions = []*ir.OpDef{arith.DivSI, arith.DivUI, arith.RemSI, arith.RemUI, arith.CeilDivSI, arith.CeilDivUI, arith.FloorDiv}

func run(r *passes.Run) error {
	found := find(r.Op)
	if len(found) == 0 {
		return nil
	}
	ranges := integers.Ranges.Get(r)
	d := &divider{ranges: ranges, may: r.May}
	shared, tested, multiplied := d.reduce(r.Op, found)
	r.Add(numNarrowed, d.narrowed)
	r.Add(numShared, shared)
	r.Add(numTested, tested)
	r.Add(numMultiplied, multiplied)
	return nil
}

// Reduce replaces the divisions in a function by cheaper ones.
func Reduce(fn ir.Op) {
	d := &divider{ranges: intrange.Analyze(fn), may: func(string, ir.Op) bool { return true }}
	d.reduce(fn, find(fn))
}

// find returns the divisions in a function, except those by 0 and of half a byte.
func find(fn ir.Op) (found []ir.Op) {
	fn.Walk(func(op ir.Op) ir.WalkResult {
		if slices.Contains(divisions, op.Def()) && ir.BitWidth(op.Result(0).Type()) > 4 && !arith.IsInt(op.Operand(1), 0) {
			found = append(found, op)
		}
		return ir.Advance
	})
	return found
}

// A divider replaces divisions by cheaper ones, step by step.
type divider struct {
	ranges   *intrange.Ranges
	left     []pending
	scaled   []pending // by a constant, of dividends that are not the largest number
	narrowed int
	may      func(what string, op ir.Op) bool // passes.Run.May
}

// A pending division is one towards zero, or its remainder, by a number that is not constant, in 32 or 64 bits.
type pending struct {
	op   ir.Op
	most uint64 // what the dividend is at most, as an unsigned number
}

func (d *divider) reduce(fn ir.Op, found []ir.Op) (shared, tested, multiplied int) {
	// In this order: ranges hold for the program's values only; quotients are shared as divisions; tests create divisions
	// of 32 bits, which may then be multiplied.
	for _, op := range found {
		d.simplify(op)
	}
	shared = d.shareQuotients(fn.Region(0))
	for _, p := range d.scaled {
		by := intrange.OfConstant(p.op.Operand(1).Type(), ir.ConstantValue(p.op.Operand(1)))
		p.op.Result(0).ReplaceAllUsesWith(scalar.Before(p.op).DivideUnsigned(p.op.Operand(0), by.UMin, p.most))
		p.op.Erase()
	}
	tested = d.testLong(fn.Region(0))
	multiplied = d.multiply(fn.Region(0))
	return shared, tested, multiplied
}
