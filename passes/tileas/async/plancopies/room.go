package plancopies

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/tileas/analysis/transfers"
)

// An occupant is an operand in shared memory: from its load to the last MMA that may read it.
type occupant struct {
	load, last ir.Op
	bytes      int64
}

// roomFor gives up a copy whose buffer does not fit, or whose source may be in shared memory.
//
// The rest of shared memory is for conversions, reductions and the program's own allocas. Those need it to compile at
// all, whereas a copy as a rule only saves registers, so it yields. An asynchronous MMA reads its operands in shared
// memory, however they come there. A copy then takes no memory that threads would not take, if no two operands are
// live together that were not before, whatever number of CTAs the kernel asks for. In latent attention K and V have
// 128 KiB each, one after the other. Without copies each of them is in 256 registers of a thread on its way.
func (p *planner) roomFor(c *transfers.Copy, why string) (*transfers.Copy, string) {
	if c == nil {
		return nil, why
	}
	// A pointer may point to an alloca in shared memory. TMA and cp.async read global memory only.
	if p.hasAlloca {
		return nil, "the kernel has an alloca: the source may be in shared memory"
	}
	fits := func(used int64, k budget.Kernel) bool {
		return used+c.Buffer.Bytes() <= int64(k.Shared(budget.ForOperands))
	}
	together, async := p.kernel, c.Map != nil && c.ForAsync() // what all operands that are live together may take
	if async {
		together = p.kernel.Alone()
	}
	if fits(p.used[c.Load.Block()], p.kernel) || async && fits(p.liveWith(c, c.Load), together) {
		return c, ""
	}
	if at, chain := p.latest(c); !at.IsNil() && fits(p.liveWith(c, at), together) {
		for _, op := range append([]ir.Op{c.Load}, chain...) {
			op.MoveBefore(at)
		}
		return c, ""
	}
	return nil, fmt.Sprintf("its buffer of %d bytes does not fit beside the others", c.Buffer.Bytes())
}

// latest returns the first MMA that takes the tile of a load, and what stands between them; a zero Op if the load cannot
// wait for that. It can if it is weak, and if the buffers of its loop have no second stage anyway: then nothing is
// prefetched. In latent decoding, V then has the memory that K had, and waits in no registers meanwhile.
func (p *planner) latest(c *transfers.Copy) (at ir.Op, chain []ir.Op) {
	load := c.Load
	if tile.IsOrdered(load) || 2*p.used[load.Block()] <= p.room(budget.ForCTA) {
		return at, nil
	}
	work := ir.NewWorklist(load)
	for op := range work.All() {
		for _, u := range slices.Collect(op.Result(0).Uses()) {
			switch user := u.Owner(); {
			case user.Block() != load.Block():
				return ir.Op{}, nil
			case tileas.IsMMA(user):
				at = ir.Earliest(at, user)
			case ir.IsPure(user) && len(ir.Filter(user.Operands(), ir.IsTensor)) == 1 && user.NumResults() == 1:
				work.Add(user)
				chain = append(chain, user)
			default:
				return ir.Op{}, nil
			}
		}
	}
	for u := range load.Result(1).Uses() { // operations that are ordered after the load
		if top := u.Owner().AncestorIn(load.Block().Region()); at.IsNil() || top.IsNil() || top.Block() != load.Block() || top.IsBeforeInBlock(at) {
			return ir.Op{}, nil
		}
	}
	chain = ir.Filter(chain, func(op ir.Op) bool { return op.IsBeforeInBlock(at) })
	slices.SortFunc(chain, ir.Op.CompareInBlock)
	return at, chain
}

// room returns the bytes of shared memory for a purpose.
func (p *planner) room(purpose *budget.Shared) int64 { return int64(p.kernel.Shared(purpose)) }

// occupy notes what a load keeps in shared memory.
func (p *planner) occupy(load ir.Op, bytes int64) {
	p.occupants = append(p.occupants, occupant{load, lastReader(load), bytes})
}

// liveWith returns the bytes of the operands that are in shared memory at some time while that of a copy is, if it starts
// at an operation.
func (p *planner) liveWith(c *transfers.Copy, at ir.Op) int64 {
	own := occupant{load: at, last: lastReader(c.Load)}
	together := ir.Filter(p.occupants, func(o occupant) bool { return o.around(own.load) || own.around(o.load) })
	return ir.Sum(together, func(o occupant) int64 { return o.bytes })
}

// around reports whether an operation is executed while the operand is in shared memory.
func (o occupant) around(op ir.Op) bool {
	top := op.AncestorIn(o.load.Block().Region())
	return !top.IsNil() && top.Block() == o.load.Block() && !top.IsBeforeInBlock(o.load) && !o.last.IsBeforeInBlock(top)
}

// lastReader returns the last operation in the block of a load that the tile must be in shared memory for. An MMA is in
// flight until something other than an MMA takes its accumulator.
func lastReader(load ir.Op) ir.Op {
	last, block := load, load.Block()
	work := ir.NewWorklist(load.Result(0))
	for v := range work.All() {
		for u := range v.Uses() {
			op := u.Owner()
			if top := op.AncestorIn(block.Region()); !top.IsNil() && last.IsBeforeInBlock(top) {
				last = top
			}
			def := v.DefiningOp()
			if tileas.IsMMA(op) || !tileas.IsMMA(def) && (op.Is(tileas.ConvertLayout) || op.Is(tileas.Level.Permute) || op.Is(tileas.Level.Reshape) || op.Is(arith.FToF)) {
				work.Add(op.Result(0))
			}
		}
	}
	return last
}
