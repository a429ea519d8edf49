package schedule

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/target/sm"
)

// MostTurns bounds how far hints and options can make something run ahead: each turn is code in front of the loop.
const MostTurns = 16

const (
	// stretched is by how much a latency measured on an idle machine is stretched, in quarters: other tile blocks use the same memory. It is an estimate. The hint latency, from 1 (little traffic) to 10, says it
	// for a load: from 1 to 3 1/4 times, so that 3 is what is taken without one.
	stretched, unstretched = 6, 3
	// mostCopies is how many turns copies run ahead at most: each is code in front of the loop, and when so many are needed the tile is small, so that other tile blocks hide the latency too.
	mostCopies = 4
	// mostLoads is how many turns loads to registers run ahead at most: ptxas gives each further turn registers that a kernel of small tiles has not.
	mostLoads = 1
)

// leads decides how many turns copies run ahead.
type leads struct {
	latency int // cycles until the last copy has arrived
	most    int
	asked   int // by the kernel
	fixed   int // by the options of the pass; 0: not at all
}

// newLeads decides for a shape of which Behind is known.
func newLeads(g *ddg.Graph, l Limits, behind int) (d leads, err error) {
	bytes, ahead, transfer, computes := 0, 0, 0, false
	for _, n := range g.Nodes {
		computes = computes || n.Role == ddg.Compute
		if n.Role == ddg.Ahead {
			ahead++
			transfer += n.Timing.Busy[sm.UnitGlobal]
			d.latency = max(d.latency, (n.Timing.Latency-n.Timing.Busy[sm.UnitGlobal])*stretch(n.Op)/quarters)
		}
	}
	d.latency += transfer * stretched / quarters // they share the way
	for _, b := range g.Buffers {
		if g.Nodes[b.Copy].Role == ddg.Ahead {
			bytes += SlotBytes(b)
		}
	}
	switch {
	case ahead == 0:
		return d, fmt.Errorf("nothing in it can run ahead: %s", stuck(g))
	case !computes:
		return d, fmt.Errorf("it computes nothing from what it loads, so that there is nothing to run ahead of")
	case l.Stages == 1:
		return d, fmt.Errorf("the kernel asks for one stage; with 2 or more its loads would run ahead")
	case bytes == 0:
		d.most, d.fixed = max(mostLoads, l.Lead), l.Lead
		return d, nil
	}
	besides := max(1, behind) // slots besides those that copies run ahead in
	d.most = min(l.Shared/bytes-besides, max(mostCopies, min(l.Stages-1, MostTurns), l.Lead))
	if d.most < 1 {
		return d, fmt.Errorf("%s slots of its buffers need %d bytes of shared memory, and %d are left; smaller tiles would fit", numerals[besides+1], (besides+1)*bytes, l.Shared)
	}
	d.asked, d.fixed = l.Stages, l.Lead
	if l.Lead > d.most {
		return d, fmt.Errorf("%d slots of its buffers need %d bytes of shared memory, and %d are left", l.Lead+besides, (l.Lead+besides)*bytes, l.Shared)
	}
	return d, nil
}

var numerals = [...]string{2: "two", 3: "three"}

// stretch returns by how much the latency of an access is stretched, in quarters.
func stretch(op ir.Op) int {
	if n, ok := op.IntAttr(tile.AttrLatency); ok {
		return int(n) + unstretched
	}
	return stretched
}

// quarters is what factors of latencies are counted in.
const quarters = 4

// at returns the turns for an II in cycles.
func (d leads) at(ii int) int {
	n := (d.latency + ii - 1) / ii
	if d.asked > 0 {
		n = d.asked - 1
	}
	if d.fixed > 0 {
		n = d.fixed
	}
	return min(max(1, n), d.most)
}

// stuck says why no access of a loop runs ahead, and what would change that.
func stuck(g *ddg.Graph) string {
	for _, n := range g.Nodes {
		op := n.Op
		switch {
		case tileas.IsCopy(op):
			return "where '" + op.Name() + "' copies from depends on what the loop computes, or its buffer is written elsewhere too"
		case loads(op) && tile.IsOrdered(op):
			return "'" + op.Name() + "' has an order with other threads; a weak load could run ahead"
		case loads(op) && !g.Rests(op):
			return "where '" + op.Name() + "' loads from depends on what the loop computes; an address or a token that rests on the counter alone would change that"
		case loads(op):
			return "'" + op.Name() + "' loads elements one by one, each of which would keep a register for a turn; elements that are known to be neighbours and aligned would change that"
		}
	}
	for _, n := range g.Nodes {
		if ir.MayRead(n.Op) {
			return "'" + n.Op.Name() + "' stays where it is"
		}
	}
	return "it loads nothing"
}

func loads(op ir.Op) bool { return op.Is(tileas.Level.TiledLoad) || op.Is(tileas.Level.Load) }
