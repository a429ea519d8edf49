package plancopies

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/cost"
	"github.com/tilewright/tilewright/passes/tileas/copies"
	"github.com/tilewright/tilewright/target/sm"
)

// planTile returns the copy of a tile that threads compute with, or why it passes registers; with neither, nothing was to decide.
//
// A load by threads is what such a kernel has anyway, so that it has a reason only where a copy could be, and does not pay.
func (p *planner) planTile(load ir.Op) (c *copies.Copy, why string) {
	if !p.tensors || !p.gathers(load) {
		return nil, ""
	}
	if c, why = copies.PlanTile(load, p.warps, p.ranges); c == nil {
		return nil, why
	}
	return p.roomFor(p.worthTile(c))
}

// Cycles by which a tensor copy is later than loads by threads when nothing runs beside it: the mbarrier is made and waited for, the machine reads the map and makes addresses, and the tile comes out of shared memory.
func lateness(arch *sm.Arch) int {
	const machine = 150 // as in package cost: an estimate
	m := arch.Memory()
	return machine + m.Shared + m.Barrier
}

// worthTile gives up a copy that costs more issue slots than loads by threads, or, outside of loops, gains fewer than it comes later.
//
// In a loop copies run ahead without a register, so that what they are late is hidden. Outside, bounds of single elements are what makes loads by threads dear, and conversions of layouts, as in front of reductions along rows;
// tileiras 13.5 has TMA there too, and none in plain copies and transposes of whole tiles.
func (p *planner) worthTile(c *copies.Copy) (*copies.Copy, string) {
	if p.anything {
		return c, ""
	}
	m := cost.NewModel(p.arch, p.warps)
	by := m.Of(c.Load).Busy[sm.UnitIssue]
	for _, v := range c.Views {
		by += m.Of(v).Busy[sm.UnitIssue]
	}
	perPart := (p.warps + 3) / 4
	with := m.CopyByMap(int(c.Buffer.TileBytes()), len(c.Boxes.Places)).Busy[sm.UnitIssue] + (c.Cost.Instructions+waits)*perPart
	gain, in := by-with, loop(c.Load)
	switch late := lateness(p.arch); {
	case gain <= 0:
		return nil, fmt.Sprintf("threads compute with it, and load it in %d issue slots, a copy and loads from its buffer take %d", by, with)
	case in.IsNil() && gain < late:
		return nil, fmt.Sprintf("it gains %d issue slots, and comes about %d cycles later", gain, late)
	case p.device || c.Built != nil:
		if why := copies.PaysBy(gain, c.Load, c.Built, p.arch, p.ranges); why != "" {
			return nil, why
		}
	}
	return c, ""
}

// waits is how many instructions of each warp a wait for a copy takes, with the barrier that lets the buffer be filled again.
const waits = 3

// loop returns the innermost loop that counts around an operation, in its own frame.
func loop(op ir.Op) ir.Op {
	for p := op.ParentOp(); !p.Is(tileas.Level.Func); p = p.ParentOp() {
		if p.Is(scf.For) {
			return p
		}
	}
	return ir.Op{}
}
