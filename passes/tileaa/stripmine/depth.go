package stripmine

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tileaa/strip"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/pressure"
)

// Cuts along the depth of products: a loop over parts of it, which loads parts of both factors, each once. They make factors small, which lie in shared memory twice where copies run ahead, and what of them is converted on its way there.

const (
	// leastDepth is how many elements of the depth a part keeps: two steps of most matrix instructions.
	leastDepth = 32
	// otherShared is what is left of the shared memory, as the scheduler leaves it (package schedule): with more, two slots of 48 KiB would not fit the 99 KiB that a tile block of sm_86 or sm_120 may have.
	otherShared = 1 << 10
)

// A reason to cut along the depth is whether a chain that is cut so fits, well or at all.
type reason struct{ well, atAll func(c *chain, t cut) bool }

// inRegisters is for what converts whole factors, which registers do not hold beside the sums.
var inRegisters = reason{well: fitsRegisters, atAll: func(*chain, cut) bool { return true }}

func fitsRegisters(c *chain, t cut) bool {
	_, fits, _ := c.need(t)
	return fits
}

// inShared is for factors that do not fit the shared memory: twice in a loop, so that the next ones are copied meanwhile.
var inShared = reason{
	well: func(c *chain, t cut) bool {
		_, loops := ir.LoopLike.Of(c.block.ParentOp())
		return c.fitsShared(t, 2) || !loops && len(t.plans) == 0 && c.fitsShared(t, 1)
	},
	atAll: func(c *chain, t cut) bool { return c.fitsShared(t, 1) },
}

// fitsShared reports whether there is room for so many slots of each factor that is loaded in the block.
func (c *chain) fitsShared(t cut, slots int64) bool {
	inside, around := c.staged(t)
	return inside*slots+around+otherShared <= int64(c.arch.SharedPerCTA(contract.KernelSpecOf(c.kernel).Occupancy))
}

// staged returns the bytes of shared memory of the factors that a chain loads, and of those that are loaded in front of loops around it for products inside.
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
	return inside, around
}

// cutDepths cuts products along their depth, where that makes a chain fit that does not, in all blocks of a region, inner ones first.
func (m *miner) cutDepths(r ir.Region, why reason) {
	for b := range r.Blocks() {
		for op := range b.Ops() {
			if _, ok := ir.RegionBranch.Of(op); ok {
				for i := range op.NumRegions() {
					m.cutDepths(op.Region(i), why)
				}
			}
		}
		for m.made < maxLoops && m.cutDepth(b, why) {
		}
	}
}

// cutDepth cuts one chain of a block.
func (m *miner) cutDepth(b ir.Block, why reason) bool {
	if !slices.ContainsFunc(slices.Collect(b.Ops()), isProduct) {
		return false
	}
	for _, c := range m.chains(b) {
		if !slices.ContainsFunc(c.ops, isProduct) || why.well(c, cut{}) {
			continue
		}
		p, parts := c.chooseDepth(why)
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

// chooseDepth returns the plan along a depth with which the chain fits in the fewest parts; nil where none makes it fit.
func (c *chain) chooseDepth(why reason) (best *plan, parts int64) {
	fits := why.well
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
		if info.most < 2 || !info.culprit.IsNil() || !c.sums(info.id) {
			continue
		}
		p := c.plan(info.id)
		if !p.stuck.IsNil() || len(p.phases) != 1 || len(p.stage) > 0 {
			continue
		}
		for n := int64(2); n <= c.mostDepths(info) && (best == nil || n < parts); n *= 2 {
			if fits(c, cut{[]*plan{p}, []int64{n}}) {
				best, parts = p, n
			}
		}
	}
	return best, parts
}

// mostDepths returns into how many parts the depth of products may be cut along a class.
func (c *chain) mostDepths(info *class) int64 {
	most := info.most
	for _, op := range c.ops {
		if a, ok := c.axisIn(op, info.id); ok && a.Kind == strip.Summed {
			most = min(most, extent(op, a.Dims[0])/leastDepth)
		}
	}
	return most
}

// sums reports whether a class cuts the depth of a product. It may be the columns of another one, which feeds that: parts of it then are multiplied as they are made.
func (c *chain) sums(id int) bool {
	return slices.ContainsFunc(c.ops, func(op ir.Op) bool {
		a, ok := c.axisIn(op, id)
		return ok && a.Kind == strip.Summed
	})
}
