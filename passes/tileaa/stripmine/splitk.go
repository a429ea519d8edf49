package stripmine

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa/strip"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/pressure"
	"github.com/tilewright/tilewright/passes/machine/budget"
)

// Splits along K make a loop over parts of K, which loads the parts of both operands, each once. Operands get
// smaller. They are in shared memory twice if copies are prefetched, and in registers if a conversion precedes
// the MMA.

// leastK is how many elements of K a part keeps: two steps of most matrix instructions. A part of an MMA alone keeps
// one, since its other dimensions are not split.
const leastK = 32

// A reason to split along K says whether a chain fits after a split: well, or at all; and whether one MMA may be split
// without the rest of its chain.
type reason struct {
	well, atAll func(c *chain, t cut) bool
	alone       bool
}

// inRegisters is for chains that convert operands, which registers do not hold in addition to the accumulators.
var inRegisters = reason{well: fitsRegisters, atAll: func(*chain, cut) bool { return true }}

func fitsRegisters(c *chain, t cut) bool {
	_, fits, _ := c.need(t)
	return fits
}

// inShared is for operands that do not fit the shared memory: in a loop twice, so that the next ones can be prefetched.
var inShared = reason{
	well: func(c *chain, t cut) bool {
		_, loops := ir.LoopLike.Of(c.block.ParentOp())
		return c.fitsShared(t, 2) || !loops && len(t.plans) == 0 && c.fitsShared(t, 1)
	},
	atAll: func(c *chain, t cut) bool { return c.fitsShared(t, 1) },
	alone: true,
}

// fitsShared reports whether there is room for so many stages of each operand that the block loads.
func (c *chain) fitsShared(t cut, stages int64) bool {
	inside, around := c.staged(t)
	return inside*stages+around+budget.SharedSlack <= int64(budget.Of(c.kernel, c.arch).Shared(budget.ForCTA))
}

// fitsSharedAtOnce reports whether there is room for one stage of all operands that a chain loads, in loops of it too.
func (c *chain) fitsSharedAtOnce(t cut) bool {
	parts := c.partsOf(t)
	_, bytes := c.staged(t)
	for _, op := range c.ops {
		for inner := range op.All() {
			bytes += ir.Sum(inner.Results(), func(v ir.Value) int64 { return pressure.Staged(v) / parts(v) })
		}
	}
	return bytes+budget.SharedSlack <= int64(budget.Of(c.kernel, c.arch).Shared(budget.ForCTA))
}

// staged returns the bytes of shared memory of the operands that a chain loads, and of those loaded before loops
// around it for MMAs inside, or made in its block and extracted.
func (c *chain) staged(t cut) (inside, around int64) {
	parts := c.partsOf(t)
	c.kernel.Walk(func(op ir.Op) ir.WalkResult {
		for _, v := range op.Results() {
			switch n := pressure.Staged(v); {
			case n == 0:
			case c.member[op]:
				inside += n / parts(v)
			case op.Block() != c.block && op.Block().Region().IsAncestorOf(c.block.Region()):
				around += n
			}
		}
		return ir.Advance
	})
	for v := range c.extracted {
		if v.Block() == c.block {
			around += v.Type().(*ir.TensorType).NumElements() * int64(tile.ElementBytes(ir.ElementType(v.Type())))
		}
	}
	return inside, around
}

// splitAllK splits MMAs along K if that makes a chain fit, in all blocks of a region, inner ones first.
func (m *miner) splitAllK(r ir.Region, why reason) {
	for b := range r.Blocks() {
		for op := range b.Ops() {
			if _, ok := ir.RegionBranch.Of(op); ok {
				for i := range op.NumRegions() {
					m.splitAllK(op.Region(i), why)
				}
			}
		}
		// Each split makes the K of one chain smaller, so the loop ends.
		for m.made < maxLoops && m.splitK(b, why) {
		}
	}
}

// splitK splits one chain of a block.
func (m *miner) splitK(b ir.Block, why reason) bool {
	if !slices.ContainsFunc(slices.Collect(b.Ops()), tile.IsMMA) {
		return false
	}
	for _, c := range m.chains(b) {
		if !slices.ContainsFunc(c.ops, tile.IsMMA) || why.well(c, cut{}) {
			continue
		}
		p, parts := c.chooseK(why)
		if p == nil && why.alone && !c.staggers() {
			p, parts = c.chooseAlone(why)
		}
		if p == nil {
			continue
		}
		around := b.ParentOp()
		loops := p.emit(parts)
		m.made += len(loops)
		m.forget()
		if _, ok := ir.LoopLike.Of(around); ok && len(loops) == 1 && m.flatten(around, loops[0], parts) {
			return false // the block is gone
		}
		return true
	}
	return false
}

// chooseK returns the plan along a K with which the chain fits in the fewest parts; nil if none makes it fit.
func (c *chain) chooseK(why reason) (best *plan, parts int64) {
	fits := why.well
	// Two stages if possible, else one: without prefetching, but it runs.
	for range 2 {
		if best, parts = c.fewest(fits); best != nil || why.atAll(c, cut{}) {
			return best, parts
		}
		fits = why.atAll
	}
	return nil, 0
}

func (c *chain) fewest(fits func(c *chain, t cut) bool) (best *plan, parts int64) {
	for _, info := range c.list {
		if info.most < 2 || !info.culprit.IsNil() || !c.accumulates(info.id) {
			continue
		}
		p := c.plan(info.id)
		if !p.stuck.IsNil() || len(p.phases) != 1 || len(p.stage) > 0 {
			continue
		}
		for n := int64(2); n <= c.mostK(info) && (best == nil || n < parts); n *= 2 {
			if fits(c, cut{[]*plan{p}, []int64{n}}) {
				best, parts = p, n
			}
		}
	}
	return best, parts
}

// mostK returns into how many parts the K of MMAs may be split along a class.
func (c *chain) mostK(info *class) int64 {
	most := info.most
	for _, op := range c.ops {
		if a, ok := c.axisIn(op, info.id); ok && a.Kind == strip.Summed {
			least := int64(leastK)
			if c.extracted != nil {
				least = int64(c.instruction(op).K)
			}
			most = min(most, extent(op, a.Dims[0])/least)
		}
	}
	return most
}

// accumulates reports whether a class splits the K of an MMA. It may be the columns of another MMA that feeds this
// one: parts of that are then multiplied as they are made.
func (c *chain) accumulates(id int) bool {
	return slices.ContainsFunc(c.ops, func(op ir.Op) bool {
		a, ok := c.axisIn(op, id)
		return ok && a.Kind == strip.Summed
	})
}
