package pipelineloops

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/nest"
)

// A pipelined loop inside another loop can keep its mbarriers: they are created once, before all loops, and their
// phases continue from run to run.
//
// Each run begins with stage 0. The number of phases that its mbarrier has completed depends on earlier trip counts.
// So the outer loops carry a word with one bit for each stage, the parity of its next phase. It replaces the
// loop-carried parity of the old mbarrier. A wait flips the bit of its stage, once per iteration.

// phases are the continuing phases of a fullBarrier.
type phases struct {
	carried int   // index of the loop-carried value that was the parity
	top     ir.Op // the outermost loop
	now     ir.Value
}

// mostPhases is how many bits the word has.
const mostPhases = 32

// findPhases finds the mbarriers whose phases continue. With an overlap the guard may select the unchanged loop, which
// uses its own mbarrier and parity. Without, threads wait for a stage in the iteration that reads it.
func (x *expansion) findPhases() {
	if !ir.InLoop(x.loop) || x.overlap > 0 {
		return
	}
	taken := make(map[int]bool)
	for _, g := range x.groups {
		if g.full == nil || g.full.stages > mostPhases {
			continue
		}
		for _, i := range ir.Filter(g.nodes, x.byTMA) {
			k := x.g.Phases(x.g.Nodes[i].Op.OperandNamed("mbarrier"))
			if top, ok := nest.Outermost(x.loop, k); ok && !taken[k] {
				g.full.phases = &phases{carried: k, top: top}
				taken[k] = true
				break
			}
		}
	}
}

// phase returns the parity of the next phase at the awaited iteration's stage, and flips its bit.
func (t *iteration) phase(y *fullBarrier) ir.Value {
	one := arith.NewI32(t.b, 1)
	now, parity, bit := y.phases.now, y.phases.now, one
	if y.stages > 1 {
		at, _ := t.stage(y.stages)
		parity, bit = arith.New(t.b, arith.ShRUI, now, at), arith.New(t.b, arith.ShLI, one, at)
	}
	y.phases.now = arith.New(t.b, arith.XOrI, now, bit)
	return arith.New(t.b, arith.AndI, parity, one)
}
