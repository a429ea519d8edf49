package plancopies

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/arith"
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
	fits := func(used int64, k budget.Kernel) bool {
		return used+c.Buffer.Bytes() <= int64(k.Shared(budget.ForOperands))
	}
	switch {
	case c == nil:
		return nil, why
	// A pointer may point to an alloca in shared memory. TMA and cp.async read global memory only.
	case p.hasAlloca:
		return nil, "the kernel has an alloca: the source may be in shared memory"
	case fits(p.used[c.Load.Block()], p.kernel), c.Map != nil && c.ForAsync() && fits(p.liveWith(c), p.kernel.Alone()):
		return c, ""
	}
	return nil, fmt.Sprintf("its buffer of %d bytes does not fit beside the others", c.Buffer.Bytes())
}

// room returns the bytes of shared memory for a purpose.
func (p *planner) room(purpose *budget.Shared) int64 { return int64(p.kernel.Shared(purpose)) }

// occupy notes what a load keeps in shared memory.
func (p *planner) occupy(load ir.Op, bytes int64) {
	p.occupants = append(p.occupants, occupant{load, lastReader(load), bytes})
}

// liveWith returns the bytes of the operands that are in shared memory at some time while that of a copy is.
func (p *planner) liveWith(c *transfers.Copy) int64 {
	own := occupant{load: c.Load, last: lastReader(c.Load)}
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
