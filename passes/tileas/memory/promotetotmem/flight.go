package promotetotmem

import (
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// A wait tells a phase of an mbarrier from the next one by its parity alone. If MMA n - stages were still in
// flight, a wait for MMA n would take the phase of MMA n - 2*stages for it. So no more MMAs may be in flight than
// there are mbarriers.
//
// How many are in flight does not follow from the waits alone. Two MMAs in a row are two, although the wait after
// them leaves none. MMAs whose operands are never overwritten have no wait in their loop at all.

const (
	fewStages  = 4  // of a pipe for MMAs that no wait holds back
	mostStages = 64 // bounds what waits can ask for
)

// A flight finds how many MMAs are in flight at most.
type flight struct {
	limit int // no more are allowed
	peak  int
	held  map[ir.Op]bool // MMAs before which the limit is reached: one MMA must complete first
	exits map[ir.Op]int  // MMAs in flight at the end of an iteration
	ends  map[entered]int
}

// An entered is a loop with the number of MMAs in flight before it.
type entered struct {
	loop ir.Op
	n    int
}

func newFlight(fn ir.Op, limit int) *flight {
	f := &flight{limit: limit, held: make(map[ir.Op]bool), exits: make(map[ir.Op]int), ends: make(map[entered]int)}
	f.block(fn.Body(), 0)
	return f
}

// block returns how many MMAs are in flight after a block, given n before it.
func (f *flight) block(b ir.Block, n int) int {
	for op := range b.Ops() {
		switch {
		case isMMA(op) && n == f.limit:
			f.held[op] = true
		case isMMA(op):
			n++
			f.peak = max(f.peak, n)
		case op.Is(tileas.DotWait):
			pending, _ := op.IntAttr(tileas.AttrPending)
			n = int(min(int64(n), max(pending, 0)))
		case op.Is(scf.Continue), op.Is(scf.Break):
			loop := ir.ExitTarget(op)
			f.exits[loop] = max(f.exits[loop], n)
		case op.Is(scf.For), op.Is(scf.Loop):
			n = f.loop(op, n)
		default:
			n = f.branches(op, n)
		}
	}
	return n
}

func (f *flight) branches(op ir.Op, n int) int {
	most := n
	if op.Is(scf.If) && !op.Region(1).Empty() {
		most = 0 // one of the two branches is taken
	}
	for b := range op.Blocks() {
		most = max(most, f.block(b, n))
	}
	return most
}

// loop repeats until iterations end with no more MMAs in flight than they begin with.
func (f *flight) loop(op ir.Op, n int) int {
	// Without this memo, nested loops would be walked once for each walk of the outer one.
	at := entered{op, n}
	if end, ok := f.ends[at]; ok {
		return end
	}
	for {
		f.block(op.Body(), n)
		if f.exits[op] <= n {
			break
		}
		n = f.exits[op]
	}
	f.ends[at] = n
	return n
}
