package pipelineloops

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/nest"
)

// Where a loop runs again in another one, its mbarriers are made once, in front of all loops, and their phases go on: each run begins with slot 0, whose mbarrier has then been through a number of phases that depends on how many
// iterations there were. So a word has a bit for each slot, the parity of the phase that is next there; the loops around carry it where they carried the parity of the old mbarrier. A bit changes where its phase has been waited for,
// which happens once for each iteration.

// phases are those of a tally whose mbarriers outlive the loop.
type phases struct {
	carried int   // which of the values that the loop carries has been the parity
	top     ir.Op // the outermost loop
	now     ir.Value
}

// mostPhases is how many bits the word has.
const mostPhases = 32

// findPhases finds the tallies whose phases go on. Where iterations overlap further than by one, a loop may run as it was, with its own mbarrier and parity.
func (x *expansion) findPhases() {
	if !inLoop(x.loop) || x.overlap > 1 {
		return
	}
	taken := make(map[int]bool)
	for _, g := range x.groups {
		if g.tally == nil || g.tally.slots > mostPhases {
			continue
		}
		for _, i := range g.nodes {
			if !x.counts(i) {
				continue
			}
			k := nest.PhasesOf(x.g, x.g.Nodes[i].Op.OperandNamed("mbarrier"))
			if k < 0 || taken[k] {
				continue
			}
			if top, ok := nest.Outermost(x.loop, k); ok {
				g.tally.phases = &phases{carried: k, top: top}
				taken[k] = true
				break
			}
		}
	}
}

// lasting returns the tallies whose phases go on.
func (x *expansion) lasting() (out []*tally) {
	for _, g := range x.groups {
		if g.tally != nil && g.tally.phases != nil {
			out = append(out, g.tally)
		}
	}
	return out
}

// begin takes the phases as the loops around have them.
func (x *expansion) begin() {
	for _, y := range x.lasting() {
		y.phases.now = x.loop.Operand(scf.NumBounds + y.phases.carried)
	}
}

// phase returns the parity of the phase that is next at the slot of the iteration that is waited for, and counts it as gone by.
func (t *turn) phase(y *tally) ir.Value {
	i32 := t.b.Context().Int(32)
	make := func(def *ir.OpDef, v, w ir.Value) ir.Value {
		return t.b.Create(def, []ir.Value{v, w}, []ir.Type{i32}).Result(0)
	}
	one := constant32(t.b, 1)
	now, parity, bit := y.phases.now, y.phases.now, one
	if y.slots > 1 {
		at := t.index(y.slots, y.lead)
		parity, bit = make(arith.ShRUI, now, at), make(arith.ShLI, one, at)
	}
	y.phases.now = make(arith.XOrI, now, bit)
	return make(arith.AndI, parity, one)
}

// index returns the place in a ring of the iteration at a lead.
func (t *turn) index(slots int64, lead int) ir.Value {
	index, ahead := t.slot(slots)
	if ahead = ((ahead+int64(lead))%slots + slots) % slots; t.static {
		return constant32(t.b, ahead)
	} else if ahead == 0 {
		return index
	}
	i32 := index.Type()
	sum := func(n int64) ir.Value {
		return t.b.Create(arith.AddI, []ir.Value{index, constant32(t.b, n)}, []ir.Type{i32}).Result(0)
	}
	fits := arith.NewCmpI(t.b, "ult", index, constant32(t.b, slots-ahead))
	return t.b.Create(arith.Select, []ir.Value{fits, sum(ahead), sum(ahead - slots)}, []ir.Type{i32}).Result(0)
}

// makeLasting makes the mbarriers whose phases go on, in front of all loops.
func (x *expansion) makeLasting() {
	for _, y := range x.lasting() {
		b := ir.BuilderBefore(y.phases.top)
		x.allocateTally(at(b, x.loop), x.groups[slices.IndexFunc(x.groups, func(g *group) bool { return g.tally == y })])
	}
}
