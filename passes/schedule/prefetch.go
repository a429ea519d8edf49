package schedule

import (
	"cmp"
	"fmt"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
	"github.com/tilewright/tilewright/target/sm"
)

// MostIterations bounds the prefetch distance that hints and options may ask for: each iteration is code in the
// prologue.
const MostIterations = 16

const (
	// stretched is the factor for a latency measured on an idle machine, in quarters. Other CTAs use the same memory,
	// so the latency is 6/4 as long; an estimate. The hint `latency` of a load, from 1 (little traffic) to 10, sets
	// the factor to 1 + (hint - 1)/4. The default is a hint of 3.
	stretched, unstretched = 6, 3
	// mostCopies is the largest prefetch distance of copies without a hint: each iteration is code in the prologue.
	// When more would be needed the tile is small, and other CTAs hide the latency too.
	mostCopies = 4
	// mostIndices bounds Shape.Index. A copy that now and then waits for its address costs less than a longer
	// prologue.
	mostIndices = 2
	// mostLoads is the prefetch distance of loads to registers. ptxas allocates registers for each further iteration,
	// which kernels of small tiles do not have.
	mostLoads = 1
)

// A prefetcher computes the prefetch distance of copies from II.
type prefetcher struct {
	latency int // cycles until the last copy is complete
	idle    int // the same on an idle machine
	indices int // cycles until the last address is loaded; 0: none is
	most    int
	asked   int // for by the pass option, or else by the stages that the kernel asks for; 0: none is
	// exactly says that no shorter distances are tried. They let iterations overlap, and those of MMAs in TMEM then
	// take more of its columns, which a problem does not count.
	exactly bool
}

// newPrefetcher computes what prefetch distances a loop may have, given Shape.Drain.
func newPrefetcher(g *ddg.Graph, l Limits, after int) (d prefetcher, err error) {
	ahead, transfer, computes := 0, 0, false
	for i, n := range g.Nodes {
		d.exactly = d.exactly || instr.InTMEM(n.Op)
		computes = computes || n.Role == ddg.Compute
		if n.Role == ddg.Ahead {
			ahead++
			transfer += n.Timing.Busy[sm.UnitGlobal]
			// Without the transfer: bandwidth is shared, and all transfers are added below.
			alone := n.Timing.Latency - n.Timing.Busy[sm.UnitGlobal]
			arrives := alone * stretch(n.Op) / quarters
			d.latency, d.idle = max(d.latency, arrives), max(d.idle, alone)
			if depth, _ := g.IndexDepth(i); depth > 0 {
				d.indices = max(d.indices, arrives)
			}
		}
	}
	d.latency, d.idle = d.latency+transfer*stretched/quarters, d.idle+transfer // transfers share the bandwidth, so they add up
	bytes := ir.Sum(ir.Filter(g.Buffers, func(b ddg.Buffer) bool { return g.Nodes[b.Copy].Role == ddg.Ahead }), StageBytes)
	switch {
	case ahead == 0:
		return d, fmt.Errorf("there is nothing to prefetch: %s", whyNothing(g))
	case !computes:
		return d, fmt.Errorf("it computes nothing from what it loads")
	case l.Stages == 1:
		return d, fmt.Errorf("the kernel asks for one stage; 2 or more would prefetch its loads")
	// Only loads to registers, whose prefetch distance takes no shared memory.
	case bytes == 0:
		d.most, d.asked = max(mostLoads, l.Prefetch), l.Prefetch
		return d, nil
	}
	besides := max(1, after) // stages besides those of the prefetch distance
	// A hint or option above mostCopies is obeyed, as far as shared memory allows.
	d.most = min(l.Shared/bytes-besides, max(mostCopies, min(l.Stages-1, MostIterations), l.Prefetch))
	if d.most < 1 {
		return d, fmt.Errorf("%s stages of its buffers need %d bytes of shared memory, and %d are available; smaller tiles would fit", numerals[besides+1], (besides+1)*bytes, l.Shared)
	}
	d.asked = cmp.Or(l.Prefetch, max(0, l.Stages-1))
	// An option that does not fit is an error, whereas a hint is reduced to what fits.
	if l.Prefetch > d.most {
		return d, fmt.Errorf("%d stages of its buffers need %d bytes of shared memory, and %d are available", l.Prefetch+besides, (l.Prefetch+besides)*bytes, l.Shared)
	}
	return d, nil
}

var numerals = [...]string{2: "two", 3: "three"}

// stretch returns the factor for the latency of an access, in quarters.
func stretch(op ir.Op) int {
	if n, ok := op.IntAttr(tile.AttrLatency); ok {
		return int(n) + unstretched
	}
	return stretched
}

// quarters is the denominator of latency factors.
const quarters = 4

// at returns the prefetch distances to try for an II in cycles, the best first: the one that hides the latency, and
// shorter ones, for which shared memory may have room, if they do on an idle machine. The kernel's hint or the pass
// option replaces the estimate.
func (d prefetcher) at(ii int) (distances []int) {
	n, least := (d.latency+ii-1)/ii, (d.idle+ii-1)/ii
	if d.asked > 0 {
		n, least = d.asked, d.asked
	}
	n = min(max(1, n), d.most)
	if d.exactly {
		least = n
	}
	for least = min(max(1, least), n); n >= least; n-- {
		distances = append(distances, n)
	}
	return distances
}

// index returns Shape.Index for an II in cycles.
func (d prefetcher) index(ii int) int { return min((d.indices+ii-1)/ii, mostIndices) }

// whyNothing says why no access of a loop is prefetched, and what would change that.
func whyNothing(g *ddg.Graph) string {
	for _, n := range g.Nodes {
		op := n.Op
		switch {
		case tileas.IsCopy(op):
			return "where '" + op.Name() + "' copies from depends on what the loop computes, or its buffer is written elsewhere too"
		case loads(op) && tile.IsOrdered(op):
			return "'" + op.Name() + "' has an order with other threads; a weak load could be prefetched"
		case loads(op) && !g.Rests(op):
			return "where '" + op.Name() + "' loads from depends on what the loop computes; an address or a token that depends on the loop counter alone would change that"
		case loads(op):
			return "'" + op.Name() + "' loads elements one by one, each of which would keep a register for an iteration; elements that are known to be neighbours and aligned would change that"
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
