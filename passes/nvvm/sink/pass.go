package sink

import (
	"iter"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/loops"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/nvvm/crowd"
	"github.com/tilewright/tilewright/passes/property"
)

var numSunk = passes.NewStatistic("sunk", "operations moved down to their uses")

// Pass is nvvm-sink.
var Pass = passes.Register(&passes.Pass{
	Name:     "nvvm-sink",
	Summary:  "move operations down to where their results are used",
	Doc:      "Moves pure operations into the last block that dominates their uses, never into a loop, so that registers are free in between.",
	Requires: []*passes.Property{property.NVVM},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "licm#nvvm", Reason: "what has left a loop goes only as far down as the loop lets it"},
		{Pass: "nvvm-legalize-arith", Reason: "what it writes sinks too"},
		{Pass: "cse#nvvm", Reason: "equal values are one value, whose uses decide"},
	},
	Before:     []passes.Edge{{Pass: "emit-ptx", Reason: "it prints operations where they are"}},
	Statistics: []*passes.Statistic{numSunk},
	Run:        run,
})

// maxBlocks bounds the control-flow graphs that are looked at: nested loops cost the square of their number.
const maxBlocks = 4096

func run(r *passes.Run) error {
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	region := r.Op.Region(0)
	dom := ir.NewDominance()
	blocks := dom.Order(region)
	if len(blocks) > maxBlocks {
		return nil
	}
	s := &sinker{dom: dom, nest: loops.Find(region, dom), may: r.May, registers: budget.Of(r.Op, arch).Registers(budget.ForAnything),
		crowd: crowd.New(r.Op)}
	// A move may have been all that kept the operands of another operation from living longer. Few moves are, so
	// a few rounds find all.
	for _, b := range blocks {
		s.join(b)
	}
	for moved := -1; moved != s.moved; {
		moved = s.moved
		for i := len(blocks) - 1; i >= 0; i-- {
			for op := blocks[i].Last(); !op.IsNil(); {
				above := op.Prev()
				s.sink(op)
				op = above
			}
		}
	}
	for _, b := range blocks {
		s.spread(b)
	}
	for _, b := range blocks {
		s.join(b)
	}
	r.Add(numSunk, s.moved)
	return nil
}

type sinker struct {
	dom   *ir.Dominance
	nest  *loops.Nest
	may   func(what string, op ir.Op) bool
	moved int
	// registers is how many a thread has.
	registers int
	crowd     *crowd.Counter
}

// sink moves an operation down as far as that frees registers.
func (s *sinker) sink(op ir.Op) {
	if !movable(op) || !last(op).IsNil() {
		return
	}
	target := s.target(op)
	if target.IsNil() || target == op.Block() || s.longer(op, target) > widths(op) || !s.may("sink", op) {
		return
	}
	before := target.Last()
	for u := range uses(op) {
		if user := u.Owner(); user.Block() == target && user.IsBeforeInBlock(before) {
			before = user
		}
	}
	for at := before; before.Is(nvvm.WgmmaMma) && !at.IsNil(); at = at.Prev() {
		if at.Is(nvvm.WgmmaFence) { // it comes after what threads compute for the MMA
			before = at
		}
	}
	op.MoveBefore(before)
	s.moved++
}

// movable reports whether an operation does nothing but compute values from others. A constant takes no register until
// it is used.
func movable(op ir.Op) bool {
	return op.NumOperands() > 0 && op.NumRegions() == 0 && ir.IsPure(op) && !op.HasTrait(ir.Terminator) && slices.ContainsFunc(op.Results(), ir.Value.HasUses)
}

// uses iterates over the uses of what an operation computes: one value, or a pair.
func uses(op ir.Op) iter.Seq[ir.Use] {
	return func(yield func(ir.Use) bool) {
		for i := range op.NumResults() {
			for u := range op.Result(i).Uses() {
				if !yield(u) {
					return
				}
			}
		}
	}
}

// target returns the last block that dominates all uses and lies in no more loops than the operation.
func (s *sinker) target(op ir.Op) (b ir.Block) {
	for u := range uses(op) {
		at := u.Owner().Block()
		switch {
		case !s.dom.Reachable(at):
			return op.Block()
		case b.IsNil():
			b = at
		default:
			b = s.dom.CommonDominator(b, at)
		}
	}
	// In a deeper loop it would run in each iteration.
	for b != op.Block() && s.nest.Depth(b) > s.nest.Depth(op.Block()) {
		b = s.dom.IDom(b)
	}
	return b
}

// longer returns the bits of the operands that would have to live longer: those without a use in the target or
// below, except those that move along.
func (s *sinker) longer(op ir.Op, target ir.Block) (bits int) {
	for i, v := range op.Operands() {
		def := v.DefiningOp()
		if !def.IsNil() && def.Is(arith.Constant) || repeated(op, i) {
			continue
		}
		needed := false
		for u := range v.Uses() {
			if other := u.Owner(); other != op && s.dom.BlockDominates(target, other.Block()) {
				needed = true
				break
			}
		}
		if !needed && (def.IsNil() || !v.HasOneUse() || !movable(def)) {
			bits += crowd.Width(v)
		}
	}
	return bits
}

func repeated(op ir.Op, i int) bool {
	for j := range i {
		if op.Operand(j) == op.Operand(i) {
			return true
		}
	}
	return false
}

// widths returns the bits of the registers that the results of an operation take.
func widths(op ir.Op) int { return ir.Sum(op.Results(), crowd.Width) }
