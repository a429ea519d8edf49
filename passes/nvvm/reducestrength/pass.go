package reducestrength

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/loops"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/property"
)

var (
	numStepped  = passes.NewStatistic("stepped", "addresses that a loop carries and steps")
	numCounters = passes.NewStatistic("stage-counters", "counters of stages that count in bytes")
	numFolded   = passes.NewStatistic("folded", "conditions of loops that limits stand for")
)

// Pass is nvvm-reduce-strength.
var Pass = passes.Register(&passes.Pass{
	Name:     "nvvm-reduce-strength",
	Summary:  "strength-reduce addresses in loops",
	Doc:      "Carries addresses that grow by the same step in each iteration, has counters of stages count in bytes, and lets limits stand for conditions from outside of a loop.",
	Requires: []*passes.Property{property.NVVM},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "cse#nvvm", Reason: "equal addresses are stepped once"},
		{Pass: "licm#nvvm", Reason: "what does not change in a loop is no part of what steps"},
		{Pass: "nvvm-legalize-arith", Reason: "its sequences multiply counters too"},
	},
	Before:     []passes.Edge{{Pass: "nvvm-sink", Reason: "where a loop's first address is computed may be far above it"}},
	Statistics: []*passes.Statistic{numStepped, numCounters, numFolded},
	Run:        run,
})

func run(r *passes.Run) error {
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	room := budget.Of(r.Op, arch).Registers(budget.ForCounted)
	dom := ir.NewDominance()
	region := r.Op.Region(0)
	nest := loops.Find(region, dom)
	stepped, counters, folded := 0, 0, 0
	for _, l := range nest.Loops {
		c, ok := counted(nest, l, dom)
		if !ok {
			continue
		}
		c.may = r.May
		// Before addresses: a stage in bytes leaves no multiplication to step.
		counters += c.scaleStageCounters()
		counters += c.carryStagesBefore()
		stepped += c.stepAddresses(room)
		folded += c.foldConditions(room)
	}
	r.Add(numStepped, stepped)
	r.Add(numCounters, counters)
	r.Add(numFolded, folded)
	if stepped+counters+folded > 0 {
		sweep(dom.Order(region))
	}
	return nil
}

// factor returns the constant by which a multiplication of 64 bits multiplies, if it is constant.
func factor(op ir.Op) (int64, bool) {
	if op.IsNil() || !op.Is(arith.MulI) || ir.BitWidth(op.Result(0).Type()) != 64 {
		return 0, false
	}
	return constant(op.Operand(1))
}

// A carrier is an innermost loop that can be made to carry more values. It is entered by one branch and continued
// by one branch, and both have no other successors.
type carrier struct {
	nest  *loops.Nest
	dom   *ir.Dominance
	loop  *loops.Loop
	entry ir.Op // the branch to the header from outside
	latch ir.Op // the branch back to it

	amounts map[step]ir.Value
	may     func(what string, op ir.Op) bool // passes.Run.May
}

func counted(nest *loops.Nest, l *loops.Loop, dom *ir.Dominance) (*carrier, bool) {
	entry := nest.Preheader(l, dom)
	if entry.IsNil() || !entry.Is(cf.Br) || len(l.Inner) > 0 || len(l.Latches) != 1 {
		return nil, false
	}
	latch := l.Latches[0].Last()
	return &carrier{nest: nest, dom: dom, loop: l, entry: entry, latch: latch, amounts: make(map[step]ir.Value)}, latch.Is(cf.Br)
}

// inside reports whether a value is defined in the loop.
func (c *carrier) inside(v ir.Value) bool { return c.nest.Contains(c.loop, v.Block()) }

// sweep erases dead operations of blocks, which come dominators first.
func sweep(blocks []ir.Block) {
	for _, b := range slices.Backward(blocks) {
		for op := b.Last(); !op.IsNil(); {
			above := op.Prev()
			if !op.HasTrait(ir.Terminator) && ir.IsTriviallyDead(op) {
				op.Erase()
			}
			op = above
		}
	}
}
