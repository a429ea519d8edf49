package plancopies

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/tma"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/machine/cost"
	"github.com/tilewright/tilewright/passes/tileas/analysis/transfers"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
	"github.com/tilewright/tilewright/passes/tileas/machine/price"
	"github.com/tilewright/tilewright/target/sm"
)

// planTile returns the copy of a tile that threads compute with, or why the tile goes through registers. With neither,
// there was nothing to decide.
//
// Registers are the normal way for such a kernel. So there is a reason only where TMA is possible and not profitable.
func (p *planner) planTile(load ir.Op) (c *transfers.Copy, why string) {
	if !p.tensors || !p.gathers(load) {
		return nil, ""
	}
	if c, why = transfers.PlanTile(load, p.warps, p.ranges); c == nil {
		return nil, why
	}
	return p.roomFor(p.worthTile(c))
}

// worthTile gives up a TMA load that costs more issue slots than loads by threads, or, outside of loops, saves fewer
// cycles than it adds as latency.
//
// In a loop a TMA load is prefetched and needs no register for it, so its latency is hidden. Outside of loops TMA is
// profitable where threads would test the bounds of single elements, or would convert the layout before a reduction
// along rows. In the same places tileiras 13.5 uses TMA, but not in plain copies
// and transposes of full tiles.
func (p *planner) worthTile(c *transfers.Copy) (*transfers.Copy, string) {
	if p.opts.Anything {
		return c, ""
	}
	m := price.NewModel(p.arch, p.warps)
	by := ir.Sum(append([]ir.Op{c.Load}, c.Views...), func(op ir.Op) int { return m.Of(op).Busy[sm.UnitIssue] })
	// An SM has four schedulers, and each issues for a quarter of the warps.
	perScheduler := (p.warps + 3) / 4
	in, each := c.Load.ParentOf(scf.For), c.Cost.Instructions
	if in.IsNil() || !p.mayHand(in) {
		each += waits
	}
	with := m.CopyByMap(int(c.Buffer.TileBytes()), len(c.Boxes.Places)).Busy[sm.UnitIssue] + each*perScheduler
	// Threads wait for the mbarrier, the TMA unit reads the map, and threads load the tile from shared memory.
	gain, late := by-with, m.Memory.Barrier+p.arch.Async().BulkMore+m.Memory.Shared
	if p.device {
		late += cost.WaitForMap(p.arch)
	}
	switch {
	case gain <= 0:
		return nil, fmt.Sprintf("a load to registers takes %d issue slots, TMA with loads from its buffer takes %d", by, with)
	case !in.IsNil() && transfers.FollowsThreads(c.Load, in):
		return nil, "in the same loop, threads write what it may read: TMA would need a fence in each iteration"
	case in.IsNil() && gain < late:
		return nil, fmt.Sprintf("TMA saves %d issue slots, but adds about %d cycles of latency", gain, late)
	case p.device || c.Built != nil:
		if why := tma.PaysBy(gain, c.Load, c.Built, p.arch, p.ranges); why != "" {
			return nil, why
		}
	}
	return c, ""
}

// waits is how many instructions per warp a wait for a copy takes, including the barrier that lets the buffer be
// filled again. Beside MMAs of an MMA warp, threads also wait for what they load to registers: nothing prefetches that.
const waits = 3

// mayHand reports whether a loop may have an MMA warp to which threads hand operands: with MMAs in TMEM of one CTA each,
// and room for a stage of all their operands.
func (p *planner) mayHand(loop ir.Op) bool {
	mmas := loop.Collect(func(op ir.Op) bool { return tileas.IsMMA(op) && instr.InTMEM(op) })
	bytes := ir.Sum(mmas, func(op ir.Op) int64 { return tile.Bytes(op.Operand(0).Type()) + tile.Bytes(op.Operand(1).Type()) })
	pairs := slices.ContainsFunc(mmas, func(op ir.Op) bool { return op.HasUnitAttr(tile.AttrTwoCTAs) })
	return len(mmas) > 0 && !pairs && bytes <= p.room(budget.ForOperands)
}
